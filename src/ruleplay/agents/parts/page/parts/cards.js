// Part cards: every value with where it is from, and no more certainty than the catalog has.

import { html } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { useFormats } from '../../preferences.js';

/** A picture that came with the catalog is shown; one on another host is opened there, when somebody wants that. */
const OURS = /^data:image\/(?:png|jpeg|webp|gif);base64,/;
const ELSEWHERE = /^https?:\/\//;
const FIT_ICONS = { listed: 'check', not_listed: 'dash', unknown_model: 'question', unknown_part: 'question' };

export function Cards({ cards, source, label, t, say, busy }) {
  if (!cards.length) return null;
  return html`
    <section class="part" aria-labelledby="parts-cards">
      <h3 id="parts-cards">${t('parts', cards.length)}</h3>
      <ol class="cards">${cards.map((card) => html`<li key=${card.number}><${Card} card=${card} source=${source} label=${label} t=${t} say=${say} busy=${busy} /></li>`)}</ol>
    </section>`;
}

function Card({ card, source, label, t, say, busy }) {
  return html`
    <article class="card" aria-labelledby=${`card-${card.number}`}>
      <header>
        ${OURS.test(card.image ?? '') && html`<img class="picture" src=${card.image} alt="" loading="lazy" />`}
        <h4 id=${`card-${card.number}`}>${card.name || card.number}</h4>
        <p class="ids"><code>${card.number}</code>${card.manufacturer_number && html` <span class="facts">${t('manufacturer')} <code>${card.manufacturer_number}</code></span>`}</p>
      </header>
      <${Price} card=${card} label=${label} t=${t} />
      ${card.fit && html`<${Fit} card=${card} source=${source} t=${t} />`}
      <dl class="details">
        <${Detail} name=${t('fixes')} value=${card.fixes.map(label).join(', ')} />
        <${Detail} name=${t('difficulty')} value=${label(card.difficulty)} />
        <${Detail} name=${t('time')} value=${label(card.time)} />
        <${Detail} name=${t('replaces')} value=${card.replaces.join(', ')} mono=${true} />
        <${Detail} name=${t('catalog-row')} value=${card.row} mono=${true} />
      </dl>
      ${card.steps.length > 0 && html`<details class="steps"><summary>${t('steps', card.steps.length)}</summary><ol>${card.steps.map((step) => html`<li key=${step}>${step}</li>`)}</ol></details>`}
      <footer>
        ${ELSEWHERE.test(card.image ?? '') && html`<a href=${card.image} target="_blank" rel="noopener noreferrer"><${Icon} name="link" />${t('picture')}</a>`}
        ${ELSEWHERE.test(card.url ?? '') && html`<a href=${card.url} target="_blank" rel="noopener noreferrer"><${Icon} name="link" />${t('in-shop')}</a>`}
        ${ELSEWHERE.test(card.video) && html`<a href=${card.video} target="_blank" rel="noopener noreferrer"><${Icon} name="link" />${t('video')}</a>`}
        ${card.model && html`<button type="button" disabled=${busy} aria-label=${`${t('install')}: ${card.number}`} onClick=${() => say(t('install.ask', card.number, card.model))}>${t('install')}</button>`}
      </footer>
    </article>`;
}

function Price({ card, label, t }) {
  const formats = useFormats();
  if (card.price === null) return html`<p class="price none">${t('price.none')}</p>`;
  return html`
    <p class="price"><b>${formats.price(card.price)}</b>
      <span class="facts">${card.priced_on && t('priced-on', formats.day(card.priced_on))}${card.availability && ` · ${label(card.availability)}`}</span>
    </p>`;
}

/** Which catalog it was, and since when, as the server writes it. */
function importedTold(source, t, formats) {
  const [, name, day] = /^(.+), imported (\d{4}-\d\d-\d\d)$/.exec(source) ?? [];
  return day ? t('source.imported', name === 'demo catalog' ? t('source.demo') : name, formats.day(day)) : source;
}

function Fit({ card, source, t }) {
  const formats = useFormats();
  return html`
    <p class=${`fit ${card.fit}`}>
      <span class="state"><${Icon} name=${FIT_ICONS[card.fit] ?? 'question'} />${t(`fit.${card.fit}`, card.model)}</span>
      ${source.source && html`<span class="facts">${t('source', importedTold(source.source, t, formats))}</span>`}
    </p>`;
}

function Detail({ name, value, mono = false }) {
  if (!value) return null;
  return html`<div><dt>${name}</dt><dd>${mono ? html`<code>${value}</code>` : value}</dd></div>`;
}

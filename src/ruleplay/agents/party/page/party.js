// The party's side of the page: whose move it is, the fight, the sheets, dice, whispers, what one knows.

import { html } from '../vendor/preact.js';
import { looksOn } from '../session.js';
import { Dice } from './party/dice.js';
import { Fight } from './party/fight.js';
import { Knowledge } from './party/knowledge.js';
import { Safety } from './party/safety.js';
import { Party } from './party/sheets.js';
import { Whispers } from './party/whispers.js';
import { words } from './party/words.js';
import { Portrait } from '../pictures/portrait.js';

export { words };
export { start } from './party/start.js';
export { Front } from './party/front.js';
export const starts = true;
export { action } from './party/actions.js';
export { describe } from './party/describe.js';
export const stylesheet = new URL('./party/party.css', import.meta.url).href;

export function View({ view, session, t, act, say, busy }) {
  const names = Object.fromEntries(view.seats.map(({ seat, name }) => [seat, name]));
  const sits = !looksOn(session);
  const given = { view, names, sits, t, act, say, busy };
  return html`
    <div class="party">
      <${Scene} ...${given} />
      ${view.combat && html`<${Fight} combat=${view.combat} t=${t} />`}
      <${Options} ...${given} />
      <${Dice} dice=${view.dice} t=${t} />
      <${Party} ...${given} />
      <${Whispers} ...${given} />
      <${Knowledge} ...${given} />
      <${Remembered} title=${t('recap')} lines=${view.recap} />
      <${Remembered} title=${t('callbacks')} lines=${view.callbacks.map((one) => told(one, t))} />
      <${Safety} ...${given} />
    </div>`;
}

function Scene({ view, names, sits, t, act, busy }) {
  const { scene, paused, ending } = view;
  return html`
    <section class="part" aria-labelledby="party-scene">
      <h3 id="party-scene">${view.title}</h3>
      <p class="place">${scene.name}</p>
      <p class="facts">${t('round', view.round)}${!ending && ` · ${t('moves', names[view.current_turn] ?? view.current_turn)}`}</p>
      ${ending && html`<p class="ending">${t('ending')}: ${ending.name}</p>`}
      ${paused && html`
        <p class="paused" role="status">${t(paused.why === 'card' ? 'paused.card' : 'paused.asked')}
          ${sits && html` <button type="button" disabled=${busy} onClick=${() => act({ do: 'resume' })}>${t('resume')}</button>`}</p>`}
      ${scene.persons.length > 0 && html`<p class="facts">${t('persons')}: ${scene.persons.map((one) => one.name).join(', ')}</p>`}
      ${scene.exits.length > 0 && html`<p class="facts">${t('exits')}: ${scene.exits.map((one) => (one.open ? one.name : `${one.name} (${t('closed')})`)).join(', ')}</p>`}
    </section>`;
}

/** Above the field: that it is your turn, and the nearest things to do. */
export function Above({ view, session, t, act, busy }) {
  const mine = view.mine && !view.paused && !view.ending && !looksOn(session);
  if (!mine) return null;
  const me = view.party.find((one) => one.seat === view.seat);
  return html`
    <div class="your-turn">
      <p class="banner-line" role="status">${me && html`<span class="face"><${Portrait} name=${me.name} colour=${me.color ?? ''} /></span>`}${t('yours')}</p>
      <ul aria-label=${t('at-hand')}>${view.options.slice(0, SHOWN).map((one) => html`<li key=${one.id}><button type="button" disabled=${busy} onClick=${() => act({ do: 'choose', options: [one.id] })}>${one.label}</button></li>`)}</ul>
    </div>`;
}

/** Options that are shown at once; in a fight with many foes there are dozens. */
const SHOWN = 8;

/** What one could do now, when it is one's move; free words work as well. */
function Options({ view, t, act, say, busy }) {
  if (!view.mine || view.paused || view.ending) return null;
  const meant = [...(view.asked?.choices ?? []), ...view.undone];
  const more = view.options.slice(SHOWN);
  const choice = (one) => html`<li key=${one.id}><button type="button" disabled=${busy} onClick=${() => act({ do: 'choose', options: [one.id] })}>${one.label}</button></li>`;
  return html`
    <section class="part" aria-labelledby="party-options">
      <h3 id="party-options">${t('options')}</h3>
      ${view.asked && html`<p class="facts" role="status">${view.asked.question}</p>`}
      ${meant.length > 0 && html`<ul class="options" aria-label=${t('meant')}>${meant.map((text) => html`<li key=${text}><button type="button" disabled=${busy} onClick=${() => say(text)}>${text}</button></li>`)}</ul>`}
      <ul class="options">
        ${view.options.slice(0, SHOWN).map(choice)}
        <li><button type="button" disabled=${busy} onClick=${() => act({ do: 'pass' })}>${t('pass')}</button></li>
      </ul>
      ${more.length > 0 && html`<details><summary>${t('options.more', more.length)}</summary><ul class="options">${more.map(choice)}</ul></details>`}
    </section>`;
}

function Remembered({ title, lines }) {
  if (!lines.length) return null;
  return html`
    <details class="part">
      <summary><h3>${title} (${lines.length})</h3></summary>
      <ol class="remembered">${lines.map((line, at) => html`<li key=${at}>${line}</li>`)}</ol>
    </details>`;
}

const told = (one, t) => (one.returned ? `${one.text} ${t('returned', one.payoff ?? '')}` : one.text);

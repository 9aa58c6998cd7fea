// What the reader knows and others may not: secrets, which can be told, and clues.

import { html } from '../../vendor/preact.js';

export function Knowledge({ view, names, sits, t, act, busy }) {
  const { secrets, clues } = view.knowledge;
  if (!secrets.length && !clues.length) return null;
  const told = { names, t, act: sits ? act : null, busy, view };
  return html`
    <section class="part" aria-labelledby="party-knowledge">
      <h3 id="party-knowledge">${t('knowledge')}</h3>
      <${Facts} title=${t('secrets')} facts=${secrets} ...${told} />
      <${Facts} title=${t('clues')} facts=${clues} ...${told} />
    </section>`;
}

function Facts({ title, facts, names, t, act, busy, view }) {
  if (!facts.length) return null;
  const everyone = view.seats.length - 1;
  return html`
    <h4>${title}</h4>
    <ul class="known">${facts.map((fact) => html`
      <li key=${fact.key}>
        <p>${fact.text}</p>
        <p class="facts">${shared(fact, names, t)}</p>
        ${act && !fact.shared_with.includes('*') && fact.shared_with.length < everyone && html`
          <button type="button" disabled=${busy} onClick=${() => act({ do: 'reveal', key: fact.key, to: ['*'] })}>${t('reveal')}</button>`}
      </li>`)}</ul>`;
}

function shared(fact, names, t) {
  if (fact.shared_with.includes('*')) return t('shared.all');
  if (!fact.shared_with.length) return t('shared.nobody');
  return t('shared', fact.shared_with.map((seat) => names[seat] ?? seat));
}

// The parts assistant's side of the page: what is known and why, what is missing, and which parts.

import { html } from '../vendor/preact.js';
import { Catalog } from './parts/catalog.js';
import { Cards } from './parts/cards.js';
import { useLabels } from './parts/labels.js';
import { Ledger } from './parts/ledger.js';
import { Report } from './parts/report.js';
import { Slots } from './parts/slots.js';
import { words } from './parts/words.js';

export { words };
export { start } from './parts/start.js';
export { describe } from './parts/describe.js';
export const stylesheet = new URL('./parts/parts.css', import.meta.url).href;

export function View({ view, turns, t, say, highlight, busy }) {
  const label = useLabels();
  const about = [view.goal && t(`goal.${view.goal}`), view.appliance && label(view.appliance)].filter(Boolean);
  return html`
    <div class="parts">
      <section class="part" aria-labelledby="parts-case">
        <h3 id="parts-case">${t('case')} ${view.case}</h3>
        <p class="goal">${about.join(' · ') || t('goal.none')}</p>
        ${view.queue.length > 0 && html`<p class="facts">${t('queue', view.queue.map((goal) => t(`goal.${goal}`)))}</p>`}
        ${view.handed_over && html`<p class="handed">${t('handed-over')}</p>`}
        <${Slots} view=${view} label=${label} t=${t} say=${say} highlight=${highlight} busy=${busy} />
      </section>
      <${Cards} cards=${view.cards} source=${sourceOf(turns)} label=${label} t=${t} say=${say} busy=${busy} />
      <${Ledger} view=${view} turns=${turns} t=${t} highlight=${highlight} />
    </div>`;
}

/** Where the cards' fit verdicts come from: the last tool result says it. */
function sourceOf(turns) {
  for (const turn of [...turns].reverse()) {
    const found = turn.events.findLast((event) => event.type === 'ToolReturned');
    if (found) return { source: found.source, explanation: found.explanation };
  }
  return { source: '', explanation: '' };
}

/** On the agent's own page: a shop's catalog, which replaces the one in use, and what was asked. */
export function Front({ t }) {
  return html`<${Catalog} t=${t} /><${Report} t=${t} />`;
}

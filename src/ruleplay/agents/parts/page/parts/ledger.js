// The ledger: what was filled, corrected and taken back, in order, each line with the words behind it.

import { html } from '../../vendor/preact.js';

export function Ledger({ view, turns, t, highlight }) {
  if (!view.ledger.length) return null;
  const hidden = view.entries - view.ledger.length;
  const show = (entry) => {
    const message = turns[entry.turn - 1]?.input.message ?? '';
    const at = message.indexOf(entry.quote);
    if (at < 0) return;
    // The server counts characters, JavaScript halves of some.
    const start = Array.from(message.slice(0, at)).length;
    highlight({ turn: entry.turn, start, end: start + Array.from(entry.quote).length });
  };
  return html`
    <section class="part" aria-labelledby="parts-ledger">
      <details class="ledger">
        <summary><h3 id="parts-ledger">${t('ledger', view.entries)}</h3></summary>
        ${hidden > 0 && html`<p class="facts">${t('ledger.earlier', hidden)}</p>`}
        <ol start=${hidden + 1}>${view.ledger.map((entry) => html`
          <li key=${entry.number}>
            <span>${t(`did.${entry.what}`)} ${t(`slot.${entry.name}`)}: <b>${entry.name === 'goal' ? t(`goal.${entry.value}`) : entry.value}</b></span>
            ${entry.quote && html`<button type="button" class="quote" onClick=${() => show(entry)}>“${entry.quote}” <span class="facts">${t('heard', entry.turn)}</span></button>`}
          </li>`)}</ol>
      </details>
    </section>`;
}

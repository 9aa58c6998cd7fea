// A value with the words it was heard in: shown on hover and focus, marked in the message on a click.

import { html, useState } from '../../vendor/preact.js';

let made = 0;

/** `evidence` counts characters of the message of turn `evidence.turn`; `row` is a catalog row. */
export function Evidence({ evidence, row, children, t, highlight }) {
  const [id] = useState(() => `evidence-${++made}`);
  const [shown, show] = useState(false);
  const hide = (event) => event.key === 'Escape' && show(false);
  return html`
    <span class="evidence" onMouseEnter=${() => show(true)} onMouseLeave=${() => show(false)}>
      <button type="button" class="value" aria-describedby=${shown ? id : undefined} onFocus=${() => show(true)} onBlur=${() => show(false)} onKeyDown=${hide}
        onClick=${() => highlight({ turn: evidence.turn, start: evidence.start, end: evidence.end })}>${children}</button>
      ${shown && html`
        <span class="tip" role="tooltip" id=${id}>
          <span class="quote">“${evidence.text}”</span>
          <span class="facts">${t('heard', evidence.turn)}</span>
          ${row && html`<span class="facts">${t('row', row)}</span>`}
        </span>`}
    </span>`;
}

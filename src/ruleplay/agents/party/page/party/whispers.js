// Words for some ears only: a box to whisper, and what was whispered to the reader.

import { html, useState } from '../../vendor/preact.js';

/** Characters that are kept of what somebody says. */
const LIMIT = 1000;

export function Whispers({ view, names, sits, t, act, busy }) {
  const heard = view.knowledge.whispers;
  if (!sits && !heard.length) return null;
  return html`
    <section class="part" aria-labelledby="party-whispers">
      <h3 id="party-whispers">${t('whispers')}</h3>
      ${heard.length > 0 && html`
        <ul class="heard">${heard.map((one, at) => html`
          <li key=${at}><b>${names[one.from] ?? one.from} → ${one.to.map((seat) => names[seat] ?? seat).join(', ')}</b> <q>${one.text}</q></li>`)}</ul>`}
      ${sits && html`<${Box} view=${view} t=${t} act=${act} busy=${busy} />`}
    </section>`;
}

function Box({ view, t, act, busy }) {
  const others = view.seats.filter((one) => one.seat !== view.seat);
  const [to, choose] = useState([]);
  const [text, type] = useState('');
  const toggle = (seat) => choose(to.includes(seat) ? to.filter((one) => one !== seat) : [...to, seat]);
  const send = (event) => {
    event.preventDefault();
    if (!to.length || !text.trim() || busy) return;
    act({ do: 'whisper', to, text: text.trim() });
    type('');
  };
  return html`
    <form class="whisper" onSubmit=${send}>
      <fieldset>
        <legend>${t('whisper.to')}</legend>
        ${others.map((one) => html`<label key=${one.seat} class="inline"><input type="checkbox" checked=${to.includes(one.seat)} onChange=${() => toggle(one.seat)} /> ${one.name}</label>`)}
      </fieldset>
      <label>${t('whisper.text')} <input type="text" maxlength=${LIMIT} value=${text} onInput=${(event) => type(event.target.value)} /></label>
      <button type="submit" disabled=${busy || !to.length || !text.trim()}>${t('whisper.send')}</button>
      ${view.seat !== 'dm' && html`<p class="hint">${t('whisper.hint')}</p>`}
    </form>`;
}

// Lines, veils and the X card: opt-in, and visible to all who sit here.

import { html, useState } from '../../vendor/preact.js';

export function Safety({ view, sits, t, act, busy }) {
  const { safety, paused, ending } = view;
  if (!sits && !safety.on) return null;
  const playable = sits && !ending;
  return html`
    <section class="part safety" aria-labelledby="party-safety">
      <h3 id="party-safety">${t('safety')}</h3>
      ${safety.on && html`
        <p><b>${t('lines')}:</b> ${safety.lines.join(', ') || t('none')}</p>
        <p><b>${t('veils')}:</b> ${safety.veils.join(', ') || t('none')}</p>`}
      ${playable && !paused && html`
        <p class="buttons">
          ${safety.on && html`<button type="button" class="card" disabled=${busy} onClick=${() => act({ do: 'card' })}>${t('card')}</button>`}
          <button type="button" disabled=${busy} onClick=${() => act({ do: 'pause' })}>${t('pause')}</button>
        </p>
        <p class="hint">${t(safety.on ? 'card.hint' : 'card.none')}</p>`}
      ${sits && html`<${Agreement} key=${JSON.stringify(safety)} safety=${safety} t=${t} act=${act} busy=${busy} />`}
    </section>`;
}

function Agreement({ safety, t, act, busy }) {
  const [on, turn] = useState(safety.on);
  const [lines, draw] = useState(safety.lines.join(', '));
  const [veils, veil] = useState(safety.veils.join(', '));
  const save = (event) => {
    event.preventDefault();
    act({ do: 'safety', on, lines: listed(lines), veils: listed(veils) });
  };
  return html`
    <details>
      <summary>${t('safety.change')}</summary>
      <form class="whisper" onSubmit=${save}>
        <label class="inline"><input type="checkbox" checked=${on} onChange=${(event) => turn(event.target.checked)} /> ${t('safety.on')}</label>
        <label>${t('lines.more')} <input type="text" value=${lines} onInput=${(event) => draw(event.target.value)} /></label>
        <label>${t('veils.more')} <input type="text" value=${veils} onInput=${(event) => veil(event.target.value)} /></label>
        <button type="submit" disabled=${busy}>${t('safety.agree')}</button>
      </form>
    </details>`;
}

const listed = (text) => text.split(',').map((one) => one.trim()).filter(Boolean);

// Walking through a battle's decisions; the newest one is followed until another is chosen.

import { html } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';

export function Steps({ frames, at, choose, t, over }) {
  if (!frames.length) return null;
  const place = at < 0 ? frames.length - 1 : at;
  const to = (index) => choose(index >= frames.length - 1 && !over ? null : frames[index].number);
  return html`
    <nav class="steps" aria-label=${t('steps.label')}>
      <button type="button" class="quiet" aria-label=${t('step.before')} disabled=${place <= 0} onClick=${() => to(place - 1)}><${Icon} name="left" /></button>
      <label><span class="unseen">${t('step.choose')}</span>
        <input type="range" min="0" max=${frames.length - 1} value=${place} aria-valuetext=${t('step', place + 1, frames.length)} onInput=${(event) => to(Number(event.target.value))} /></label>
      <button type="button" class="quiet" aria-label=${t('step.after')} disabled=${place >= frames.length - 1} onClick=${() => to(place + 1)}><${Icon} name="right" /></button>
      <span class="facts">${t('step', place + 1, frames.length)}</span>
      ${at >= 0 && html`<button type="button" class="live" onClick=${() => choose(null)}>${t(over ? 'step.last' : 'step.live')}</button>`}
    </nav>`;
}

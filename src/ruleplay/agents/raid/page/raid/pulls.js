// The night's pulls: along a line of time, and as a list to choose from.

import { html } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { clock } from './figures.js';

const DAY = 86_400;

/** Seconds since midnight of `HH:MM:SS`; null when it is none. */
function seconds(text) {
  const [, h, m, s] = /^(\d{1,2}):(\d{2}):(\d{2})/.exec(text ?? '') ?? [];
  return h === undefined ? null : Number(h) * 3600 + Number(m) * 60 + Number(s);
}

/** Pulls with the second of the night at which they began; a night may pass midnight. */
export function placed(pulls) {
  let before = null;
  let days = 0;
  return pulls.map((pull) => {
    const at = seconds(pull.start);
    if (at !== null && before !== null && at < before - DAY / 2) days += 1;
    before = at ?? before;
    return { ...pull, at: at === null ? null : at + days * DAY };
  });
}

/** A second of the night as `HH:MM:SS`. */
export function hour(at) {
  const second = Math.floor(at) % DAY;
  return [second / 3600, (second / 60) % 60, second % 60].map((part) => String(Math.floor(part)).padStart(2, '0')).join(':');
}

const isKill = (pull) => pull.outcome === 'kill' || pull.kill === true;

export function Pulls({ pulls, fight, choose, t }) {
  const known = placed(pulls);
  const begun = known.filter((pull) => pull.at !== null);
  const first = Math.min(...begun.map((pull) => pull.at));
  const whole = Math.max(1, Math.max(...begun.map((pull) => pull.at + pull.seconds)) - first);
  return html`
    ${begun.length > 1 && html`
      <div class="timeline" aria-hidden="true">
        ${begun.map((pull) => html`<span key=${pull.fight} title=${`${pull.fight} · ${pull.encounter} · ${t(`ended.${pull.outcome}`)}`} class=${`${isKill(pull) ? 'kill' : 'wipe'}${pull.fight === fight ? ' here' : ''}`} style=${`left: ${((pull.at - first) / whole) * 100}%; width: max(5px, ${(pull.seconds / whole) * 100}%)`} onClick=${() => choose(pull.fight)}></span>`)}
      </div>
      <p class="facts ends"><span>${hour(first)}</span><span>${hour(first + whole)}</span></p>`}
    <ol class="pulls" aria-label=${t('night.pulls')}>${known.map((pull) => html`
      <li key=${pull.fight}><button type="button" aria-current=${pull.fight === fight ? 'true' : undefined} onClick=${() => choose(pull.fight)}>
        <span class=${`ended ${isKill(pull) ? 'kill' : 'wipe'}`}><${Icon} name=${isKill(pull) ? 'check' : 'cross'} />${t(`ended.${pull.outcome}`)}</span>
        <span class="boss"><span class="facts">${pull.fight}</span> ${pull.encounter}</span>
        <span class="facts">${clock(Math.round(pull.seconds))}${!isKill(pull) && pull.boss_hp_percent !== null && pull.boss_hp_percent !== undefined ? ` · ${t('boss-left', pull.boss_hp_percent)}` : ''}</span>
      </button></li>`)}</ol>`;
}

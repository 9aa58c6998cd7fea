// The battle agent's side of the page: the board, why an order was chosen, and how the battle goes.

import { html, useMemo, useState } from '../vendor/preact.js';
import { Board } from './battle/board.js';
import { Chance } from './battle/chance.js';
import { Course } from './battle/course.js';
import { formatTold, framesOf, percent, playerName } from './battle/frames.js';
import { Decision } from './battle/decision.js';
import { KeptReview } from './battle/kept.js';
import { Memory } from './battle/memory.js';
import { Steps } from './battle/steps.js';
import { Wishes } from './battle/wishes.js';
import { words } from './battle/words.js';

export { words };
export { start } from './battle/start.js';
export { action, describe } from './battle/describe.js';
export { Front } from './battle/front.js';
export { Review } from './battle/reviewed.js';
export const stylesheet = new URL('./battle/battle.css', import.meta.url).href;
export const wide = true;
export const pages = { review: KeptReview };
/** Battles are begun by the form in `Front`: a session alone has no server behind it. */
export const starts = true;

export function View({ view, turns, t, live, act, busy }) {
  const frames = useMemo(() => framesOf(turns), [turns]);
  // Which decision is looked at: its turn's number, or null to follow the battle.
  const [chosen, choose] = useState(null);
  const at = chosen === null ? -1 : frames.findIndex((frame) => frame.number === chosen);
  const scene = frames.at(at);
  return html`
    <div class="battle stack">
      <${Head} view=${view} t=${t} live=${live} />
      <${Chance} share=${view.chances?.at(-1)?.[1]} us=${playerName(view.us) || t('us')} them=${playerName(view.opponent)} t=${t} />
      <${Steps} frames=${frames} at=${at} choose=${choose} t=${t} over=${Boolean(view.result)} />
      ${at === -1 && html`<${Wishes} view=${view} scene=${scene} act=${act} busy=${busy} t=${t} />`}
      ${scene
    ? html`<${Board} position=${scene.position} names=${view.names} t=${t} /><${Decision} scene=${scene} t=${t} />`
    : html`<p class="hint">${t('battle.waiting')}</p>`}
      <${Course} chances=${view.chances ?? []} t=${t} />
      <${Memory} view=${view} t=${t} />
    </div>`;
}

function Head({ view, t, live }) {
  const running = live?.steps?.filter((step) => step.state === 'running').map((step) => step.node) ?? [];
  return html`
    <header class="battle-head">
      <p class="pairing"><b>${playerName(view.us) || t('us')}</b> <span class="facts">${t('against')}</span> <b>${playerName(view.opponent) || t('unknown')}</b></p>
      <p class="facts">${[formatTold(view.format, t), view.decisions > 0 && t('decisions', view.decisions), view.by_model > 0 && t('by-model', view.by_model)].filter(Boolean).join(' · ')}</p>
      ${view.result && html`<p class=${`verdict ${view.result}`}>${t(`result.${view.result}`)}${view.timed_out ? ` · ${t('timed-out')}` : ''}</p>`}
      ${!view.result && running.length > 0 && html`<p class="facts thinking"><span class="pulse"></span>${t('thinking')} <code>${running.join(', ')}</code></p>`}
    </header>`;
}

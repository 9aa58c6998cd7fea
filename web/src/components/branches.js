// The tree of a session's turns: every version that was ever made, and the way to go back to it.

import { html, useMemo } from '../vendor/preact.js';
import { goTo } from '../actions.js';
import { useWords } from '../preferences.js';
import { fixed } from '../session.js';
import { rows } from '../tree.js';
import { OtherBranches } from './comparison.js';
import { seatName } from './table-bar.js';

const LANE = 14;
const ROW = 44;
const MIDDLE = ROW / 2;

export function Branches({ session }) {
  const t = useWords();
  const placed = useMemo(() => rows(session.branches), [session.branches]);
  const current = new Set(session.turns.map((turn) => turn.turn));
  if (!placed.length) return html`<h2>${t('tree')}</h2><p class="hint">${t('tree.empty')}</p>`;
  const lanes = Math.max(...placed.map((one) => one.lane)) + 1;
  return html`
    <h2>${t('tree')}</h2>
    <p class="hint">${t('tree.hint')}</p>
    <${OtherBranches} session=${session} />
    <div class="branches" style=${`--rail: ${lanes * LANE + 8}px`}>
      <${Rail} placed=${placed} lanes=${lanes} current=${current} head=${session.head} />
      <ol>${placed.map((one) => html`
        <li key=${one.id} class=${current.has(one.id) ? 'current' : ''}>
          <button type="button" aria-current=${one.id === session.head ? 'true' : undefined} disabled=${fixed(session)} onClick=${() => goTo(one.id)}>
            <span class="number">${one.number}</span>
            <span class="words">${one.message || seatName(session, one.seat)}</span>
            ${one.id === session.head && html`<span class="here">${t('tree.head')}</span>`}
          </button>
        </li>`)}</ol>
    </div>`;
}

function Rail({ placed, lanes, current, head }) {
  const at = new Map(placed.map((one) => [one.id, one]));
  const x = (one) => one.lane * LANE + LANE / 2 + 2;
  const y = (one) => one.row * ROW + MIDDLE;
  const path = (from, to) => {
    if (from.lane === to.lane) return `M${x(from)} ${y(from)}V${y(to)}`;
    return `M${x(from)} ${y(from)}C${x(from)} ${y(from) + ROW * 0.7} ${x(to)} ${y(from) + ROW * 0.3} ${x(to)} ${Math.min(y(from) + ROW, y(to))}V${y(to)}`;
  };
  const joined = placed.filter((one) => at.has(one.parent));
  // What leads to the head is painted last, over the rest.
  const ordered = [...joined].sort((a, b) => current.has(a.id) - current.has(b.id));
  return html`
    <svg class="rail" aria-hidden="true" width=${lanes * LANE + 4} height=${placed.length * ROW}>
      ${ordered.map((one) => html`<path key=${one.id} class=${current.has(one.id) ? 'current' : ''} d=${path(at.get(one.parent), one)} />`)}
      ${placed.map((one) => html`<circle key=${one.id} class=${`${current.has(one.id) ? 'current' : ''}${one.id === head ? ' head' : ''}`} cx=${x(one)} cy=${y(one)} r="4.5" />`)}
    </svg>`;
}

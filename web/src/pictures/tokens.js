// A fight on squared paper: everybody as a token, on the line the rules measure distances on, with how far
// whoever moves may go and strike, where that is known.

import { html } from '../vendor/preact.js';
import { Portrait } from './portrait.js';

const FEET = 5;
const SQUARE = 34;
const MOST = 24;

/** `order` are those in the fight: `{id, name, side, color, position, actor, health, gone, hp, max_hp, reach, pace}`. */
export function TokenGrid({ order, label, t }) {
  const here = order.filter((one) => !one.gone && one.health !== 'dead');
  if (!here.length) return null;
  const actor = here.find((one) => one.actor);
  const low = Math.min(...here.map((one) => one.position));
  const high = Math.max(...here.map((one) => one.position));
  const scale = Math.max(FEET, (high - low) / MOST);
  const column = (feet) => Math.round((feet - low) / scale) + 1;
  const stacks = new Map();
  const tokens = here.map((one) => {
    const x = column(one.position);
    const y = stacks.get(x) ?? 0;
    stacks.set(x, y + 1);
    return { ...one, x, y };
  });
  const columns = column(high) + 2;
  const rows = Math.max(3, ...[...stacks.values()]);
  const [width, height] = [columns * SQUARE, rows * SQUARE];
  const band = (name) => {
    const feet = actor?.[name];
    if (!feet) return null;
    const at = column(actor.position);
    const from = Math.max(0, (at - feet / scale) * SQUARE);
    const to = Math.min(width, (at + 1 + feet / scale) * SQUARE);
    return html`<rect class=${name} y="0" height=${height} x=${from} width=${to - from}><title>${t(name, feet)}</title></rect>`;
  };
  return html`
    <div class="sideways" tabindex="0" role="region" aria-label=${label}>
      <svg class="grid" viewBox=${`0 0 ${width} ${height}`} style=${`--natural: ${width}px`} role="img" aria-label=${`${label}: ${here.map((one) => `${one.name}, ${t('feet', one.position - low)}`).join('; ')}`}>
        <defs><clipPath id="token"><circle cx="15" cy="15" r="14" /></clipPath></defs>
        <rect class="ground" width=${width} height=${height} />
        ${band('pace')}${band('reach')}
        ${Array.from({ length: columns + 1 }, (_, n) => html`<path key=${`c${n}`} class="ruled" d=${`M${n * SQUARE} 0V${height}`} />`)}
        ${Array.from({ length: rows + 1 }, (_, n) => html`<path key=${`r${n}`} class="ruled" d=${`M0 ${n * SQUARE}H${width}`} />`)}
        ${tokens.map((one) => html`
          <g key=${one.id} class=${`token ${one.side}${one.actor ? ' moves' : ''} ${one.health ?? ''}`} transform=${`translate(${one.x * SQUARE + 2} ${(rows - 1 - one.y) * SQUARE + 2})`}>
            <title>${one.name}</title>
            <g clip-path="url(#token)"><svg width="30" height="30"><${Portrait} name=${one.name} side=${one.side === 'party' || one.side === 'hero' || one.color ? '' : 'foe'} colour=${one.color ?? ''} /></svg></g>
            <circle class="rim" cx="15" cy="15" r="14" />
            ${one.hp !== null && one.max_hp > 0 && html`<path class="life" pathLength="100" stroke-dasharray=${`${Math.round((100 * one.hp) / one.max_hp)} 100`} d="M15 1a14 14 0 1 1-.01 0" />`}
          </g>`)}
      </svg>
    </div>`;
}

// A small living picture of each agent for the first page. Drawn here; stands still where motion is not wanted.

import { html } from '../vendor/preact.js';

const DRAWN = {
  parts: () => html`
    <rect class="line" x="58" y="16" width="84" height="78" rx="6" /><path class="line" d="M58 34h84" /><circle class="fill" cx="72" cy="25" r="3" /><circle class="fill" cx="82" cy="25" r="3" />
    <circle class="line" cx="100" cy="64" r="20" /><g class="apart"><circle class="accent" cx="100" cy="64" r="13" /><circle class="hole" cx="100" cy="64" r="7" /></g>
    <path class="drop" d="M100 92c4 6 6 9 6 12a6 6 0 0 1-12 0c0-3 2-6 6-12z" />`,
  raid: () => html`
    ${[0, 1, 2, 3].map((row) => html`<path key=${row} class="line thin" d=${`M20 ${28 + row * 22}h160`} />`)}
    ${[[30, 0, 50], [60, 1, 70], [24, 2, 40], [96, 2, 48], [110, 0, 30], [44, 3, 90]].map(([x, row, width]) => html`<rect key=${`${x} ${row}`} class="bar" x=${x} y=${23 + row * 22} width=${width} height="10" rx="3" />`)}
    <g class="sweep"><path class="stroke" d="M20 14v92" /></g><path class="death" d="M148 44l10 10M158 44l-10 10M138 88l10 10M148 88l-10 10" />`,
  battle: () => html`
    <ellipse class="ground" cx="146" cy="62" rx="38" ry="9" /><ellipse class="ground" cx="56" cy="102" rx="42" ry="10" />
    <path class="accent" d="M128 60c-4-18 2-32 18-32s22 14 18 32z" /><circle class="hole" cx="140" cy="42" r="3" /><circle class="hole" cx="152" cy="42" r="3" />
    <path class="fill" d="M36 100c-4-24 4-40 20-40s24 16 20 40z" />
    <rect class="line" x="16" y="20" width="80" height="10" rx="5" /><rect class="hp" x="18" y="22" width="76" height="6" rx="3" />
    <rect class="line" x="106" y="86" width="80" height="10" rx="5" /><rect class="bar" x="108" y="88" width="58" height="6" rx="3" />`,
  saga: () => html`
    <path class="sheet" d="M22 18q40-8 78 0t78 0v84q-40 8-78 0t-78 0z" />
    <path class="walk" d="M40 84C64 60 60 40 92 46s30 40 70 14" pathLength="100" />
    <path class="line thin" d="M120 40l8-12 8 12M132 40l8-14 10 14" /><path class="line thin" d="M52 40q6-10 12 0M60 40q6-10 12 0" />
    <circle class="fill" cx="40" cy="84" r="4" /><circle class="fill" cx="92" cy="46" r="4" /><circle class="accent" cx="162" cy="60" r="6" />`,
  party: () => html`
    ${[0, 1, 2, 3, 4].map((row) => html`<path key=${row} class="line thin" d=${`M30 ${16 + row * 22}h140M${30 + row * 35} 16v88`} />`)}
    <circle class="accent" cx="82" cy="49" r="9" /><circle class="fill" cx="47" cy="71" r="9" /><circle class="foe" cx="152" cy="49" r="9" />
    <g class="roll"><path class="die" d="M117 66l19 11v21l-19 11-19-11V77z" /><text x="117" y="93" text-anchor="middle">20</text></g>`,
};

export function Thumbnail({ agent }) {
  const drawn = DRAWN[agent];
  return html`<svg class="thumbnail" viewBox="0 0 200 120" aria-hidden="true">${drawn?.() ?? html`<path class="line" d="M40 40h120M40 60h120M40 80h70" />`}</svg>`;
}

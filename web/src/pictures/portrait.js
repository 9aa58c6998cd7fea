// A portrait drawn from a name: the same name always has the same face. Nothing is fetched.

import { html } from '../vendor/preact.js';

const SKINS = ['#f3d3b3', '#e2b48c', '#c98f62', '#a06a42', '#6f4529'];
const HAIRS = ['#2a1d14', '#5b3a1e', '#8c5a2b', '#c9973f', '#b9b6ad', '#7a2d1a'];
const CLOTHS = ['#3f5d7d', '#7d3f4f', '#4f7d3f', '#7d6a3f', '#5b3f7d', '#3f7d76'];
const WAYS = [
  'M30 44c0-22 40-22 40 0-4-9-10-12-20-12s-16 3-20 12z',
  'M28 62V42c0-24 44-24 44 0v20c-4-4-5-12-6-20-8 2-24 2-32-6-1 10-2 20-6 26z',
  'M30 42c2-20 38-20 40 0-6-6-12-4-16-8-6 6-16 4-24 8z',
  'M26 66c-2-40 4-46 24-46s26 6 24 46l-8-2c2-14 2-24-2-28-8-2-20-2-28 0-4 4-4 14-2 28z',
];

/** A number from a text, the same everywhere (FNV-1a). */
export function numberOf(text) {
  let hash = 2166136261;
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0), 16777619);
  return hash >>> 0;
}

/** `side` is `foe` for those whose faces stay in the dark. */
export function Portrait({ name, side = '', colour = '' }) {
  const number = numberOf(name);
  const pick = (list, shift) => list[(number >>> shift) % list.length];
  const cloth = colour || pick(CLOTHS, 12);
  if (side === 'foe' || side === 'foes' || side === 'enemy') return html`<${Shade} number=${number} />`;
  return html`
    <svg class="portrait" viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" fill=${cloth} opacity="0.25" />
      <path d="M14 100c2-26 16-30 36-30s34 4 36 30z" fill=${cloth} />
      <path d="M42 62h16v12c-4 6-12 6-16 0z" fill=${pick(SKINS, 3)} />
      <path d="M31 46c0-16 8-24 19-24s19 8 19 24-8 24-19 24-19-8-19-24z" fill=${pick(SKINS, 3)} />
      <path d=${pick(WAYS, 8)} fill=${pick(HAIRS, 5)} />
      ${(number >>> 16) % 3 === 0 && html`<path d="M34 54c2 18 8 22 16 22s14-4 16-22c-6 8-26 8-32 0z" fill=${pick(HAIRS, 5)} />`}
      <circle cx="43" cy="48" r="2.2" fill="#1d1612" /><circle cx="57" cy="48" r="2.2" fill="#1d1612" />
      <path d="M45 60q5 3 10 0" fill="none" stroke="#1d1612" stroke-width="1.6" stroke-linecap="round" />
    </svg>`;
}

function Shade({ number }) {
  const horns = (number >>> 4) % 4;
  return html`
    <svg class="portrait shade" viewBox="0 0 100 100" aria-hidden="true">
      <rect width="100" height="100" class="dark" />
      ${horns === 0 && html`<path d="M30 34 20 12l20 12zM70 34l10-22-20 12z" class="shape" />`}
      ${horns > 1 && html`<path d="M20 62c-4-34 10-50 30-54 20 4 34 20 30 54-4-20-12-30-30-34-18 4-26 14-30 34z" class="shape" />`}
      <path d="M26 50c0-18 10-28 24-28s24 10 24 28c0 14-6 22-12 26 14 4 24 10 26 24H12c2-14 12-20 26-24-6-4-12-12-12-26z" class="shape" />
      <path d="M36 46l10 4-10 4zM64 46l-10 4 10 4z" class="eyes" />
    </svg>`;
}

// A small living picture of each agent for the first page; stands still where motion is not wanted.

import { html } from '../vendor/preact.js';
import { cardOf } from '../agents/cards.js';

export function Thumbnail({ agent }) {
  const drawn = cardOf(agent)?.drawn;
  return html`<svg class="thumbnail" viewBox="0 0 200 120" aria-hidden="true">${drawn?.(html) ?? html`<path class="line" d="M40 40h120M40 60h120M40 80h70" />`}</svg>`;
}

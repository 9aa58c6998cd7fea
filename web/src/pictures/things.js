// Things that somebody carries, drawn by their kind.

import { html } from '../vendor/preact.js';

const KINDS = {
  weapon: 'M20 4 9 15M20 4l-1 5-8 8M20 4l-5 1-8 8M5 13l6 6M8 16l-4 4',
  armour: 'M12 3c3 2 5 2 8 2 0 8-2 13-8 16C6 18 4 13 4 5c3 0 5 0 8-2zM12 3v18M4.5 11h15',
  remedy: 'M10 3h4M11 3v5l-5 9a3 3 0 0 0 3 4h6a3 3 0 0 0 3-4l-5-9V3M8 14h8',
  ammunition: 'M4 20 18 6M14 4h6v6zM4 15v5h5',
  tool: 'M14 6a4 4 0 0 0 4.8 5L21 13l-8 8-3-3 2-2-7-7a3 3 0 0 1 4-4l3 3z',
  treasure: 'M6 4h12l3 5-9 11L3 9zM3 9h18M9 9l3 11 3-11',
  coin: 'M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z',
};

/** A thing's picture; a bag where the kind is none of these. */
export const Thing = ({ kind }) => html`<svg class="icon thing" viewBox="0 0 24 24" aria-hidden="true" data-kind=${kind}><path d=${KINDS[kind] ?? 'M8 8c-4 4-5 12 0 12h8c5 0 4-8 0-12zM8 8h8M9 4h6l-1 4h-4z'} /></svg>`;

// Where the label with the model number is, drawn for the appliance; shown while the number is asked for.

import { html } from '../../vendor/preact.js';

/** The body, its open door, and the label's place in a picture of 120 by 90. */
const DRAWN = {
  dishwasher: { body: 'M30 8h60v52H30z M36 14h48v46H36z', door: 'M30 60h60l10 20H20z', at: [33, 40] },
  refrigerator: { body: 'M44 6h44v78H44z M49 11h34v30H49z M49 47h34v32H49z', door: 'M44 6L24 14v34l20-4z', at: [53, 17] },
};

export function Label({ appliance, t }) {
  const drawn = DRAWN[appliance];
  if (!drawn) return null;
  const [x, y] = drawn.at;
  return html`
    <figure class="label-place">
      <svg viewBox="0 0 120 90" aria-hidden="true"><path d=${drawn.body} /><path d=${drawn.door} /><circle cx=${x} cy=${y} r="8" /><rect x=${x - 3.5} y=${y - 2.5} width="7" height="5" /></svg>
      <figcaption>${t(`label.${appliance}`)}</figcaption>
    </figure>`;
}

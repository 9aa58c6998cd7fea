// Where the label with the model number is, drawn for the appliance; shown while the number is asked for.

import { html } from '../../vendor/preact.js';

/** For each appliance its body, what opens of it, and the label's place, in a picture of 120 by 90. */
export const DRAWN = {
  dishwasher: { body: 'M30 8h60v52H30z M36 14h48v46H36z', door: 'M30 60h60l10 20H20z', at: [33, 40] },
  refrigerator: { body: 'M44 6h44v78H44z M49 11h34v30H49z M49 47h34v32H49z', door: 'M44 6L24 14v34l20-4z', at: [53, 17] },
  freezer: { body: 'M44 6h44v78H44z M49 11h34v68H49z M49 33h34 M49 56h34', door: 'M44 6L24 14v64l20 6z', at: [54, 18] },
  'ice maker': { body: 'M38 18h54v60H38z M44 24h42v36H44z M52 46h8v8h-8z M66 48h8v8h-8z M59 36h8v8h-8z', door: 'M38 18L22 26v44l16 8z', at: [48, 31] },
  washer: { body: 'M34 8h52v74H34z M34 22h52 M40 15h10 M60 32a20 20 0 1 0 .1 0z', door: 'M40 52C26 40 18 44 18 54s10 12 24 6', at: [76, 34] },
  dryer: { body: 'M34 8h52v74H34z M34 22h52 M76 15h4 M44 32h34v36H44z', door: 'M44 32L24 40v36l20-8z', at: [72, 64] },
  range: { body: 'M30 12h60v70H30z M30 26h60 M38 19h6 M54 19h6 M70 19h6 M36 32h48v24H36z', door: 'M36 56h48l8 14H28z', at: [33, 40] },
  microwave: { body: 'M26 24h78v44H26z M34 30h46v32H34z M88 34h8 M88 42h8 M88 50h8', door: 'M34 30L14 38v34l20-10z', at: [39, 37] },
  'range hood': { body: 'M48 6h24v24l28 22v12H20V52l28-22z', door: 'M28 64h30v8H28z M62 64h30v8H62z', at: [60, 57] },
  'garbage disposal': { body: 'M42 10h36v8H42z M46 18h28c9 14 9 36 0 50H46c-9-14-9-36 0-50z M72 34h14v40', door: 'M24 10h72', at: [58, 48] },
  'trash compactor': { body: 'M34 6h52v78H34z M34 20h52 M54 13h12', door: 'M34 26h52l8 10v38H26V36z M26 36h68', at: [30, 56] },
  'air conditioner': { body: 'M16 26h76v42H16z M92 26l12-8v42l-12 8z M16 26l12-8h76', door: 'M24 34h46v26H24z M24 41h46 M24 48h46 M24 54h46', at: [98, 42] },
  dehumidifier: { body: 'M38 8h44v74H38z M46 16h28 M46 22h28 M46 28h28 M44 42h32v32H44z', door: 'M52 52h36v28H52z M62 58h14', at: [50, 47] },
  'wine cooler': { body: 'M44 6h42v78H44z M49 11h32v68H49z M49 30h32 M49 47h32 M49 64h32', door: 'M44 6L24 14v64l20 6z', at: [54, 18] },
};

export function Label({ appliance, t }) {
  const drawn = DRAWN[appliance];
  if (!drawn) return null;
  const [x, y] = drawn.at;
  return html`
    <figure class="label-place" data-appliance=${appliance}>
      <svg viewBox="0 0 120 90" aria-hidden="true"><path d=${drawn.body} /><path class="opens" d=${drawn.door} /><circle cx=${x} cy=${y} r="8" /><rect x=${x - 3.5} y=${y - 2.5} width="7" height="5" /></svg>
      <figcaption>${t(`label.${appliance}`)}</figcaption>
    </figure>`;
}

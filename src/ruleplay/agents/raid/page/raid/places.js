// Where everybody was at a moment of a pull, from above; nothing where the log has no places.

import { html, useEffect, useRef } from '../../vendor/preact.js';
import { clock } from './figures.js';
import { classColour } from './lanes.js';
import { usePlaces } from './reports.js';

const SIZE = 420;
const EDGE = 16;

export function Places({ of, at, t }) {
  const { value } = usePlaces(of);
  return value?.movers?.length > 1 ? html`<${Field} value=${value} at=${at ?? 0} t=${t} />` : null;
}

function Field({ value, at, t }) {
  const canvas = useRef();
  const alive = value.movers.filter((one) => !one.boss && (one.died_at === null || one.died_at > at)).length;
  useEffect(() => draw(canvas.current, value, at), [value, at]);
  return html`
    <section class="places" aria-labelledby="places-title">
      <h3 id="places-title">${t('places')}</h3>
      <canvas ref=${canvas} width=${SIZE} height=${SIZE} role="img" aria-label=${`${t('places')}: ${t('places.at', clock(at), alive)}`}></canvas>
    </section>`;
}

/** Where somebody was last seen up to a time, or is first seen; on the way to where they are seen next. */
export function placeAt(path, step, at) {
  const next = path.findIndex(([moment]) => moment * step > at);
  const last = path.at(next < 0 ? -1 : next - 1);
  if (next === 0) return path[0].slice(1);
  const [moment, x, y] = last;
  const then = next < 0 ? null : path[next];
  const gap = then ? (then[0] - moment) * step : 0;
  // Who was not seen for long may have gone any way.
  if (!then || gap > 5) return [x, y];
  const part = (at - moment * step) / gap;
  return [x + (then[1] - x) * part, y + (then[2] - y) * part];
}

function draw(canvas, { movers, step }, at) {
  const pen = canvas?.getContext('2d');
  if (!pen) return;
  const looks = getComputedStyle(canvas);
  const all = movers.flatMap((one) => one.path);
  const [xs, ys] = [all.map((one) => one[1]), all.map((one) => one[2])];
  const [left, low] = [Math.min(...xs), Math.min(...ys)];
  const span = Math.max(10, Math.max(...xs) - left, Math.max(...ys) - low);
  // The game's x points north and its y west.
  const to = ([x, y]) => [SIZE - EDGE - ((y - low) / span) * (SIZE - 2 * EDGE), SIZE - EDGE - ((x - left) / span) * (SIZE - 2 * EDGE)];
  pen.clearRect(0, 0, SIZE, SIZE);
  for (const one of movers) {
    const [x, y] = to(placeAt(one.path, step, at));
    const dead = one.died_at !== null && one.died_at <= at;
    pen.globalAlpha = dead ? 0.35 : 1;
    pen.beginPath();
    pen.arc(x, y, one.boss ? 10 : 5.5, 0, 2 * Math.PI);
    pen.fillStyle = one.boss ? '#d1495b' : colourOf(one.class);
    pen.fill();
    pen.strokeStyle = looks.color;
    pen.stroke();
    if (dead) cross(pen, x, y);
    if (one.boss) name(pen, one.name, x, y, looks.color);
  }
  pen.globalAlpha = 1;
}

const colourOf = (name) => {
  const colour = classColour(name);
  return colour.startsWith('#') ? colour : '#888888';
};

function cross(pen, x, y) {
  pen.beginPath();
  pen.moveTo(x - 4, y - 4);
  pen.lineTo(x + 4, y + 4);
  pen.moveTo(x + 4, y - 4);
  pen.lineTo(x - 4, y + 4);
  pen.stroke();
}

function name(pen, text, x, y, colour) {
  pen.font = '12px sans-serif';
  pen.textAlign = 'center';
  pen.fillStyle = colour;
  pen.fillText(text, x, y - 14);
}

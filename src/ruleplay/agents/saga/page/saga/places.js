// A parchment map that draws itself as one walks: places stand where they lie, ways are inked when they are known.

import { html } from '../../vendor/preact.js';
import { numberOf } from '../../pictures/portrait.js';

const WIDTH = 420;
const HEIGHT = 300;
const EDGE = 54;

export function Places({ map, held, t, say, busy }) {
  const at = Object.fromEntries(map.places.map((place) => [place.id, spot(place)]));
  const near = map.ways.filter((way) => way.from === map.here).map((way) => map.places.find((place) => place.id === way.to));
  const ways = map.ways.filter((way) => way.from < way.to || !map.ways.some((back) => back.from === way.to && back.to === way.from));
  const visited = new Set(map.places.filter((place) => place.visited).map((place) => place.id));
  return html`
    <section class="part places" aria-labelledby="saga-map">
      <h3 id="saga-map">${t('map')}</h3>
      <svg class="parchment" viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${t('map-of', map.places.map((place) => place.name))}>
        <path class="sheet" d=${torn()} />
        ${strokes(map.places).map((d, place) => html`<path key=${place} class="land" d=${d} />`)}
        ${ways.map((way) => html`<path key=${`${way.from} ${way.to}`} class=${`way${visited.has(way.from) && visited.has(way.to) ? ' walked' : ''}`} pathLength="100" d=${bent(at[way.from], at[way.to], way.from + way.to)} />`)}
        ${map.places.map((place) => html`
          <g key=${place.id} class=${place.id === map.here ? 'here' : place.visited ? 'seen' : 'unknown'} transform=${`translate(${at[place.id].x} ${at[place.id].y})`}>
            ${place.visited || place.id === map.here ? html`<path class="mark" d="M-8 6V-3l8-7 8 7v9z" />` : html`<circle class="mark" r="6" />`}
            ${place.id === map.here && html`<circle class="ring" r="15" />`}
            <${Label} spot=${labelled(place, at, ways)} name=${short(place.name)} />
          </g>`)}
      </svg>
      ${held === 'held.fight' && html`<p class="hint">${t(held)}</p>`}
      <ul class="hints">${!held && near.map((place) => html`<li key=${place.id}><button type="button" disabled=${busy} onClick=${() => say(t('go', place.name))}>→ ${place.name}</button></li>`)}</ul>
    </section>`;
}

const Label = ({ spot: { dx, dy, anchor }, name }) => html`<text x=${dx} y=${dy} text-anchor=${anchor}>${name}</text>`;

/** Where a name may stand beside its place, the likeliest first: its middle or end, and how it is anchored. */
const SPOTS = [[0, 24, 'middle'], [0, -18, 'middle'], [20, 4, 'start'], [-20, 4, 'end']];
const LETTER = 6.6;
const STEPS = [0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1];

/** The spot where fewest ways and places run through a place's name. */
function labelled(place, at, ways) {
  const wide = short(place.name).length * LETTER;
  const { x, y } = at[place.id];
  const others = Object.keys(at).filter((id) => id !== place.id).map((id) => at[id]);
  const drawn = ways.flatMap((way) => STEPS.map((part) => along(at[way.from], at[way.to], way.from + way.to, part)));
  const costs = SPOTS.map(([dx, dy, anchor]) => {
    const left = x + dx - { start: 0, middle: wide / 2, end: wide }[anchor];
    const covers = (point) => point.x > left - 4 && point.x < left + wide + 4 && Math.abs(point.y - (y + dy - 4)) < 11;
    const out = left < 8 || left + wide > WIDTH - 8 || y + dy > HEIGHT - 10 ? 9 : 0;
    return out + drawn.filter(covers).length + 2 * others.filter(covers).length;
  });
  const [dx, dy, anchor] = SPOTS[costs.indexOf(Math.min(...costs))];
  return { dx, dy, anchor };
}

const short = (name) => (name.length > 22 ? `${name.slice(0, 21)}…` : name);

/** Coordinates come from the scenario's whole map, so that no place ever moves. */
function spot({ id, at }) {
  const [x, y] = at ?? [(numberOf(id) % 1000) / 1000, ((numberOf(id) >>> 10) % 1000) / 1000];
  return { x: Math.round(EDGE + x * (WIDTH - 2 * EDGE)), y: Math.round(EDGE - 16 + y * (HEIGHT - 2 * EDGE)) };
}

/** Where the hand pulls a way to: bent a little, always the same. */
function pulled(from, to, name) {
  const bend = ((numberOf(name) % 100) / 100 - 0.5) * 0.5;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return { x: (from.x + to.x) / 2 - dy * bend, y: (from.y + to.y) / 2 + dx * bend };
}

function bent(from, to, name) {
  const middle = pulled(from, to, name);
  return `M${from.x} ${from.y}Q${middle.x} ${middle.y} ${to.x} ${to.y}`;
}

/** A point of a way, `part` of it gone. */
function along(from, to, name, part) {
  const middle = pulled(from, to, name);
  const on = (axis) => (1 - part) ** 2 * from[axis] + 2 * part * (1 - part) * middle[axis] + part ** 2 * to[axis];
  return { x: on('x'), y: on('y') };
}

function torn() {
  const points = [];
  const wave = (n) => ((numberOf(`edge ${n}`) % 9) - 4);
  for (let x = 6; x < WIDTH - 6; x += 24) points.push([x, 7 + wave(x)]);
  for (let y = 8; y < HEIGHT - 6; y += 24) points.push([WIDTH - 7 + wave(y + 1), y]);
  for (let x = WIDTH - 8; x > 6; x -= 24) points.push([x, HEIGHT - 7 + wave(x + 2)]);
  for (let y = HEIGHT - 8; y > 6; y -= 24) points.push([7 + wave(y + 3), y]);
  return `M${points.map((point) => point.join(' ')).join('L')}Z`;
}

/** Hills and trees beside the places, by their names. */
function strokes(places) {
  return places.flatMap((place) => {
    const number = numberOf(place.id);
    const { x, y } = spot(place);
    const [hx, hy] = [x + 24 + (number % 26), y - 22 - ((number >>> 6) % 14)];
    return number % 2
      ? [`M${hx - 12} ${hy}q6-13 12 0M${hx - 3} ${hy}q7-16 15 0`]
      : [`M${hx} ${hy}v-5l-5 0 5-10 5 10-5 0M${hx + 13} ${hy + 3}v-5l-5 0 5-10 5 10-5 0`];
  });
}

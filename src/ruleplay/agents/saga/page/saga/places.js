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
            <text y="24" text-anchor="middle">${short(place.name)}</text>
          </g>`)}
      </svg>
      ${held === 'held.fight' && html`<p class="hint">${t(held)}</p>`}
      <ul class="hints">${!held && near.map((place) => html`<li key=${place.id}><button type="button" disabled=${busy} onClick=${() => say(t('go', place.name))}>→ ${place.name}</button></li>`)}</ul>
    </section>`;
}

const short = (name) => (name.length > 22 ? `${name.slice(0, 21)}…` : name);

/** Coordinates come from the scenario's whole map, so that no place ever moves. */
function spot({ id, at }) {
  const [x, y] = at ?? [(numberOf(id) % 1000) / 1000, ((numberOf(id) >>> 10) % 1000) / 1000];
  return { x: Math.round(EDGE + x * (WIDTH - 2 * EDGE)), y: Math.round(EDGE - 16 + y * (HEIGHT - 2 * EDGE)) };
}

/** A way as a hand draws it: bent a little, always the same. */
function bent(from, to, name) {
  const bend = ((numberOf(name) % 100) / 100 - 0.5) * 0.5;
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  return `M${from.x} ${from.y}Q${(from.x + to.x) / 2 - dy * bend} ${(from.y + to.y) / 2 + dx * bend} ${to.x} ${to.y}`;
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

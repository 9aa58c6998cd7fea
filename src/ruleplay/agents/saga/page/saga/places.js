// The places that were seen, as a graph on a circle; those that can be reached are buttons below it.

import { html } from '../../vendor/preact.js';

const SIZE = 300;
const RADIUS = 96;

export function Places({ map, t, say, busy }) {
  if (map.places.length < 2) return null;
  const at = positions(map.places);
  const near = map.ways.filter((way) => way.from === map.here).map((way) => map.places.find((place) => place.id === way.to));
  return html`
    <section class="part places" aria-labelledby="saga-map">
      <h3 id="saga-map">${t('map')}</h3>
      <svg viewBox=${`0 0 ${SIZE} ${SIZE}`} role="img" aria-label=${t('map-of', map.places.map((place) => place.name))}>
        ${map.ways.map((way) => html`<line key=${`${way.from}-${way.to}`} x1=${at[way.from].x} y1=${at[way.from].y} x2=${at[way.to].x} y2=${at[way.to].y} />`)}
        ${map.places.map((place) => html`
          <g key=${place.id} class=${place.id === map.here ? 'here' : place.visited ? 'seen' : 'unseen-place'}>
            <circle cx=${at[place.id].x} cy=${at[place.id].y} r="9" />
            <text x=${at[place.id].x} y=${at[place.id].y - 14} text-anchor="middle">${place.name}</text>
          </g>`)}
      </svg>
      <ul class="hints">${near.map((place) => html`<li key=${place.id}><button type="button" disabled=${busy} onClick=${() => say(t('go', place.name))}>→ ${place.name}</button></li>`)}</ul>
    </section>`;
}

function positions(places) {
  return Object.fromEntries(places.map((place, index) => {
    const angle = (2 * Math.PI * index) / places.length - Math.PI / 2;
    const [x, y] = [Math.cos(angle), Math.sin(angle)].map((part) => Math.round(SIZE / 2 + RADIUS * part));
    return [place.id, { x, y }];
  }));
}

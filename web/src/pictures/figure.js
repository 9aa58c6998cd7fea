// A creature: its picture where set-up has fetched one, else a silhouette of its own in the colour of its first type.

import { html, useState } from '../vendor/preact.js';
import { numberOf } from './portrait.js';
import { useSprite } from './sprites.js';

const HUES = { normal: 40, fire: 14, water: 215, electric: 48, grass: 110, ice: 190, fighting: 5, poison: 290, ground: 35, flying: 230, psychic: 330, bug: 75, rock: 42, ghost: 265, dragon: 250, dark: 25, steel: 210, fairy: 325 };
const BODIES = [
  'M50 90c-22 0-32-12-30-28 2-18 14-26 30-26s28 8 30 26c2 16-8 28-30 28z',
  'M22 88c-6-20 4-40 26-42 24-2 36 14 32 30-2 10-8 14-16 14z',
  'M40 92c-14-6-18-22-12-38 4-12 12-18 22-18s18 6 22 18c6 16 2 32-12 38z',
];
const EARS = ['M34 42 26 14l20 18zM66 42l8-28-20 18z', 'M30 46C18 34 18 22 24 12c4 12 10 18 18 22zM70 46c12-12 12-24 6-34-4 12-10 18-18 22z', 'M50 36c-4-10-2-18 0-24 2 6 4 14 0 24z', ''];
const TAILS = ['M76 74c14 0 20-8 18-22 10 14 4 32-14 32z', 'M74 80l22-4-10 10 8 6-20-2z', 'M22 70C8 66 4 54 10 44c2 12 8 16 16 18z', ''];

export function Figure({ name, species = '', types = [] }) {
  const sprite = useSprite(species, name);
  const [missing, miss] = useState('');
  if (sprite && sprite !== missing) return html`<img class="figure sprite" src=${sprite} alt="" width="68" height="56" onError=${() => miss(sprite)} />`;
  return html`<${Silhouette} name=${name} types=${types} />`;
}

function Silhouette({ name, types }) {
  const number = numberOf(name);
  const hue = HUES[String(types[0] ?? '').toLowerCase()] ?? number % 360;
  return html`
    <svg class="figure" viewBox="0 0 100 100" aria-hidden="true">
      <ellipse cx="50" cy="92" rx="40" ry="7" fill=${`hsl(${hue} 20% 40% / 0.3)`} />
      <g fill=${`hsl(${hue} 48% 46%)`}>
        <path d=${TAILS[(number >>> 7) % TAILS.length]} /><path d=${EARS[(number >>> 3) % EARS.length]} /><path d=${BODIES[number % BODIES.length]} />
      </g>
      <circle cx="42" cy="56" r="4" fill="#fff" /><circle cx="60" cy="56" r="4" fill="#fff" /><circle cx="43" cy="57" r="2" fill="#1b1720" /><circle cx="61" cy="57" r="2" fill="#1b1720" />
    </svg>`;
}

// Lanes of marks over a pull's time: a player's casts, cooldowns, the boss's abilities. A mark leads to its line.

import { html } from '../../vendor/preact.js';
import { clock } from './figures.js';

const GAP = 7;

/** Marks that would lie on each other become one, which says all of them. */
export function gathered(marks, x) {
  const found = [];
  for (const mark of marks) {
    const place = x(mark.at);
    const last = found.at(-1);
    if (last && place - last.x < GAP) last.marks.push(mark);
    else found.push({ x: place, marks: [mark] });
  }
  return found;
}

const said = (mark) => `${clock(mark.at)} ${mark.ability}${mark.target && mark.target !== mark.source ? ` → ${mark.target}` : ''}`;

/** Arrows lead from mark to mark, so that a lane is one stop of the Tab key. */
function step(event, choose) {
  const next = { ArrowRight: 'nextElementSibling', ArrowLeft: 'previousElementSibling' }[event.key];
  if (next) event.currentTarget[next]?.focus();
  else if (event.key === 'Enter' || event.key === ' ') choose();
  else return;
  event.preventDefault();
}

/** One lane: `top` is where it begins; `open` hears the line of a mark. */
export function Marks({ name, marks, x, top, high, colour, open, who = true }) {
  return html`<g class=${`marks ${name}`}>${gathered(marks, x).map(({ x: at, marks: here }, place) => {
    const label = here.map((mark) => (who ? `${said(mark)} (${mark.source})` : said(mark))).join('\n');
    const choose = () => open(here[0].line, here.at(-1).line);
    return html`<g key=${here[0].line} class="cast" role="button" tabindex=${place ? -1 : 0} aria-label=${label} transform=${`translate(${at.toFixed(1)} ${top})`} onClick=${choose} onKeyDown=${(event) => step(event, choose)}><title>${label}</title><rect class="reach" x="-6" y="0" width="12" height=${high} /><rect x="-2" y="4" width=${here.length > 1 ? 5 : 3} height=${high - 8} rx="1.5" style=${colour ? `fill: ${colour}` : ''} /></g>`;
  })}</g>`;
}

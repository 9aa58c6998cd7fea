// The saga's side of the page: the scene, the fight, the hero, what they carry, and the way so far.

import { html } from '../vendor/preact.js';
import { Fight } from './saga/fight.js';
import { Dice } from './saga/dice.js';
import { Hero } from './saga/hero.js';
import { Places } from './saga/places.js';
import { words } from './saga/words.js';
import { Portrait } from '../pictures/portrait.js';

export { words };
export { start } from './saga/start.js';
export { Front } from './saga/creation.js';
export { describe } from './saga/describe.js';
export const starts = true;
export const stylesheet = new URL('./saga/saga.css', import.meta.url).href;

export function View({ view, turns, t, say, busy }) {
  return html`
    <div class="saga">
      <${Scene} view=${view} t=${t} />
      ${view.combat && html`<${Fight} combat=${view.combat} t=${t} />`}
      <${Dice} turns=${turns} names=${namesIn(view, turns)} t=${t} />
      <${Places} map=${view.map} held=${heldBy(view)} t=${t} say=${say} busy=${busy} />
      <${Hero} sheet=${view.sheet} inventory=${view.inventory} t=${t} />
      <${Journal} lines=${view.journal} t=${t} />
    </div>`;
}

function Scene({ view, t }) {
  return html`
    <section class="part" aria-labelledby="saga-scene">
      <h3 id="saga-scene">${view.title}</h3>
      <p class="place">${view.scene.name}${view.scene.threat && html` <span class="threat">${t('threat')}</span>`}</p>
      <${Faces} persons=${view.scene.persons} />
      ${view.company?.length > 0 && html`<div class="company"><p class="facts">${t('company')}</p><${Faces} persons=${view.company.map((name) => ({ name }))} /></div>`}
      ${view.ending && html`<p class="ending">${t('ending')}: ${view.ending.name}</p>`}
      ${view.dead && html`<p class="threat">${t('dead')}</p>`}
    </section>`;
}

function Faces({ persons }) {
  if (!persons.length) return null;
  return html`<ul class="faces">${persons.map((one) => html`<li key=${one.id ?? one.name}><span class="face"><${Portrait} name=${one.name} /></span>${one.name}</li>`)}</ul>`;
}

function Journal({ lines, t }) {
  if (!lines.length) return null;
  return html`
    <details class="part journal">
      <summary><h3>${t('journal')} (${lines.length})</h3></summary>
      <ol>${lines.map((line, at) => html`<li key=${at}>${line}</li>`)}</ol>
    </details>`;
}

/** Why nobody walks on now: who flees a fight does not choose where to, and who fell walks nowhere. */
function heldBy(view) {
  if (view.combat) return 'held.fight';
  return view.dead || view.ending || view.sheet.hp <= 0 ? 'held.down' : '';
}

/** Who is who in the fights so far, for dice whose events carry ids alone; a later fight's names hold. */
function namesIn(view, turns) {
  const known = { hero: view.sheet.name };
  for (const { type, fight } of turns.flatMap((turn) => turn.events)) {
    if (type !== 'CombatTriggered') continue;
    for (const one of fight.combatants) if (one.id !== 'hero') known[one.id] = one.name[view.lang] ?? one.name;
  }
  for (const one of view.combat?.order ?? []) known[one.id] = one.name;
  return known;
}

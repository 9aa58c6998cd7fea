// The initiative: who moves, who still stands, and how well.

import { html } from '../../vendor/preact.js';
import { Portrait } from '../../pictures/portrait.js';

const OURS = ['hero', 'party', 'ally', 'player'];

export function Fight({ combat, t }) {
  return html`
    <section class="part fight" aria-labelledby="saga-fight">
      <h3 id="saga-fight">${t('fight', combat.round)}</h3>
      <ol class="order">${combat.order.map((one) => html`<li key=${one.id} class=${className(one)} aria-current=${one.moves ? 'true' : undefined}><${Fighter} one=${one} t=${t} /></li>`)}</ol>
      <p class="facts">${t('left', combat.left.map((cost) => t(`cost.${cost}`)))}</p>
    </section>`;
}

function className(one) {
  return [one.side, one.moves && 'moves', (!one.alive || one.fled) && 'out'].filter(Boolean).join(' ');
}

function Fighter({ one, t }) {
  const state = one.fled ? t('fled') : one.alive ? `${one.hp}/${one.max_hp}` : t('fallen');
  return html`
    <span class=${`face${one.moves ? ' moves' : ''}`}><${Portrait} name=${one.name} side=${OURS.includes(one.side) || one.id === 'hero' ? '' : 'foe'} /></span>
    <span class="name">${one.name}</span>
    <meter class="hp" min="0" max=${one.max_hp} low=${one.max_hp * 0.34} high=${one.max_hp * 0.67} optimum=${one.max_hp} value=${one.fled ? 0 : one.hp} aria-label=${t('hp-of', one.name)}></meter>
    <span class="points">${state}</span>
    <span class="facts">${[one.weapon, one.far && t('far'), ...one.statuses.map((status) => t(`status.${status.kind}`))].filter(Boolean).join(' · ')}</span>`;
}

// The initiative: who moves, who still stands, and how well; hit points of foes stay the DM's.

import { html } from '../../vendor/preact.js';
import { Portrait } from '../../pictures/portrait.js';
import { TokenGrid } from '../../pictures/tokens.js';

export function Fight({ combat, t }) {
  return html`
    <section class="part fight" aria-labelledby="party-fight">
      <h3 id="party-fight">${t('fight', combat.round)}</h3>
      <${TokenGrid} order=${combat.order} label=${t('grid')} t=${t} />
      <ol class="order">${combat.order.map((one) => html`<li key=${one.id} class=${className(one)} aria-current=${one.actor ? 'true' : undefined}><${Fighter} one=${one} t=${t} /></li>`)}</ol>
    </section>`;
}

/** A word of the rules in the reader's language, which may not be the table's; any other as it came. */
export const named = (key, t, otherwise) => (t.has(key) ? t(key) : otherwise);

function className(one) {
  const out = one.gone || one.health === 'dead';
  return [one.side, one.actor && 'moves', out && 'out'].filter(Boolean).join(' ');
}

function Fighter({ one, t }) {
  const facts = [
    one.gone && t('gone'),
    one.distance !== null && one.distance > 0 && t('feet', one.distance),
    ...one.conditions.map((condition) => named(`condition.${condition.key}`, t, condition.name)),
  ];
  return html`
    <span class="initiative"><span class="unseen">${t('initiative')} </span>${one.initiative}</span>
    <span class="face"><${Portrait} name=${one.name} side=${one.seat ? '' : 'foe'} colour=${one.color ?? ''} /></span>
    <span class="name">${one.name}</span>
    ${one.hp === null ? html`<span class="points">${t(`health.${one.health}`)}</span>` : html`<${HitPoints} one=${one} t=${t} />`}
    <span class="facts">${facts.filter(Boolean).join(' · ')}</span>`;
}

/** Hit points as a bar and a number. */
export function HitPoints({ one, t }) {
  const { hp, max_hp: most, name } = one;
  return html`
    <span class="hit-points">
      <meter class="hp" min="0" max=${most} low=${most * 0.34} high=${most * 0.67} optimum=${most} value=${hp} aria-label=${t('hp-of', name)}></meter>
      <span class="points">${hp}/${most}${one.temp ? ` +${one.temp}` : ''}</span>
    </span>`;
}

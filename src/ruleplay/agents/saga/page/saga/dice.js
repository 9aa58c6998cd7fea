// The dice of the last turn that threw any: each opens to formula, natural face and draw.

import { html } from '../../vendor/preact.js';

export function Dice({ turns, names, t }) {
  const turn = turns.findLast((one) => one.events.some((event) => rollsOf(event, names, t).length));
  if (!turn) return null;
  const rolls = turn.events.flatMap((event) => rollsOf(event, names, t));
  return html`
    <section class="part dice" aria-labelledby="saga-dice">
      <h3 id="saga-dice">${t('dice')}</h3>
      <ul>${rolls.map(({ roll, what }) => html`<li key=${roll.index}><${Die} roll=${roll} what=${what} t=${t} /></li>`)}</ul>
    </section>`;
}

function Die({ roll, what, t }) {
  return html`
    <details class=${`die ${roll.natural >= 95 ? 'critical' : roll.natural <= 5 ? 'fumble' : ''}`}>
      <summary><b>${total(roll)}</b> <span>${what}</span></summary>
      <p class="facts">${t('formula', formula(roll), roll.natural, roll.index)}</p>
    </details>`;
}

export const total = (roll) => roll.natural + roll.modifier + roll.edge;

const signed = (number) => (number ? `${number > 0 ? '+' : '−'}${Math.abs(number)}` : '');

export const formula = (roll) => `1d100${signed(roll.modifier)}${signed(roll.edge)}`;

/** Return the rolls of an event, with what each was for. */
function rollsOf(event, names, t) {
  const name = (id) => names[id] ?? id;
  if (event.type === 'Attacked') {
    return [
      { roll: event.attack, what: t('attack', name(event.attacker)) },
      { roll: event.defence, what: t('defence', name(event.target)) },
    ];
  }
  if (event.type === 'SkillChecked') return [{ roll: event.roll, what: t('check', event.difficulty) }];
  return event.type === 'CombatTriggered' ? event.rolls.map((roll) => ({ roll, what: t('initiative') })) : [];
}

// The dice of the last turn: each card opens to its formula, its faces, and seed and draw to throw it again.

import { html } from '../../vendor/preact.js';

export function Dice({ dice, t }) {
  if (!dice.length) return null;
  return html`
    <section class="part dice" aria-labelledby="party-dice">
      <h3 id="party-dice">${t('dice')}</h3>
      <ul>${dice.map((roll) => html`<li key=${roll.index}><${Die} roll=${roll} t=${t} /></li>`)}</ul>
    </section>`;
}

function Die({ roll, t }) {
  return html`
    <details class=${`die ${luck(roll)}`}>
      <summary><b>${roll.total}</b> <span>${roll.name}: ${purpose(roll.what, t)}</span></summary>
      <p class="facts">${t('formula', roll.formula, roll.faces.join(', '), roll.kept.join(', '))}</p>
      <p class="facts">${t('seed', roll.seed, roll.index)}</p>
    </details>`;
}

/** Whether a single kept d20 came up as its best or its worst. */
function luck({ formula, kept }) {
  if (!/d20\b/.test(formula) || kept.length !== 1) return '';
  return { 20: 'critical', 1: 'fumble' }[kept[0]] ?? '';
}

/** What a roll was for: `kind` or `kind:key`. */
function purpose(what, t) {
  const [kind, key] = what.split(':');
  const told = t.has(`for.${kind}`) ? t(`for.${kind}`) : spaced(kind);
  return key ? `${told} (${spaced(key)})` : told;
}

const spaced = (what) => what.replaceAll('_', ' ').replaceAll('-', ' ');

// What the battle taught: the plan, deductions with their evidence, what they may carry, the log.

import { html } from '../../vendor/preact.js';
import { percent } from './frames.js';
import { reasonTold } from './phrases.js';
import { turnsIn } from './told.js';

export function Memory({ view, t }) {
  const deductions = view.memory?.deductions ?? [];
  const guessed = (view.board?.theirs.team ?? []).filter((mon) => mon.sets.length > 0 && !mon.fainted);
  const us = view.board?.ours.team[0]?.ident.slice(0, 2) ?? 'p1';
  const lines = turnsIn((view.log ?? []).map((line) => `|${line}`), us, t).flatMap(({ turn, lines: told }) => (turn ? told.map((line) => `${turn} · ${line}`) : told));
  return html`
    ${view.assessment && html`<${Fold} title=${t('assessment', view.assessed)} open=${true}><p>${view.assessment}</p><//>`}
    ${guessed.length > 0 && html`<${Fold} title=${t('sets')}><ul class="sets">${guessed.map((mon) => html`<li key=${mon.ident}><${Guess} mon=${mon} names=${view.names ?? {}} t=${t} /></li>`)}</ul><//>`}
    ${deductions.length > 0 && html`<${Fold} title=${t('deductions', deductions.length)}><ul class="deductions">${deductions.map((one, at) => html`<li key=${at}><span>${reasonTold(one.says, t)}</span> <span class="facts">${[one.evidence].flat().filter(Boolean).map((why) => reasonTold(why, t)).join('; ')}</span></li>`)}</ul><//>`}
    ${view.strategy && html`<${Fold} title=${t('strategy')}><p class="text">${reasonTold(view.strategy, t)}</p><//>`}
    ${lines.length > 0 && html`<${Fold} title=${t('log', lines.length)}><ol class="log">${lines.map((line, at) => html`<li key=${at}>${line}</li>`)}</ol><//>`}`;
}

function Fold({ title, open = false, children }) {
  return html`<details class="part fold" open=${open}><summary><h3>${title}</h3></summary>${children}</details>`;
}

function Guess({ mon, names, t }) {
  const written = (id) => names[id] ?? id;
  return html`
    <p><b>${mon.name}</b>${mon.sets_note && html` <span class="facts">${reasonTold(mon.sets_note, t)}</span>`}</p>
    <ol>${mon.sets.slice(0, 3).map(({ set, chance }, at) => html`
      <li key=${at}><span class="amount">${t('percent', percent(chance))}</span> ${[set.item && written(set.item), set.ability && written(set.ability), set.tera && `${t('tera')} ${t(`type.${set.tera}`)}`].filter(Boolean).join(' · ')} <span class="facts">${set.moves.map(written).join(', ')}</span></li>`)}</ol>`;
}

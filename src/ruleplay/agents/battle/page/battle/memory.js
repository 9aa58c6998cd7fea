// What the battle taught: the plan, deductions with their evidence, what they may carry, the log.

import { html } from '../../vendor/preact.js';
import { percent } from './frames.js';

export function Memory({ view, t }) {
  const deductions = view.memory?.deductions ?? [];
  const guessed = (view.board?.theirs.team ?? []).filter((mon) => mon.sets.length > 0 && !mon.fainted);
  return html`
    ${view.assessment && html`<${Fold} title=${t('assessment', view.assessed)} open=${true}><p>${view.assessment}</p><//>`}
    ${guessed.length > 0 && html`<${Fold} title=${t('sets')}><ul class="sets">${guessed.map((mon) => html`<li key=${mon.ident}><${Guess} mon=${mon} names=${view.names ?? {}} t=${t} /></li>`)}</ul><//>`}
    ${deductions.length > 0 && html`<${Fold} title=${t('deductions', deductions.length)}><ul class="deductions">${deductions.map((one, at) => html`<li key=${at}><span>${one.says}</span> <span class="facts">${[one.evidence].flat().filter(Boolean).join('; ')}</span></li>`)}</ul><//>`}
    ${view.strategy && html`<${Fold} title=${t('strategy')}><p class="text">${view.strategy}</p><//>`}
    ${view.log?.length > 0 && html`<${Fold} title=${t('log', view.log.length)}><ol class="log">${view.log.map((line, at) => html`<li key=${at}>${line}</li>`)}</ol><//>`}`;
}

function Fold({ title, open = false, children }) {
  return html`<details class="part fold" open=${open}><summary><h3>${title}</h3></summary>${children}</details>`;
}

function Guess({ mon, names, t }) {
  const written = (id) => names[id] ?? id;
  return html`
    <p><b>${mon.name}</b>${mon.sets_note && html` <span class="facts">${mon.sets_note}</span>`}</p>
    <ol>${mon.sets.slice(0, 3).map(({ set, chance }, at) => html`
      <li key=${at}><span class="amount">${percent(chance)} %</span> ${[set.item && written(set.item), set.ability && written(set.ability), set.tera && `${t('tera')} ${set.tera}`].filter(Boolean).join(' · ')} <span class="facts">${set.moves.map(written).join(', ')}</span></li>`)}</ol>`;
}

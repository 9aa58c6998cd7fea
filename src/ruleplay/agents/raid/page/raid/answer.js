// What a tool answered, wherever it is shown: its problem, its notes, and the way to the log's lines.

import { html, useState } from '../../vendor/preact.js';
import { Loading, Trouble } from '../../components/notices.js';
import { RawLines } from './lines.js';

/** Shows `children(value)` once the answer is there. */
export function Answer({ answer, t, children, quiet = false }) {
  const { value, problem, asking } = answer;
  if (problem) return html`<${Trouble} problem=${problem} />`;
  if (asking || !value) return html`<${Loading} lines=${3} />`;
  if (value.problem) return html`<p class="hint">${value.problem}</p>`;
  return html`${children(value)}${!quiet && html`<${Provenance} result=${value} t=${t} />`}`;
}

/** Where rows come from: the rules that were followed, the query, the lines of each log. */
export function Provenance({ result, t }) {
  const [opened, open] = useState(null);
  const { notes = [], query = '', lines = [], report = '', elsewhere = [] } = result;
  const logs = [[report, lines], ...elsewhere].filter(([code, ranges]) => code && ranges.length);
  if (!notes.length && !query && !logs.length) return null;
  return html`
    <details class="provenance">
      <summary>${t('provenance')}</summary>
      ${notes.length > 0 && html`<ul class="notes">${notes.map((note) => html`<li key=${note}>${note}</li>`)}</ul>`}
      ${logs.map(([code, ranges]) => html`<${Ranges} key=${code} code=${code} named=${logs.length > 1} lines=${ranges} opened=${opened} open=${open} t=${t} />`)}
      ${query && html`<details><summary>${t('query')}</summary><pre class="query" tabindex="0">${query}</pre></details>`}
      ${opened && html`<${RawLines} key=${`${opened.code} ${opened.first}`} report=${opened.code} first=${opened.first} last=${opened.last} t=${t} />`}
    </details>`;
}

const SHOWN = 12;

function Ranges({ code, named, lines, opened, open, t }) {
  const [all, showAll] = useState(false);
  const isOpen = (first) => opened?.code === code && opened.first === first;
  return html`
    <p class="ranges"><span class="facts">${t('lines')}${named && html` <code>${code}</code>`}</span>
      ${(all ? lines : lines.slice(0, SHOWN)).map(([first, last]) => html`<button key=${first} type="button" aria-expanded=${String(isOpen(first))} onClick=${() => open(isOpen(first) ? null : { code, first, last })}>${first === last ? t('line', first) : t('range', first, last)}</button>`)}
      ${!all && lines.length > SHOWN && html`<button type="button" onClick=${() => showAll(true)}>${t('ranges.all', lines.length)}</button>`}
    </p>`;
}

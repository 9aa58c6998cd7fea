// The results behind an answer: what was asked of the log, what it said, and on which lines it rests.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { spaced } from '../../components/value.js';
import { Provenance } from './answer.js';
import { Rows } from './figures.js';

/** The results of the cited turn, of the running one, or of the last one that had some. */
export function resultsOf(turns, live, cited) {
  const all = live ? [...turns, live] : turns;
  const turn = cited ? all.find((one) => one.number === cited.turn) : all.findLast((one) => returned(one).length > 0);
  return { turn, list: turn ? returned(turn) : [] };
}

const returned = (turn) => turn.events.filter((event) => event.type === 'ToolReturned');

export function Evidence({ results, cited, cite, t }) {
  const { turn, list } = results;
  if (!list.length) return html`<p class="hint">${t('evidence.none')}</p>`;
  return html`
    <section class="stack" aria-labelledby="evidence-title">
      <header class="evidence-head"><h3 id="evidence-title">${t('evidence.of', turn.number)}</h3>
        ${cited && html`<button type="button" class="quiet" onClick=${() => cite(0, null)}>${t('evidence.newest')}</button>`}</header>
      <ol class="results">${list.map((result) => html`<li key=${turn.turn + result.result}><${Result} result=${result} cited=${cited?.id === result.result ? cited : null} alone=${list.length === 1} t=${t} /></li>`)}</ol>
    </section>`;
}

function Result({ result, cited, alone, t }) {
  const [open, set] = useState(alone);
  const place = useRef();
  useEffect(() => {
    if (!cited) return;
    set(true);
    place.current.scrollIntoView({ block: 'start' });
    place.current.querySelector('button').focus({ preventScroll: true });
  }, [cited]);
  const args = Object.entries(result.args ?? {}).filter(([, value]) => value !== '' && value !== null);
  return html`
    <article ref=${place} class=${`result${cited ? ' cited' : ''}`} aria-labelledby=${`result-${result.result}`}>
      <h4 id=${`result-${result.result}`}><button type="button" aria-expanded=${String(open)} onClick=${() => set(!open)}>
        <code>${result.result}</code><span>${spaced(result.tool.replace(/^get_/, ''))}</span>
        <span class="facts">${[result.pull, result.problem ? t('result.problem') : t('rows', result.total)].filter(Boolean).join(' · ')}</span>
        <${Icon} name=${open ? 'dash' : 'plus'} /></button></h4>
      ${open && html`
        ${args.length > 0 && html`<ul class="chips">${args.map(([name, value]) => html`<li key=${name}><span class="facts">${spaced(name)}</span> ${String(value)}</li>`)}</ul>`}
        ${result.problem ? html`<p class="hint">${result.problem}</p>` : html`<${Rows} rows=${result.rows} label=${`${result.result}: ${spaced(result.tool)}`} t=${t} />`}
        ${result.total > result.rows.length && html`<p class="facts">${t('rows.kept', result.rows.length, result.total)}</p>`}
        <${Provenance} result=${result} t=${t} />`}
    </article>`;
}

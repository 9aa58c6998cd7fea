// A reviewed battle, turn by turn: what was played, what it is worth, and what else there was.

import { html, useEffect, useMemo, useState } from '../../vendor/preact.js';
import { Chart } from '../../components/chart.js';
import { percent } from './frames.js';
import { Line } from './line.js';
import { orderTold, reasonTold } from './phrases.js';

const GRADES = ['good', 'inaccuracy', 'mistake', 'blunder', 'otherwise'];
const WORSE = new Set(['inaccuracy', 'mistake', 'blunder']);

export function Review({ report, t }) {
  const [only, choose] = useState(false);
  const { turns } = report;
  const worse = turns.filter((turn) => WORSE.has(turn.grade));
  const shown = only ? worse : turns;
  // An address with a turn is followed once the turn is there; the browser looked before.
  useEffect(() => reach(decodeURIComponent(window.location.hash.slice(1))), [report.id]);
  return html`
    <section class="battle stack review" aria-labelledby="review-of">
      <h2 id="review-of" class="pairing">${t('review.of', report.player, report.opponent)}</h2>
      <p>${t('review.summary', turns.length, worse.length)}${report.accuracy !== null && report.accuracy !== undefined && ` · ${t('review.accuracy', Math.round(report.accuracy))}`}${report.winner && ` · ${t('review.winner', report.winner)}`}${!report.exact && html`<br /><span class="facts">${t('review.inexact')}</span>`}</p>
      <ul class="chips grades">${GRADES.filter((grade) => report.counts[grade]).map((grade) => html`<li key=${grade}>${WORSE.has(grade)
    ? html`<button type="button" class=${`grade ${grade}`} title=${t('review.next', t(`grade.${grade}`))} onClick=${() => jump(turns, grade)}>${t(`grade.${grade}`)} ${report.counts[grade]}</button>`
    : html`<span class=${`grade ${grade}`}>${t(`grade.${grade}`)} ${report.counts[grade]}</span>`}</li>`)}</ul>
      <${Given} turns=${turns} t=${t} />
      ${worse.length > 0 && html`<ul class="chips jumps" aria-label=${t('review.jump')}>${worse.map((turn, at) => html`<li key=${at}><a class=${`grade ${turn.grade}`} href=${`#${idOf(turn)}`} onClick=${(event) => { event.preventDefault(); jumpTo(turn); }}>${t('review.jump-to', turn.turn, t(`grade.${turn.grade}`))}</a></li>`)}</ul>`}
      ${worse.length > 0 && worse.length < turns.length && html`<label class="inline"><input type="checkbox" checked=${only} onChange=${(event) => choose(event.target.checked)} /> ${t('review.only')}</label>`}
      <ol class="stack">${shown.map((turn, at) => html`<li key=${`${turn.turn} ${at}`}><${Turn} turn=${turn} t=${t} /></li>`)}</ol>
    </section>`;
}

const idOf = (turn) => `turn-${turn.turn}${turn.forced ? '-forced' : ''}`;

/** Show a turn and put the focus there; tells whether it is on the page. */
function reach(id) {
  const article = id && document.getElementById(id);
  if (!article) return;
  article.scrollIntoView({ block: 'start' });
  article.focus({ preventScroll: true });
}

/** Go to a turn; the address then names it, to be passed on. */
function jumpTo(turn) {
  window.history.replaceState(window.history.state, '', `#${idOf(turn)}`);
  reach(idOf(turn));
}

/** Go to the next turn of a grade after the one the address names, from the first again at the end. */
function jump(turns, grade) {
  const at = turns.findIndex((turn) => `#${idOf(turn)}` === window.location.hash);
  const next = turns.find((turn, place) => turn.grade === grade && place > at) ?? turns.find((turn) => turn.grade === grade);
  if (next) jumpTo(next);
}

/** How much of the chance of winning each turn gave away. */
function Given({ turns, t }) {
  const known = useMemo(() => turns.filter((turn) => turn.lost !== null), [turns]);
  const option = useMemo(() => (colours) => ({
    tooltip: { trigger: 'axis', valueFormatter: (value) => t('percent', value) },
    xAxis: { type: 'category', data: known.map((turn) => String(turn.turn)) },
    yAxis: { type: 'value', min: 0, axisLabel: { formatter: (value) => t('percent', value) } },
    series: [{ type: 'bar', name: t('review.given'), barMaxWidth: 18, data: known.map((turn) => ({ value: percent(turn.lost), itemStyle: { color: colours.series[turn.grade === 'blunder' ? 1 : 0] } })) }],
  }), [known, t('review.given')]);
  if (known.length < 2) return null;
  const table = { head: [t('board.turn.short'), t('review.given'), t('review.played')], rows: known.map((turn) => [turn.turn, t('percent', percent(turn.lost)), orderTold(turn.played, t)]) };
  return html`<${Chart} option=${option} label=${t('review.given')} table=${table} height=${170} />`;
}

/** What there was, the best first; what was played stands among it, also where it was not weighed. */
function weighed({ options, played }) {
  const known = options.some((one) => one.order === played);
  return [...options, ...(known ? [] : [{ order: played, value: null, why: '' }])].sort((a, b) => (b.value ?? -1) - (a.value ?? -1));
}

function Turn({ turn, t }) {
  const better = WORSE.has(turn.grade) || turn.grade === 'otherwise';
  return html`
    <article id=${idOf(turn)} tabindex="-1" class=${`review-turn ${turn.grade}`}>
      <header><h3><a href=${`#${idOf(turn)}`} title=${t('review.address')}>${t('review.turn', turn.turn)}</a>${turn.forced ? ` · ${t('review.forced')}` : ''}</h3>
        <span class=${`grade ${turn.grade}`}>${t(`grade.${turn.grade}`)}</span>
        ${turn.chance !== null && turn.chance !== undefined && html`<span class="facts">${t('review.chance', percent(turn.chance))}</span>`}
        ${turn.lost > 0 && html`<span class="facts">${t('review.loss', percent(turn.lost))}</span>`}</header>
      <dl class="wishes">
        <div><dt>${t('review.played')}</dt><dd>${orderTold(turn.played, t)}</dd></div>
        ${better && html`<div><dt>${t('review.better')}</dt><dd><b>${orderTold(turn.best, t)}</b></dd></div>`}
        ${turn.expected && html`<div><dt>${t('expected')}</dt><dd>${reasonTold(turn.expected, t)}</dd></div>`}
      </dl>
      <${Line} title=${t('line.best', orderTold(turn.best, t))} name=${t('line.watch')} steps=${turn.line ?? []} t=${t} />
      <${Line} title=${t('line.played', orderTold(turn.played, t))} name=${t('line.watch-played')} steps=${turn.instead ?? []} t=${t} />
      ${turn.options.length > 0 && html`
        <ol class="options plain">${weighed(turn).map((one, at) => html`
          <li key=${at}><p class="line"><span>${one.order === turn.played ? html`<b>${orderTold(one.order, t)}</b>` : orderTold(one.order, t)}</span>${one.value !== null && html`<span class="amount">${t('percent', percent(one.value))}</span>`}</p>
            ${one.value !== null && html`<span class="share" aria-hidden="true"><span style=${`width: ${percent(one.value)}%`}></span></span>`}
            ${one.why && html`<p class="facts">${reasonTold(one.why, t)}</p>`}</li>`)}</ol>`}
    </article>`;
}

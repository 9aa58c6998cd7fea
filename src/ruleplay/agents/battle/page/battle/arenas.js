// Arenas that were played: how many battles were won, with the interval, battle by battle as a chart.

import { html, useMemo, useState } from '../../vendor/preact.js';
import { Chart } from '../../components/chart.js';
import { Loading } from '../../components/notices.js';
import { useFormats } from '../../preferences.js';
import { useResource } from '../../resources.js';
import { arenas } from './api.js';
import { tenths } from './frames.js';

export function Arenas({ t }) {
  const formats = useFormats();
  const found = useResource('arenas', arenas, { fresh: true });
  const [open, show] = useState(null);
  if (!found) return found === null && html`<${Loading} lines=${2} />`;
  const list = found.arenas;
  if (!list.length) return html`<p class="hint">${t('arena.none')} <code>ruleplay battle arena --opponent heuristics --battles 20</code></p>`;
  return html`
    <ul class="arenas">${list.map((arena) => html`
      <li key=${arena.id}>
        <button type="button" aria-expanded=${String(open === arena.id)} onClick=${() => show(open === arena.id ? null : arena.id)}>
          <span><b>${t('arena.against', arena.opponent, arena.battles)}</b> <span class="facts">${formats.moment(arena.played)}</span></span>
          <span>${t('arena.rate', ...[arena.win_rate, ...arena.ci95].map((share) => formats.number(tenths(share))))}</span>
        </button>
        ${open === arena.id && html`<${Rate} arena=${arena} t=${t} />`}
      </li>`)}</ul>`;
}

function Rate({ arena, t }) {
  const formats = useFormats();
  const curve = arena.curve;
  const option = useMemo(() => (colours) => rateOption(curve, colours, t), [curve, t('arena.chart')]);
  const table = { head: [t('arena.battle'), t('arena.chart'), t('arena.interval')], rows: curve.map(([battle, rate, low, high]) => [battle, t('percent', tenths(rate)), `${formats.number(tenths(low))}–${t('percent', tenths(high))}`]) };
  return html`
    <div class="stack">
      <p class="facts">${[t('arena.facts', arena.wins, arena.losses, arena.ties), t('arena.decisions', arena.decisions, formats.ms(arena.decision_ms.p50), formats.ms(arena.decision_ms.p95)), t('arena.invalid', arena.invalid_choices), arena.engine].join(' · ')}</p>
      ${curve.length > 1 && html`<${Chart} option=${option} label=${t('arena.chart')} table=${table} height=${220} />`}
    </div>`;
}

/** The rate as a line, its interval as a band: the lower bound, and what lies above it. */
function rateOption(curve, colours, t) {
  const points = (pick) => curve.map((point) => [point[0], tenths(pick(point))]);
  const band = { type: 'line', stack: 'interval', symbol: 'none', silent: true, lineStyle: { opacity: 0 }, tooltip: { show: false } };
  return {
    legend: { data: [t('arena.chart'), t('arena.interval')] },
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'value', min: 1, max: curve.at(-1)[0], minInterval: 1, splitLine: { show: false } },
    yAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: (value) => t('percent', value) } },
    series: [
      { type: 'line', name: t('arena.chart'), showSymbol: curve.length < 30, data: points(([, rate]) => rate) },
      { ...band, name: 'low', data: points(([, , low]) => low) },
      { ...band, name: t('arena.interval'), data: points(([, , low, high]) => high - low), areaStyle: { color: colours.series[0], opacity: 0.16 }, itemStyle: { color: colours.series[0] } },
    ],
  };
}

// How the battle went: our chances as the search saw them at each decision.

import { html, useCallback } from '../../vendor/preact.js';
import { Chart } from '../../components/chart.js';
import { percent } from './frames.js';

export function Course({ chances, t }) {
  const option = useCallback((colours) => ({
    tooltip: { trigger: 'axis', valueFormatter: (value) => t('percent', value) },
    xAxis: { type: 'value', min: 'dataMin', max: 'dataMax', minInterval: 1, splitLine: { show: false } },
    yAxis: { type: 'value', min: 0, max: 100, interval: 50, axisLabel: { formatter: (value) => t('percent', value) } },
    series: [{
      type: 'line', name: t('chances'), showSymbol: chances.length < 40, symbolSize: 5,
      data: chances.map(([turn, value]) => [turn, percent(value)]), areaStyle: { opacity: 0.12 },
      markLine: { silent: true, symbol: 'none', label: { show: false }, lineStyle: { color: colours.edge, type: 'dashed' }, data: [{ yAxis: 50 }] },
    }],
  }), [chances, t('chances')]);
  if (chances.length < 2) return null;
  const table = { head: [t('board.turn.short'), t('chances')], rows: chances.map(([turn, value]) => [turn, t('percent', percent(value))]) };
  return html`
    <section class="part" aria-labelledby="course">
      <h3 id="course">${t('chances')}</h3>
      <p class="facts">${t('chances.what')}</p>
      <${Chart} option=${option} label=${t('chances.label', percent(chances[0][1]), percent(chances.at(-1)[1]))} table=${table} height=${170} />
    </section>`;
}

// A pull in charts: damage and healing over time with deaths, uptimes, cooldowns.

import { html, useMemo, useState } from '../../vendor/preact.js';
import { Chart } from '../../components/chart.js';
import { Answer } from './answer.js';
import { Choice } from './choices.js';
import { clock, Rows, useCells } from './figures.js';
import { classColour } from './lanes.js';
import { useTool } from './reports.js';

const LINES = ['dps', 'healing', 'damage_taken'];
const PLAYERS = 12;

/** Steps that give a chart some sixty points, however long the pull was. */
const stepOf = (seconds) => [1, 2, 5, 10, 15, 30].find((step) => seconds / step <= 75) ?? 60;

export function OverTime({ of, seconds, t }) {
  const [player, choose] = useState('');
  const step = stepOf(seconds);
  const raid = useTool('get_fight_details', of);
  const answer = useTool('get_damage_timeline', { ...of, step_seconds: step, ...(player ? { player_name: player } : {}) });
  const deaths = useTool('get_death_analysis', of);
  const names = (raid.value?.rows ?? []).map((row) => row.player);
  return html`
    <div class="fields"><${Choice} label=${t('player')} values=${names} value=${player} onChange=${choose} empty=${t('everyone')} /></div>
    <${Answer} answer=${answer} t=${t}>${({ rows }) => html`<${TimeChart} rows=${rows} step=${step} deaths=${(deaths.value?.rows ?? []).filter((row) => !player || row.player === player)} t=${t} />`}<//>`;
}

function TimeChart({ rows, step, deaths, t }) {
  const cell = useCells(t);
  const option = useMemo(() => timeOption(rows, step, deaths, t), [rows, deaths, t('column.dps')]);
  const table = {
    head: [t('column.at'), ...LINES.map((name) => t(`chart.${name}`)), t('column.deaths')],
    rows: rows.map((row) => [clock(row.at), ...LINES.map((name) => cell('', perSecond(row, name, step))), deaths.filter((one) => one.at >= row.at && one.at < row.at + step).map((one) => one.player).join(', ')]),
  };
  return html`<${Chart} option=${option} label=${t('chart.time')} table=${table} height=${240} />`;
}

const perSecond = (row, name, step) => Math.round(name === 'dps' ? row.dps : row[name] / step);

function timeOption(rows, step, deaths, t) {
  return (colours) => ({
    legend: {},
    tooltip: { trigger: 'axis' },
    xAxis: { type: 'category', boundaryGap: false, data: rows.map((row) => clock(row.at)) },
    yAxis: { type: 'value', axisLabel: { formatter: short } },
    series: LINES.map((name, at) => ({
      type: 'line', name: t(`chart.${name}`), showSymbol: false, smooth: 0.2,
      data: rows.map((row) => perSecond(row, name, step)),
      ...(at === 0 && deaths.length ? {
        markLine: {
          silent: true, symbol: ['none', 'none'], lineStyle: { color: colours.bad, type: 'dotted', width: 1.5 },
          label: { formatter: '✝', color: colours.bad, fontSize: 13 },
          data: deaths.map((death) => ({ xAxis: clock(Math.floor(death.at / step) * step) })),
        },
      } : {}),
    })),
  });
}

const short = (value) => (Math.abs(value) >= 1e6 ? `${value / 1e6} M` : Math.abs(value) >= 1e3 ? `${value / 1e3} k` : value);

export function Deaths({ of, t }) {
  const answer = useTool('get_death_analysis', of);
  return html`
    <${Answer} answer=${answer} t=${t}>${({ rows }) => (rows.length ? html`
      <ol class="deaths">${rows.map((row, at) => html`
        <li key=${at} class="death-card" style=${`--class: ${classColour(row.class)}`}><p><span class="when">${clock(row.at)}</span> <b>${row.player}</b> <span class="facts">${[row.class, row.role].filter(Boolean).join(' · ')}</span></p>
          <p>${row.killer ? t('killed', row.killer, row.ability, row.amount) : t('killed.unknown')} <span class="facts">${t('inferred')}</span></p>
          <p class="facts">${t('before-death', row.window_seconds, row.damage_taken, row.healing)}</p></li>`)}</ol>`
    : html`<p class="hint">${t('deaths.none')}</p>`)}<//>`;
}

export function Uptimes({ of, t }) {
  const [kind, show] = useState('debuffs');
  const [player, choose] = useState('');
  const raid = useTool('get_fight_details', of);
  const names = (raid.value?.rows ?? []).map((row) => row.player);
  const who = player || names[0];
  const debuffs = useTool('get_debuff_uptimes', kind === 'debuffs' ? of : null);
  const buffs = useTool('get_buff_analysis', kind === 'buffs' && who ? { ...of, player_name: who } : null);
  return html`
    <div class="fields">
      <div class="segments" role="group" aria-label=${t('view.uptimes')}>${['debuffs', 'buffs'].map((name) => html`<button key=${name} type="button" aria-pressed=${String(kind === name)} onClick=${() => show(name)}>${t(`uptimes.${name}`)}</button>`)}</div>
      ${kind === 'buffs' && html`<${Choice} label=${t('player')} values=${names} value=${who} onChange=${choose} />`}
    </div>
    <${Answer} answer=${kind === 'debuffs' ? debuffs : buffs} t=${t}>${({ rows }) => html`<${Shares} rows=${rows} name=${kind === 'debuffs' ? 'debuff' : 'buff'} column="uptime_percent" label=${t('view.uptimes')} t=${t} />`}<//>`;
}

export function Cooldowns({ of, t }) {
  const answer = useTool('get_cooldown_efficiency', of);
  return html`
    <${Answer} answer=${answer} t=${t}>${({ rows }) => html`
      <${Uses} rows=${rows} t=${t} />
      <${Rows} rows=${rows} columns=${['player', 'cooldown', 'uses', 'possible_uses', 'unused', 'first_use', 'efficiency_percent']} label=${t('view.cooldowns')} t=${t} />`}<//>`;
}

/** Uses of cooldowns by player, against those that were possible. */
function Uses({ rows, t }) {
  const sums = useMemo(() => {
    const found = new Map();
    for (const row of rows) {
      const before = found.get(row.player) ?? { uses: 0, unused: 0 };
      const unused = row.unused ?? Math.max(0, (row.possible_uses ?? 0) - (row.uses ?? 0));
      found.set(row.player, { uses: before.uses + (row.uses ?? 0), unused: before.unused + unused });
    }
    return [...found].sort(([, a], [, b]) => b.unused - a.unused).slice(0, PLAYERS).reverse();
  }, [rows]);
  const option = useMemo(() => (colours) => bars(sums.map(([name]) => name), [
    { name: t('column.uses'), data: sums.map(([, sum]) => sum.uses) },
    { name: t('column.unused'), data: sums.map(([, sum]) => sum.unused), itemStyle: { color: colours.raised, borderColor: colours.edge, borderType: 'dashed' } },
  ], colours, 'sum'), [sums, t('column.uses')]);
  if (!sums.length) return null;
  const table = { head: [t('player'), t('column.uses'), t('column.unused')], rows: [...sums].reverse().map(([name, sum]) => [name, sum.uses, sum.unused]) };
  return html`<${Chart} option=${option} label=${t('chart.cooldowns')} table=${table} height=${60 + sums.length * 26} />`;
}

/** Shares in percent as bars, the largest on top. */
function Shares({ rows, name, column, label, t }) {
  const best = useMemo(() => [...rows].sort((a, b) => b[column] - a[column]).slice(0, 20).reverse(), [rows]);
  const option = useMemo(() => (colours) => ({
    ...bars(best.map((row) => row[name] ?? ''), [{ name: t(`column.${column}`), data: best.map((row) => row[column]) }], colours),
    xAxis: { type: 'value', min: 0, max: 100, axisLabel: { formatter: (value) => t('percent', value) } },
  }), [best, t('column.uptime_percent')]);
  if (!best.length) return html`<p class="hint">${t('rows.none')}</p>`;
  const table = { head: [t(`column.${name}`), t(`column.${column}`)], rows: [...best].reverse().map((row) => [row[name] ?? '', t('percent', row[column])]) };
  return html`<${Chart} option=${option} label=${label} table=${table} height=${50 + best.length * 24} />`;
}

export function bars(names, series, colours, stack) {
  return {
    legend: series.length > 1 ? {} : undefined,
    tooltip: { trigger: 'axis', axisPointer: { type: 'shadow' } },
    yAxis: { type: 'category', data: names, axisTick: { show: false }, axisLabel: { width: 130, overflow: 'truncate', color: colours.ink, interval: 0 } },
    xAxis: { type: 'value', axisLabel: { formatter: short } },
    series: series.map((one) => ({ type: 'bar', barMaxWidth: 18, ...(stack ? { stack } : {}), ...one })),
  };
}

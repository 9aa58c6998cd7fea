// Two players in one pull, or two nights: side by side in a chart and a table.

import { html, useMemo, useState } from '../../vendor/preact.js';
import { Chart } from '../../components/chart.js';
import { Trouble } from '../../components/notices.js';
import { Answer } from './answer.js';
import { bars } from './charts.js';
import { Choice, named, ReportChoice } from './choices.js';
import { Rows, useCells, labelOf } from './figures.js';
import { useTool } from './reports.js';

export function Compare({ reports, report, fight, look, t }) {
  const [what, choose] = useState('players');
  const nights = (reports.list?.length ?? 0) > 1;
  return html`
    <div class="segments" role="group" aria-label=${t('section.compare')}>
      ${['players', 'nights'].map((name) => html`<button key=${name} type="button" disabled=${name === 'nights' && !nights} aria-pressed=${String(what === name)} onClick=${() => choose(name)}>${t(`compare.${name}`)}</button>`)}
    </div>
    ${!nights && html`<p class="facts">${t('compare.one-night')}</p>`}
    ${what === 'players' ? html`<${Players} reports=${reports} report=${report} fight=${fight} look=${look} t=${t} />` : html`<${Nights} reports=${reports} report=${report} t=${t} />`}`;
}

function Players({ reports, report, fight, look, t }) {
  const [pair, choose] = useState({ a: '', b: '' });
  const pulls = useTool('list_pulls', { report_code: report }).value?.rows ?? [];
  const pull = pulls.find((one) => one.fight === fight) ?? pulls.at(-1);
  const of = pull ? { report_code: report, fight_id: String(pull.fight) } : null;
  const details = useTool('get_fight_details', of);
  const names = (details.value?.rows ?? []).map((row) => row.player);
  const a = names.includes(pair.a) ? pair.a : names[0];
  const b = names.includes(pair.b) && pair.b !== a ? pair.b : names.find((name) => name !== a);
  const answer = useTool('compare_players', of && a && b ? { ...of, player_a: a, player_b: b } : null);
  return html`
    <${ReportChoice} reports=${reports} report=${report} look=${look} t=${t} />
    <div class="fields">
      <${Choice} label=${t('compare.pull')} values=${pulls.map((one) => ({ value: String(one.fight), label: `${one.fight} ${one.encounter} (${t(`ended.${one.outcome}`)})` }))} value=${String(pull?.fight)} onChange=${(number) => look({ fight: Number(number) })} />
      <${Choice} label=${t('compare.a')} values=${names} value=${a} onChange=${(name) => choose({ ...pair, a: name })} />
      <${Choice} label=${t('compare.b')} values=${names} value=${b} onChange=${(name) => choose({ ...pair, b: name })} />
    </div>
    <${Trouble} problem=${details.problem} />
    ${a && b && html`<${Answer} answer=${answer} t=${t}>${({ rows }) => html`<${Pair} rows=${rows} a=${a} b=${b} t=${t} />`}<//>`}`;
}

const MEASURES = ['damage', 'pet_damage', 'dps', 'healing', 'hps', 'overheal', 'damage_taken', 'active_percent', 'casts', 'crit_percent', 'deaths'];

/** Measures of which less is better. */
const LESS = ['overheal', 'damage_taken', 'deaths'];
const better = (name, mine, theirs) => (LESS.includes(name) ? mine < theirs : mine > theirs);

function Pair({ rows, a, b, t }) {
  const cell = useCells(t);
  const [one, other] = [a, b].map((name) => rows.find((row) => row.player === name && !row.ability) ?? {});
  const abilities = useMemo(() => byAbility(rows, a, b), [rows, a, b]);
  const option = useMemo(() => (colours) => bars([...abilities].reverse().map(({ ability }) => ability), [
    { name: a, data: [...abilities].reverse().map((row) => row.a) },
    { name: b, data: [...abilities].reverse().map((row) => row.b) },
  ], colours), [abilities]);
  const table = { head: [t('column.ability'), a, b], rows: abilities.map((row) => [row.ability, cell('', row.a), cell('', row.b)]) };
  return html`
    <div class="sideways" tabindex="0" role="region" aria-label=${t('compare.label', a, b)}><table class="figures pair"><caption class="unseen">${t('compare.label', a, b)}</caption>
      <thead><tr><th scope="col" class="text">${t('compare.measure')}</th><th scope="col">${a}</th><th scope="col">${b}</th></tr></thead>
      <tbody>${MEASURES.filter((name) => one[name] || other[name]).map((name) => html`<tr key=${name}><th scope="row">${labelOf(name, t)}</th>${[one, other].map((row, at) => html`<td key=${at} class=${better(name, row[name], [other, one][at][name]) ? 'more-of' : ''}>${cell(name, row[name])}</td>`)}</tr>`)}</tbody></table></div>
    ${abilities.length > 0 && html`<${Chart} option=${option} label=${t('compare.abilities', a, b)} table=${table} height=${70 + abilities.length * 34} />`}
    <details class="more"><summary>${t('compare.rows')}</summary><${Rows} rows=${rows} label=${t('compare.label', a, b)} t=${t} /></details>`;
}

/** Damage and healing by ability of both players, the largest first. */
function byAbility(rows, a, b) {
  const found = new Map();
  for (const row of rows) {
    if (!row.ability || /^\(/.test(row.ability)) continue;
    const sum = (row.damage ?? 0) + (row.healing ?? 0);
    const before = found.get(row.ability) ?? { ability: row.ability, a: 0, b: 0 };
    if (row.player === a) before.a += sum;
    else if (row.player === b) before.b += sum;
    found.set(row.ability, before);
  }
  return [...found.values()].filter((row) => row.a + row.b > 0).sort((x, y) => y.a + y.b - x.a - x.b).slice(0, 12);
}

function Nights({ reports, report, t }) {
  const list = reports.list ?? [];
  const before = list[list.findIndex((one) => one.code === report) + 1] ?? list.find((one) => one.code !== report);
  const [pair, choose] = useState({ a: before?.code ?? '', b: report });
  const answer = useTool('compare_two_raids', pair.a && pair.b && pair.a !== pair.b ? { report_a: pair.a, report_b: pair.b } : null);
  const values = list.map((one) => ({ value: one.code, label: named(one) }));
  return html`
    <div class="fields">
      <${Choice} label=${t('compare.earlier')} values=${values} value=${pair.a} onChange=${(code) => choose({ ...pair, a: code })} />
      <${Choice} label=${t('compare.later')} values=${values} value=${pair.b} onChange=${(code) => choose({ ...pair, b: code })} />
    </div>
    ${pair.a === pair.b ? html`<p class="hint">${t('compare.same')}</p>` : html`<${Answer} answer=${answer} t=${t}>${({ rows }) => html`<${Rows} rows=${rows} label=${t('compare.nights')} t=${t} />`}<//>`}`;
}

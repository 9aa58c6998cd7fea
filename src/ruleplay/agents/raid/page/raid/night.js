// One night: its pulls, and for the chosen one damage, healing, deaths, uptimes, cooldowns.

import { html, useState } from '../../vendor/preact.js';
import { Links } from '../../components/links.js';
import { Answer } from './answer.js';
import { Cooldowns, Deaths, OverTime, Uptimes } from './charts.js';
import { Lanes } from './lanes.js';
import { Rows } from './figures.js';
import { Places } from './places.js';
import { usePlayback } from './playback.js';
import { Pulls } from './pulls.js';
import { ReportChoice } from './choices.js';
import { useTool } from './reports.js';

const VIEWS = ['damage', 'healing', 'taken', 'deaths', 'uptimes', 'cooldowns'];
const COLUMNS = {
  damage: ['player', 'spec', 'damage', 'pet_damage', 'overkill', 'active_seconds', 'deaths'],
  healing: ['player', 'spec', 'healing', 'overheal', 'active_seconds', 'deaths'],
  taken: ['player', 'role', 'damage_taken', 'deaths'],
};
const MEASURES = { damage: 'damage', healing: 'healing', taken: 'damage_taken' };

export function Night({ reports, report, fight, look, t }) {
  const pulls = useTool('list_pulls', { report_code: report });
  const rows = pulls.value?.rows ?? [];
  const chosen = rows.find((pull) => pull.fight === fight) ?? rows.at(-1);
  return html`
    <${ReportChoice} reports=${reports} report=${report} look=${look} t=${t} />
    <details class="share-night"><summary>${t('share-night')}</summary><p class="hint">${t('share-night.more')}</p><${Links} key=${report} kind="raid" what=${report} /></details>
    <section aria-labelledby="night-pulls">
      <h3 id="night-pulls">${t('night.pulls')}</h3>
      <${Answer} answer=${pulls} t=${t} quiet=${true}>${() => html`<${Pulls} pulls=${rows} fight=${chosen?.fight} choose=${(number) => look({ fight: number })} t=${t} />`}<//>
    </section>
    ${chosen && html`<${Pull} key=${chosen.fight} report=${report} pull=${chosen} t=${t} />`}`;
}

function Pull({ report, pull, t }) {
  const [view, show] = useState('damage');
  const playback = usePlayback(pull.seconds);
  const of = { report_code: report, fight_id: String(pull.fight) };
  return html`
    <section class="pull stack" aria-labelledby="pull-title">
      <h3 id="pull-title">${t('pull', pull.fight, pull.encounter)}</h3>
      <${Lanes} of=${of} seconds=${pull.seconds} playback=${playback} t=${t} />
      <${Places} of=${of} at=${playback.at} t=${t} />
      <${OverTime} of=${of} seconds=${pull.seconds} t=${t} />
      <div class="segments" role="group" aria-label=${t('views')}>${VIEWS.map((name) => html`<button key=${name} type="button" aria-pressed=${String(view === name)} onClick=${() => show(name)}>${t(`view.${name}`)}</button>`)}</div>
      ${view in COLUMNS && html`<${Totals} of=${of} view=${view} t=${t} />`}
      ${view === 'deaths' && html`<${Deaths} of=${of} t=${t} />`}
      ${view === 'uptimes' && html`<${Uptimes} of=${of} t=${t} />`}
      ${view === 'cooldowns' && html`<${Cooldowns} of=${of} t=${t} />`}
    </section>`;
}

function Totals({ of, view, t }) {
  const answer = useTool('get_fight_details', of);
  const measure = MEASURES[view];
  return html`
    <${Answer} answer=${answer} t=${t}>${({ rows }) => html`
      <${Rows} key=${view} rows=${[...rows].filter((row) => row[measure] > 0).sort((a, b) => b[measure] - a[measure])} columns=${COLUMNS[view]} bar=${measure} label=${t(`view.${view}`)} t=${t} />`}<//>`;
}

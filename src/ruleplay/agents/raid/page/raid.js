// The raid analyst's side of the page: evidence behind citations, the night, comparisons, imports.

import { html, useEffect, useState } from '../vendor/preact.js';
import { Compare } from './raid/compare.js';
import { Evidence, resultsOf } from './raid/evidence.js';
import { Import } from './raid/import.js';
import { Night } from './raid/night.js';
import { useReports } from './raid/reports.js';
import { words } from './raid/words.js';
import { create } from '../actions.js';
import { ModelChoice } from '../components/model-choice.js';
import { Trouble } from '../components/notices.js';
import { useStore } from '../store.js';
import { choose, chosenIn } from './raid/chosen.js';

export { words };
export { start } from './raid/start.js';
export { describe } from './raid/describe.js';
export { About, asked } from './raid/chosen.js';
export const stylesheet = new URL('./raid/raid.css', import.meta.url).href;
export const wide = true;
export const starts = true;
/** `[r3]` in a reply opens the result r3 of that turn. */
export const cites = /\[(r\d{1,4})\]/g;
/** A tag's result: the further tables of a result count on in hundreds. `r0` is the list of pulls. */
export const evidence = (tag) => {
  const number = Number(/r(\d{1,4})/.exec(tag)?.[1] ?? 0) % 100;
  return number ? `r${number}` : '';
};

const SECTIONS = ['night', 'evidence', 'compare', 'import'];

export function View({ view, turns, t, cited, cite, live, session }) {
  const reports = useReports();
  const [section, show] = useState('night');
  // Which report and pull are looked at; what the conversation is about, until the reader chooses.
  const chosen = useStore(chosenIn(session.id));
  useEffect(() => {
    if (cited) show('evidence');
  }, [cited]);
  const newest = reports.list?.[0]?.code ?? '';
  const report = chosen.report || (reports.list?.some((one) => one.code === view.report) ? view.report : newest);
  const fight = chosen.fight ?? (report === view.report ? view.fight : null);
  const look = (given) => choose(session.id, given);
  const results = resultsOf(turns, live, cited);
  return html`
    <div class="raid stack">
      <nav class="segments" aria-label=${t('sections')}>${SECTIONS.map((name) => html`<button key=${name} type="button" aria-pressed=${String(section === name)} onClick=${() => show(name)}>${t(`section.${name}`)}${name === 'evidence' && results.list.length > 0 ? ` (${results.list.length})` : ''}</button>`)}</nav>
      <${Trouble} problem=${reports.problem} />
      ${section === 'evidence' && html`<${Evidence} results=${results} cited=${cited} cite=${cite} t=${t} />`}
      ${section === 'import' && html`<${Import} reports=${reports} t=${t} done=${(code) => { look({ report: code, fight: null }); show('night'); }} />`}
      ${(section === 'night' || section === 'compare') && (report
    ? html`<${section === 'night' ? Night : Compare} key=${report} reports=${reports} report=${report} fight=${fight} look=${look} t=${t} />`
    : reports.list && html`<p class="hint">${t('reports.none')}</p>`)}
    </div>`;
}

/** On the agent's own page: which nights there are, and where another one is imported. */
export function Front({ t }) {
  const reports = useReports();
  const [model, setModel] = useState('');
  const [sending, send] = useState(false);
  const talk = async (report) => {
    send(true);
    await create({ agent: 'raid', title: '', model, config: { report, lang: document.documentElement.lang } });
    send(false);
  };
  return html`
    <section class="stack raid" aria-labelledby="raid-reports">
      <h2 id="raid-reports">${t('reports')}</h2>
      <${Trouble} problem=${reports.problem} />
      ${reports.list?.length === 0 && html`<p class="hint">${t('reports.none')}</p>`}
      ${reports.list?.length > 0 && html`<p class="hint">${t('reports.pick')}</p><ul class="reports">${reports.list.map((report) => html`<li key=${report.code}><button type="button" disabled=${sending} onClick=${() => talk(report.code)}><b>${report.zone || report.file || report.code}</b> <span class="facts">${[report.zone && report.file, report.pulls !== undefined && t('pulls', report.pulls)].filter(Boolean).join(' · ')}</span></button></li>`)}</ul>
        <div class="form"><${ModelChoice} value=${model} onChange=${setModel} /></div>`}
    </section>
    <section class="raid" aria-labelledby="raid-import"><h2 id="raid-import">${t('section.import')}</h2><${Import} reports=${reports} t=${t} done=${talk} /></section>`;
}

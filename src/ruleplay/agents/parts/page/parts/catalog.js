// A shop's files become the catalog: each is named for what it holds, and its columns are told.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { own } from '../../api.js';
import { Trouble, useDrop } from '../../components/notices.js';
import { useFormats, usePreferences } from '../../preferences.js';
import { begin } from '../../start.js';
import { store } from '../../store.js';

const KINDS = ['parts', 'fits', 'models'];

export function Catalog({ t }) {
  const { language } = usePreferences();
  const [files, keep] = useState([]);
  const [state, become] = useState({ step: 'idle' });
  const busy = state.step === 'sending' || state.step === 'reading';
  const kinds = files.map((file) => file.kind);
  const wrong = new Set(kinds).size < kinds.length ? 'twice' : kinds.length && !kinds.includes('parts') ? 'no-parts' : '';
  const work = async (doing) => {
    try {
      await doing();
    } catch (problem) {
      become({ step: 'failed', problem });
    }
  };
  const take = (given) => given.length && work(async () => {
    const told = [];
    for (const file of given) {
      become({ step: 'sending', part: 0 });
      told.push(await own.upload(`/api/parts/files?name=${encodeURIComponent(file.name)}`, file, (part) => become({ step: 'sending', part })));
    }
    keep((before) => [...before.filter((one) => !told.some((other) => other.kind === one.kind)), ...told]);
    become({ step: 'idle' });
  });
  useEffect(() => {
    const { dropped } = store.get();
    store.set({ dropped: null });
    if (dropped) take(dropped);
  }, []);
  const replace = () => work(async () => {
    become({ step: 'reading' });
    const report = await own.post('/api/parts/imports', Object.fromEntries(files.map((file) => [file.kind, file.file])));
    keep([]);
    become({ step: 'done', report });
  });
  return html`
    <section class="stack parts catalog" aria-labelledby="parts-catalog">
      <h2 id="parts-catalog">${t('catalog')}</h2>
      <div ...${useDrop('drop', take)}>
        <p>${t('catalog.more')}</p>
        <label>${t('catalog.files')} <input type="file" multiple accept=".csv,.json,.jsonl,.ndjson,.txt" disabled=${busy} onChange=${(event) => take([...event.target.files])} /></label>
        ${files.length > 0 && html`<ul class="files">${files.map((file) => html`<${File} key=${file.file} file=${file} t=${t} name=${(kind) => keep(files.map((one) => (one === file ? { ...one, kind } : one)))} out=${() => keep(files.filter((one) => one !== file))} />`)}</ul>`}
        ${wrong && html`<p class="hint" role="status">${t(`catalog.${wrong}`)}</p>`}
        ${files.length > 0 && html`<button type="button" class="primary" disabled=${busy || Boolean(wrong)} onClick=${replace}>${t('catalog.go')}</button>`}
        <p class="hint" role="status">${busy && t(`catalog.${state.step}`, Math.round(100 * (state.part ?? 0)))}</p>
        <${Trouble} problem=${state.problem}> ${t('catalog.failed')}<//>
      </div>
      ${state.step === 'done' && html`<${Report} report=${state.report} t=${t} ask=${() => begin('parts', { lang: language })} />`}
    </section>`;
}

function File({ file, name, out, t }) {
  return html`
    <li><b>${file.name}</b> <span class="facts">${file.columns.join(', ')}</span>
      <label><span class="unseen">${t('catalog.kind', file.name)}</span>
        <select value=${file.kind} onChange=${(event) => name(event.target.value)}>${KINDS.map((kind) => html`<option key=${kind} value=${kind} selected=${kind === file.kind}>${t(`catalog.${kind}`)}</option>`)}</select></label>
      <button type="button" onClick=${out}>${t('catalog.take-out', file.name)}</button></li>`;
}

/** What was taken over, what each column became, and the first rows that were left out. */
function Report({ report, ask, t }) {
  const formats = useFormats();
  const counted = (...names) => names.map((name) => formats.number(report[name]));
  return html`
    <div class="imported stack">
      <p role="status"><b>${t('catalog.done', ...counted('parts', 'models', 'pairs'))}</b></p>
      <p class="facts">${t('catalog.left-out', ...counted('rejected', 'flawed', 'duplicates'))} ${report.undated_prices > 0 && t('catalog.undated', ...counted('undated_prices'))}</p>
      <p><button type="button" class="primary" onClick=${ask}>${t('catalog.ask')}</button></p>
      ${report.columns.map((one) => html`<${Columns} key=${one.file} told=${one} t=${t} />`)}
      ${report.rejected_rows.length > 0 && html`
        <h3>${t('catalog.rows')}</h3>
        <ul>${report.rejected_rows.map((row, at) => html`<li key=${at}>${t('catalog.row', t(`catalog.${row.file}`), row.line)}: ${row.reason}</li>`)}</ul>`}
    </div>`;
}

function Columns({ told, t }) {
  return html`
    <table class="columns"><caption>${t('catalog.columns', told.file)}${told.preset && ` (${told.preset})`}</caption>
      <thead><tr><th scope="col">${t('catalog.column')}</th><th scope="col">${t('catalog.field')}</th></tr></thead>
      <tbody>${Object.entries(told.used).map(([field, column]) => html`<tr key=${field}><td>${column}</td><td><code>${field}</code></td></tr>`)}</tbody>
    </table>
    ${told.ignored.length > 0 && html`<p class="facts">${t('catalog.ignored', told.ignored)}</p>`}
    ${told.empty.length > 0 && html`<p class="facts">${t('catalog.empty', told.empty)}</p>`}`;
}

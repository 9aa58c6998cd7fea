// A combat log from the reader's machine into the store: sent with its progress, then read with it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { useFormats } from '../../preferences.js';
import { importing, reportImported, upload } from './reports.js';

const LOOK_MS = 250;

export function Import({ t, done }) {
  const [state, become] = useState({ step: 'idle' });
  const [over, hover] = useState(false);
  const alive = useRef(true);
  useEffect(() => () => {
    alive.current = false;
  }, []);
  const take = async (file) => {
    if (!file) return;
    const tell = (given) => alive.current && become({ file: file.name, ...given });
    tell({ step: 'sending', part: 0 });
    try {
      const { id } = await upload(file, (part) => tell({ step: part < 1 ? 'sending' : 'reading', part: part < 1 ? part : 0 }));
      const job = await finished(id, (part) => tell({ step: 'reading', part }));
      tell({ step: 'done', job });
      reportImported();
    } catch (problem) {
      tell({ step: 'failed', why: problem.message });
    }
  };
  const drop = (event) => {
    event.preventDefault();
    hover(false);
    take(event.dataTransfer.files[0]);
  };
  const busy = state.step === 'sending' || state.step === 'reading';
  return html`
    <div class=${`drop${over ? ' over' : ''}`} onDragOver=${(event) => { event.preventDefault(); hover(true); }} onDragLeave=${() => hover(false)} onDrop=${drop}>
      <p>${t('import.more')}</p>
      <label>${t('import.file')} <input type="file" accept=".txt,.log,.gz,.zip" disabled=${busy} onChange=${(event) => take(event.target.files[0])} /></label>
      ${busy && html`
        <div class="progress" role="status"><p>${t(`import.${state.step}`, state.file)} <span class="facts">${Math.round(state.part * 100)} %</span></p>
          <progress max="1" value=${state.part} aria-label=${t(`import.${state.step}`, state.file)}></progress></div>`}
      ${state.step === 'failed' && html`<p class="trouble" role="alert">${t('import.failed', state.file)} ${state.why}</p>`}
    </div>
    ${state.step === 'done' && html`<${Imported} job=${state.job} t=${t} done=${done} />`}`;
}

/** Wait for an import to end; its failure is thrown. */
async function finished(id, told) {
  for (;;) {
    const job = await importing(id);
    if (job.status === 'failed') throw new Error(job.problem?.detail ?? '');
    if (job.status === 'done') return job;
    told(job.part ?? 0);
    await new Promise((resume) => {
      setTimeout(resume, LOOK_MS);
    });
  }
}

function Imported({ job, t, done }) {
  const formats = useFormats();
  const { report, dialect, lines, unparsed, encounters } = job;
  return html`
    <div class="imported" role="status">
      <p><b>${t('import.done', report)}</b></p>
      <p class="facts">${[dialect, t('import.lines', formats.number(lines)), t('import.unparsed', formats.number(unparsed)), t('pulls', encounters?.length ?? 0)].filter(Boolean).join(' · ')}</p>
      ${done && html`<p><button type="button" class="primary" onClick=${() => done(report)}>${t('import.open')}</button></p>`}
    </div>`;
}

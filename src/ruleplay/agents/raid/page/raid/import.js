// A combat log from the reader's machine into the store: sent with its progress, then read with it.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Trouble, useDrop } from '../../components/notices.js';
import { useFormats } from '../../preferences.js';
import { importLog, reportImported } from './reports.js';

export function Import({ t, done }) {
  const [state, become] = useState({ step: 'idle' });
  const alive = useRef(true);
  useEffect(() => () => {
    alive.current = false;
  }, []);
  const take = async ([file]) => {
    if (!file) return;
    const tell = (given) => alive.current && become({ file: file.name, ...given });
    tell({ step: 'sending', part: 0 });
    try {
      tell({ step: 'done', job: await importLog(file, tell) });
      reportImported();
    } catch (problem) {
      tell({ step: 'failed', problem });
    }
  };
  const busy = state.step === 'sending' || state.step === 'reading';
  return html`
    <div ...${useDrop('drop', take)}>
      <p>${t('import.more')}</p>
      <label>${t('import.file')} <input type="file" accept=".txt,.log,.gz,.zip" disabled=${busy} onChange=${(event) => take(event.target.files)} /></label>
      ${busy && html`
        <div class="progress" role="status"><p>${t(`import.${state.step}`, state.file)} <span class="facts">${t('percent', Math.round(state.part * 100))}</span></p>
          <progress max="1" value=${state.part} aria-label=${t(`import.${state.step}`, state.file)}></progress></div>`}
      <${Trouble} problem=${state.problem} before=${t('import.failed', state.file)} />
    </div>
    ${state.step === 'done' && html`<${Imported} job=${state.job} t=${t} done=${done} />`}`;
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

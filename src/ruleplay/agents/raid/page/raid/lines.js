// Lines of the log exactly as they were written, page by page.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { Loading, Trouble } from '../../components/notices.js';
import { useLines } from './reports.js';

const PAGE = 40;

export function RawLines({ report, first, last, t }) {
  const [from, move] = useState(first);
  const to = Math.min(last, from + PAGE - 1);
  const { value, problem } = useLines(report, from, to);
  const place = useRef();
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return html`
    <section class="raw" ref=${place} aria-label=${t('raw', from, to)}>
      <header>
        <h5>${t('raw', from, to)}</h5>
        <button type="button" class="quiet" aria-label=${t('raw.before')} disabled=${from <= first} onClick=${() => move(Math.max(first, from - PAGE))}><${Icon} name="left" /></button>
        <button type="button" class="quiet" aria-label=${t('raw.after')} disabled=${to >= last} onClick=${() => move(to + 1)}><${Icon} name="right" /></button>
      </header>
      <${Trouble} problem=${problem} />
      ${!value && !problem && html`<${Loading} lines=${3} />`}
      ${value && html`<ol class="log" start=${from} tabindex="0" role="list" aria-label=${t('raw', from, to)}>${value.lines.map((line) => html`<li key=${line.line} value=${line.line}><code>${line.text}</code></li>`)}</ol>`}
    </section>`;
}

// How it would have gone on, step by step: the best line of a reviewed choice, or that of what was played.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { orderTold } from './phrases.js';

export function Line({ title, name, steps, t }) {
  const [at, go] = useState(-1);
  const next = useRef(null);
  const open = at >= 0;
  // The button that opened it is gone: whoever came by key steps on with the next.
  useEffect(() => {
    if (open) next.current?.focus();
  }, [open]);
  if (!steps.length) return null;
  if (!open) return html`<p><button type="button" onClick=${() => go(1)}><${Icon} name="right" /> ${name}</button></p>`;
  return html`
    <section class="line-player" aria-label=${title}>
      <p><b>${title}</b></p>
      <ol>${steps.slice(0, at).map((step, place) => html`
        <li key=${place} class=${place === at - 1 ? 'now' : ''}><span class="facts">${place + 1}.</span><span><span class="facts">${t('line.ours')}</span> ${orderTold(step.ours, t)}</span><span><span class="facts">${t('line.theirs')}</span> ${orderTold(step.theirs, t)}</span></li>`)}</ol>
      <p class="controls">
        <button type="button" aria-label=${t('line.before')} aria-disabled=${at === 0} onClick=${() => go(Math.max(0, at - 1))}><${Icon} name="left" /></button>
        <button ref=${next} type="button" aria-label=${t('line.after')} aria-disabled=${at === steps.length} onClick=${() => go(Math.min(steps.length, at + 1))}><${Icon} name="right" /></button>
        <span class="facts" role="status">${at ? t('line.step', at, steps.length) : t('line.start')}</span>
      </p>
    </section>`;
}

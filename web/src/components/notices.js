// What pages share: having nothing to show (empty, loading, missing, failed), and taking files.

import { html, useState } from '../vendor/preact.js';
import { useWords } from '../preferences.js';

export function Notice({ title, children }) {
  return html`<section class="notice"><h1>${title}</h1>${children}</section>`;
}

export function Loading({ lines = 3 }) {
  const t = useWords();
  return html`
    <div class="loading" role="status">
      <span class="unseen">${t('loading')}</span>
      ${Array.from({ length: lines }, (_, place) => html`<span key=${place} class="bar"></span>`)}
    </div>`;
}

export function Nowhere() {
  const t = useWords();
  return html`<${Notice} title=${t('nowhere')}><p><a href="/">${t('to-home')}</a></p><//>`;
}

/** Kinds of which our own words say all: what the server adds is for programs. */
const WHOLE = [403, 404];
/** The language that the server's own sentences are in. */
const SERVERS = 'en';

/**
 * A problem as a person reads it: our own words by what kind it is, then what the server said, for who reads that.
 * An error without a status is the page's own, and says all.
 */
export function told(problem, t) {
  const { status, message } = problem;
  if (status === 0) return t('unreachable');
  const own = status ? t(t.has(`problem.${status}`) ? `problem.${status}` : 'problem.422') : '';
  const servers = status || !(problem instanceof Error);
  const whole = servers && (t.language !== SERVERS || status >= 500 || WHOLE.includes(status));
  return whole ? own : `${own} ${message ?? problem.detail ?? ''}`.trim();
}

/** What the server says of a problem where our words leave it out, folded away. */
export function More({ problem, t }) {
  const detail = problem.message ?? problem.detail;
  if (!detail || WHOLE.includes(problem.status) || told(problem, t).includes(detail)) return null;
  return html`<details class="more"><summary>${t('problem.more')}</summary><span lang=${SERVERS}>${detail}</span></details>`;
}

/** What went wrong, beside what it was about. */
export function Trouble({ problem, before = '', children }) {
  const t = useWords();
  if (!problem) return null;
  return html`<div class="trouble" role="alert">${before} ${told(problem, t)}<${More} problem=${problem} t=${t} />${children}</div>`;
}

/** The properties of a place that takes dropped files, which is marked while some hang over it. */
export function useDrop(name, take) {
  const [over, hover] = useState(false);
  const held = (event, above) => {
    event.preventDefault();
    hover(above);
  };
  const drop = (event) => {
    held(event, false);
    take([...event.dataTransfer.files]);
  };
  return { class: `${name}${over ? ' over' : ''}`, onDragOver: (event) => held(event, true), onDragLeave: () => hover(false), onDrop: drop };
}

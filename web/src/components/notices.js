// Pages and parts of pages that have nothing to show: empty, loading, missing, failed.

import { html } from '../vendor/preact.js';
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

// Any JSON as people read it: names and values, lists as lists.

import { html } from '../vendor/preact.js';
import { useWords } from '../preferences.js';

/** `fit_verdict` or `fitVerdict` as "fit verdict". */
export const spaced = (name) =>
  name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ').toLowerCase();

export function Value({ value }) {
  const t = useWords();
  if (value === null || value === undefined || value === '') return html`<span class="none">${t('none')}</span>`;
  if (typeof value === 'boolean') return html`<span>${t(value ? 'yes' : 'no')}</span>`;
  if (typeof value !== 'object') return html`<span class="plain">${String(value)}</span>`;
  const entries = Object.entries(value);
  if (!entries.length) return html`<span class="none">${t('none')}</span>`;
  if (Array.isArray(value)) {
    return html`<ul class="value">${value.map((item, place) => html`<li key=${place}><${Value} value=${item} /></li>`)}</ul>`;
  }
  return html`
    <dl class="value">${entries.map(([name, item]) => html`<div key=${name}><dt>${spaced(name)}</dt><dd><${Value} value=${item} /></dd></div>`)}</dl>`;
}

// Choosing a report, a pull, a player.

import { html } from '../../vendor/preact.js';

export function ReportChoice({ reports, report, look, t }) {
  const list = reports.list ?? [];
  if (list.length < 2) return html`<p class="facts">${list[0] && named(list[0])}</p>`;
  return html`
    <div class="fields"><label>${t('report')}
      <select aria-label=${t('report')} onChange=${(event) => look({ report: event.target.value, fight: null })}>${list.map((one) => html`<option key=${one.code} value=${one.code} selected=${one.code === report}>${named(one)}</option>`)}</select></label></div>`;
}

export const named = (report) => [report.zone || report.file || report.code, (report.started ?? '').slice(0, 10), report.zone && report.file].filter(Boolean).join(' · ');

/** A select of values with an optional empty one first. */
export function Choice({ label, values, value, onChange, empty = null }) {
  return html`
    <label>${label}
      <select aria-label=${label} onChange=${(event) => onChange(event.target.value)}>
        ${empty !== null && html`<option value="" selected=${!value}>${empty}</option>`}
        ${values.map((one) => html`<option key=${one.value ?? one} value=${one.value ?? one} selected=${(one.value ?? one) === value}>${one.label ?? one}</option>`)}
      </select></label>`;
}

// Rows of results as tables, and their values as people read them.

import { html, useState } from '../../vendor/preact.js';
import { useFormats } from '../../preferences.js';
import { spaced } from '../../components/value.js';

/** Columns that place a row rather than say something of it. */
const PLACE = new Set(['report', 'spell_id', 'line']);
const SECONDS = /(^|_)(seconds|at|start|end|first_use|gap_at)$/;

/** How a column's values are read: numbers in the reader's way, shares with a sign, times in seconds. */
export function useCells(t) {
  const formats = useFormats();
  return (column, value) => {
    if (value === null || value === undefined || value === '') return '–';
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    if (Array.isArray(value)) return value.join(', ') || '–';
    if (typeof value !== 'number') return String(value);
    if (/percent$/.test(column)) return t('percent', value);
    return SECONDS.test(column) ? `${formats.number(value)} s` : formats.number(value);
  };
}

export const labelOf = (column, t) => (t.has(`column.${column}`) ? t(`column.${column}`) : spaced(column));

/** Seconds as minutes and seconds: 83 is 1:23. */
export const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/**
 * @param {object} given
 * @param {object[]} given.rows
 * @param {string[]} [given.columns] those to show, in order; all that say something otherwise
 * @param {string} given.label what the table holds
 * @param {number} [given.most] rows shown at first
 * @param {string} [given.bar] the column that is drawn as a bar behind its numbers
 */
export function Rows({ rows, columns, label, most = 25, bar, t }) {
  const cell = useCells(t);
  const [sorted, sort] = useState(null);
  const [all, showAll] = useState(false);
  const shown = columns?.filter((name) => rows.some((row) => name in row)) ?? saying(rows);
  const ordered = sorted ? [...rows].sort(by(sorted)) : rows;
  const listed = all ? ordered : ordered.slice(0, most);
  const top = bar ? Math.max(1, ...rows.map((row) => Number(row[bar]) || 0)) : 1;
  const turn = (name) => sort((before) => (before?.name === name ? { name, down: !before.down } : { name, down: numeric(rows, name) }));
  if (!rows.length) return html`<p class="hint">${t('rows.none')}</p>`;
  return html`
    <div class="sideways" tabindex="0" role="region" aria-label=${label}>
      <table class="figures">
        <caption class="unseen">${label}</caption>
        <thead><tr>${shown.map((name) => html`<th key=${name} scope="col" class=${numeric(rows, name) ? '' : 'text'} aria-sort=${sorted?.name === name ? (sorted.down ? 'descending' : 'ascending') : undefined}><button type="button" class="sort" onClick=${() => turn(name)}>${labelOf(name, t)}</button></th>`)}</tr></thead>
        <tbody>${listed.map((row, at) => html`<tr key=${at}>${shown.map((name, column) => html`<${column ? 'td' : 'th'} key=${name} scope=${column ? undefined : 'row'} class=${numeric(rows, name) ? '' : 'text'}>${name === bar && html`<span class="behind" aria-hidden="true" style=${`width: ${((Number(row[bar]) || 0) / top) * 100}%`}></span>`}${cell(name, row[name])}<//>`)}</tr>`)}</tbody>
      </table>
    </div>
    ${rows.length > listed.length && html`<p><button type="button" class="quiet" onClick=${() => showAll(true)}>${t('rows.all', rows.length)}</button></p>`}`;
}

const saying = (rows) => [...new Set(rows.flatMap((row) => Object.keys(row)))]
  .filter((name) => !PLACE.has(name) && rows.some((row) => ![null, '', false].includes(row[name]) && row[name]?.length !== 0));

const numeric = (rows, name) => rows.some((row) => typeof row[name] === 'number');

const by = ({ name, down }) => (one, other) => {
  const [a, b] = [one[name], other[name]];
  const order = typeof a === 'number' || typeof b === 'number' ? (Number(a) || 0) - (Number(b) || 0) : String(a ?? '').localeCompare(String(b ?? ''));
  return down ? -order : order;
};

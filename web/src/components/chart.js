// A chart, and the same values as a table. ECharts is loaded when the first chart is shown.

import { html, useEffect, useRef, useState } from '../vendor/preact.js';
import { useMedia, usePreferences, useWords } from '../preferences.js';

const DARK = window.matchMedia('(prefers-color-scheme: dark)');
const CALM = window.matchMedia('(prefers-reduced-motion: reduce)');
const COLOURS = ['ink', 'soft', 'rule', 'edge', 'sheet', 'raised', 'pen', 'good', 'warn', 'bad'];
/** Series differ in colour and in dash, so that colour is never all that tells them apart. */
const SERIES = 8;
const DASHES = ['solid', [7, 4], [2, 3], [10, 3, 2, 3], 'solid', [7, 4], [2, 3], [10, 3, 2, 3]];

/**
 * @param {object} given
 * @param {(colours: object) => object} given.option ECharts' option, made from the theme's colours
 * @param {string} given.label what it shows, in words
 * @param {{head: string[], rows: (string|number)[][]}} given.table the same values, for those who read
 * @param {number} [given.height] pixels
 * @param {(point: {name: string, series: string, value: unknown, at: number}) => void} [given.onPick]
 */
export function Chart({ option, label, table, height = 240, onPick }) {
  const t = useWords();
  const place = useRef();
  const made = useRef(null);
  const pick = useRef(onPick);
  pick.current = onPick;
  const { theme } = usePreferences();
  const look = `${theme} ${useMedia(DARK)}`; // changes whenever the colours do
  const [state, become] = useState('loading');
  useEffect(() => {
    let gone = false;
    let watch = null;
    import('../vendor/echarts.js').then(
      ({ init }) => {
        if (gone) return;
        const chart = init(place.current, null, { renderer: 'svg' });
        chart.on('click', (at) => pick.current?.({ name: at.name, series: at.seriesName, value: at.value, at: at.dataIndex }));
        watch = new ResizeObserver(() => chart.resize());
        watch.observe(place.current);
        made.current = chart;
        become('ready');
      },
      () => !gone && become('failed'),
    );
    return () => {
      gone = true;
      watch?.disconnect();
      made.current?.dispose();
      made.current = null;
    };
  }, []);
  useEffect(() => {
    if (state === 'ready') made.current.setOption(dressed(option, coloursOf(place.current)), { notMerge: true });
  }, [state, option, look]);
  return html`
    <figure class="chart">
      ${state === 'failed' ? html`<p class="hint">${t('chart.failed')}</p>` : html`<div class="plot" ref=${place} role="img" aria-label=${label} style=${`height: ${height}px`}></div>`}
      ${table && html`<${Alternative} table=${table} label=${label} open=${state === 'failed'} />`}
    </figure>`;
}

function Alternative({ table, label, open }) {
  const t = useWords();
  const [shown, show] = useState(open);
  return html`
    <details class="as-table" open=${shown || open} onToggle=${(event) => show(event.currentTarget.open)}>
      <summary>${t('chart.table')}<span class="unseen">: ${label}</span></summary>
      ${(shown || open) && html`
        <div class="sideways" tabindex="0" role="region" aria-label=${label}>
          <table class="figures">
            <thead><tr>${table.head.map((name) => html`<th key=${name} scope="col">${name}</th>`)}</tr></thead>
            <tbody>${table.rows.map((row, at) => html`<tr key=${at}>${row.map((cell, column) => (column ? html`<td key=${column}>${cell}</td>` : html`<th key=${column} scope="row">${cell}</th>`))}</tr>`)}</tbody>
          </table>
        </div>`}
    </details>`;
}

/** The page's colours as they are now: a property's own text may still hold both themes. */
function coloursOf(element) {
  const probe = element.ownerDocument.createElement('span');
  element.append(probe);
  const read = (name) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const found = Object.fromEntries(COLOURS.map((name) => [name, read(name)]));
  found.series = Array.from({ length: SERIES }, (_, at) => read(`series-${at + 1}`));
  found.font = getComputedStyle(element).fontFamily;
  probe.remove();
  return found;
}

function dressed(option, colours) {
  const given = option(colours);
  const axis = (own) => ({
    ...own,
    nameTextStyle: { color: colours.soft, ...own.nameTextStyle },
    axisLine: { lineStyle: { color: colours.edge }, ...own.axisLine },
    axisLabel: { color: colours.soft, hideOverlap: true, ...own.axisLabel },
    splitLine: { lineStyle: { color: colours.rule }, ...own.splitLine },
  });
  const axes = (own) => own && (Array.isArray(own) ? own.map(axis) : axis(own));
  return {
    color: colours.series,
    textStyle: { fontFamily: colours.font, color: colours.ink },
    animation: !CALM.matches,
    animationDuration: 250,
    grid: { left: 8, right: 16, top: given.legend ? 40 : 16, bottom: 8, containLabel: true },
    ...given,
    legend: given.legend && { type: 'scroll', top: 0, left: 0, textStyle: { color: colours.ink }, inactiveColor: colours.edge, pageTextStyle: { color: colours.soft }, ...given.legend },
    // Drawn, not HTML: names in logs and battles are other people's words.
    tooltip: given.tooltip && { renderMode: 'richText', confine: true, backgroundColor: colours.sheet, borderColor: colours.edge, textStyle: { color: colours.ink, fontSize: 13 }, ...given.tooltip },
    xAxis: axes(given.xAxis),
    yAxis: axes(given.yAxis),
    series: given.series.map((one, at) => (one.type === 'line' ? { symbol: 'circle', ...one, lineStyle: { width: 2, type: DASHES[at % DASHES.length], ...one.lineStyle } } : one)),
  };
}

// The agent's graph: a station for every node, lit while it runs and marked with its time afterwards.

import { html, useMemo } from '../vendor/preact.js';
import { api } from '../api.js';
import { layered } from '../layout.js';
import { useFormats, useWords } from '../preferences.js';
import { useResource } from '../resources.js';

const LETTER = 6.3;
const LINE = 12;
const ROW = 52;
const GAP = 24;
const HEIGHT = 34;
const ENDS = { __start__: 'start', __end__: 'end' };

/** Draw the graph of an agent; `steps` are `{node, state, ms}` in the order they began. */
export function GraphFigure({ agent, steps }) {
  const t = useWords();
  const graph = useResource(`graph ${agent}`, () => api.graph(agent));
  const drawing = useMemo(() => graph && place(graph), [graph]);
  if (!drawing) return null;
  const ran = walked(steps);
  const label = steps.length ? t('graph.ran', steps.map((step) => step.node)) : t('graph.label', drawing.stations.length);
  return html`
    <div class="graph" tabindex="0" role="region" aria-label=${t('graph')}>
      <svg viewBox=${`0 0 ${drawing.width} ${drawing.height}`} style=${`--natural: ${drawing.width}px`} role="img" aria-label=${label}>
        <defs>${['arrow', 'arrow-ran'].map((id) => html`<marker key=${id} id=${id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 7 4 0 7z" /></marker>`)}</defs>
        ${drawing.lines.map((line) => html`<path key=${line.key} class=${`edge${line.conditional ? ' conditional' : ''}${ran.edges.has(line.key) ? ' ran' : ''}`} d=${line.path} marker-end=${`url(#arrow${ran.edges.has(line.key) ? '-ran' : ''})`} />`)}
        ${drawing.stations.map((station) => html`<${Station} key=${station.id} station=${station} step=${ran.nodes.get(station.id)} />`)}
      </svg>
    </div>`;
}

function Station({ station, step }) {
  const formats = useFormats();
  const { id, x, y, width, lines } = station;
  if (id in ENDS) return html`<circle class=${`end ${step ? 'done' : ''}`} cx=${x} cy=${y} r="5" />`;
  const state = step?.state ?? 'idle';
  return html`
    <g class=${`station ${state}`}>
      <rect x=${x - width / 2} y=${y - HEIGHT / 2} width=${width} height=${HEIGHT} rx="6" />
      ${lines.map((line, at) => html`<text key=${at} x=${x} y=${y + 4 + (at - (lines.length - 1) / 2) * LINE}>${line}</text>`)}
      ${step && html`<text class="ms" x=${x} y=${y + HEIGHT / 2 + 11}>${step.times > 1 ? `${step.times} × ` : ''}${step.ms === null ? (step.state === 'running' ? '…' : '') : formats.ms(step.ms)}</text>`}
    </g>`;
}

/** What ran: per node its last state and all its time, and the edges between one step and the next. */
function walked(steps) {
  const nodes = new Map();
  for (const { node, state, ms } of steps) {
    const before = nodes.get(node) ?? { times: 0, ms: null };
    const time = ms === undefined ? before.ms : (before.ms ?? 0) + ms;
    nodes.set(node, { state, times: before.times + 1, ms: time });
  }
  const path = steps.map((step) => step.node);
  const edges = new Set(path.slice(1).map((node, at) => `${path[at]} ${node}`));
  if (path.length) {
    nodes.set('__start__', { state: 'done', times: 1, ms: 0 });
    edges.add(`__start__ ${path[0]}`);
  }
  if (path.length && steps.every((step) => step.state === 'done')) {
    nodes.set('__end__', { state: 'done', times: 1, ms: 0 });
    edges.add(`${path.at(-1)} __end__`);
  }
  return { nodes, edges };
}

/** Coordinates for everything that is drawn. */
function place(graph) {
  const ids = graph.nodes.map((node) => node.id ?? node);
  const { layers, routes } = layered(ids, graph.edges);
  const rows = Math.max(...layers.map((layer) => layer.length));
  const height = Math.max(2, rows) * ROW;
  const spots = new Map();
  let left = 4;
  for (const layer of layers) {
    const widest = Math.max(...layer.map((id) => (ids.includes(id) ? widthOf(id) : 0)), 10);
    layer.forEach((id, at) => {
      const y = ((at + 0.5) * height) / layer.length;
      spots.set(id, { id, x: left + widest / 2, y, width: ids.includes(id) ? widthOf(id) : 0, column: widest });
    });
    left += widest + GAP;
  }
  const stations = ids.map((id) => ({ ...spots.get(id), lines: id.split('_').filter(Boolean) }));
  const lines = routes.map((route) => ({
    key: `${route.from} ${route.to}`,
    conditional: route.conditional,
    path: route.back ? loop(spots.get(route.from), spots.get(route.to)) : curve(route.via.map((id) => spots.get(id))),
  }));
  const below = routes.some((route) => route.back) ? 24 : 0;
  return { width: left - GAP + 4, height: height + below, stations: stations.map(short), lines };
}

function widthOf(id) {
  if (id in ENDS) return 10;
  return Math.max(...short({ lines: id.split('_') }).lines.map((line) => line.length)) * LETTER + 14;
}

/** Two lines at most: words of a name are put together until they fit. */
function short(station) {
  const { lines } = station;
  if (lines.length < 3) return station;
  const half = lines.join(' ').length / 2;
  let first = lines[0];
  let at = 1;
  while (at < lines.length - 1 && first.length + lines[at].length < half + 2) first += ` ${lines[at++]}`;
  return { ...station, lines: [first, lines.slice(at).join(' ')] };
}

function curve(stops) {
  const [first] = stops;
  let path = `M${first.x + first.width / 2} ${first.y}`;
  stops.slice(1).forEach((to, at) => {
    const from = stops[at];
    const start = at === 0 ? from.x + from.width / 2 : from.x + from.column / 2;
    const end = to.width ? to.x - to.width / 2 - 2 : to.x - to.column / 2;
    const middle = (start + end) / 2;
    path += ` C${middle} ${from.y} ${middle} ${to.y} ${end} ${to.y}`;
    if (!to.width) path += ` H${to.x + to.column / 2}`;
  });
  return path;
}

/** An edge that goes back: out below and in below. */
function loop(from, to) {
  const low = Math.max(from.y, to.y) + HEIGHT / 2 + 34;
  // At the corners, where the times do not stand.
  const [start, end] = [from.x + from.width / 2 - 6, to.x + to.width / 2 - 8];
  return `M${start} ${from.y + HEIGHT / 2} C${start} ${low} ${end} ${low} ${end} ${to.y + HEIGHT / 2 + 2}`;
}

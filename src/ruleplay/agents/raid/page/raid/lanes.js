// A pull as lanes over one time: what the raid took, what was healed, who died when, and what was cast.

import { html, useMemo, useState } from '../../vendor/preact.js';
import { Choice } from './choices.js';
import { clock } from './figures.js';
import { RawLines } from './lines.js';
import { Marks } from './marks.js';
import { END, Playback } from './playback.js';
import { useTimeline, useTool } from './reports.js';

const WIDTH = 640;
const LANE = 46;
const LOW = 26;
const AREAS = ['taken', 'healing', 'deaths'];
const CASTS = ['casts', 'cooldowns', 'boss'];
const LEFT = 108;
const ZOOMS = { all: Infinity, end: 30, wipe: END };
const NONE = [];
const COLOURS = { 'Death Knight': '#c41e3a', 'Demon Hunter': '#a330c9', Druid: '#ff7c0a', Evoker: '#33937f', Hunter: '#8aae4f', Mage: '#3fb5d8', Monk: '#00c983', Paladin: '#f48cba', Priest: '#9aa0a6', Rogue: '#c9b53a', Shaman: '#0070dd', Warlock: '#8788ee', Warrior: '#b98f5f' };

export const classColour = (name) => COLOURS[name] ?? 'var(--edge)';

export function Lanes({ of, seconds, playback, t }) {
  const [zoom, look] = useState('all');
  const [player, choose] = useState('');
  const [lines, open] = useState(null);
  const step = zoom === 'all' ? Math.max(1, Math.ceil(seconds / 120)) : 1;
  const times = useTool('get_damage_timeline', { ...of, step_seconds: step }).value?.rows ?? NONE;
  const deaths = useTool('get_death_analysis', of).value?.rows ?? NONE;
  const raid = useTool('get_fight_details', of).value?.rows ?? NONE;
  const cast = useTimeline(of, player).value ?? NONE;
  const { at } = playback;
  const from = Math.max(0, seconds - ZOOMS[zoom]);
  const x = (moment) => LEFT + ((Math.max(from, moment) - from) / Math.max(1, seconds - from)) * (WIDTH - LEFT - 12);
  const fallen = deaths.filter((row) => row.at >= from);
  const dead = new Set(deaths.filter((row) => row.at <= (at ?? 0)).map((row) => row.player));
  const high = AREAS.length * LANE + CASTS.length * LOW;
  const below = (lane) => AREAS.length * LANE + lane * LOW;
  // What does not move with the time is drawn once.
  const still = useMemo(() => {
    const shown = times.filter((row) => row.at + step >= from);
    const own = raid.find((row) => row.player === player);
    const spell = (first, last) => open((before) => (before?.first === first ? null : { first, last }));
    return html`
      ${AREAS.map((name, lane) => html`<g key=${name}><rect class="lane" x=${LEFT} y=${lane * LANE + 2} width=${WIDTH - LEFT - 12} height=${LANE - 4} rx="4" /><text class="name" x="0" y=${lane * LANE + LANE / 2 + 4}>${t(`lane.${name}`)}</text></g>`)}
      ${CASTS.map((name, lane) => html`<g key=${name}><rect class="lane" x=${LEFT} y=${below(lane) + 2} width=${WIDTH - LEFT - 12} height=${LOW - 4} rx="4" /><text class="name" x="0" y=${below(lane) + LOW / 2 + 4}>${t(`lane.${name}`)}</text>${name === 'casts' && !player && html`<text class="tick" x=${LEFT + 8} y=${below(lane) + LOW / 2 + 4}>${t('lane.choose')}</text>`}</g>`)}
      <path class="taken" d=${area(shown, 'damage_taken', 0, x, step)} />
      <path class="healing" d=${area(shown, 'healing', 1, x, step)} />
      ${CASTS.map((name, lane) => html`<${Marks} key=${`${name} ${player}`} name=${name} marks=${(cast[name] ?? []).filter((mark) => mark.at >= from)} x=${x} top=${below(lane)} high=${LOW} who=${name !== 'casts'} colour=${name === 'casts' && own ? classColour(own.class) : ''} open=${spell} />`)}
      ${ticks(from, seconds).map((moment) => html`<text key=${moment} class="tick" x=${x(moment)} y=${high + 14} text-anchor="middle">${clock(moment)}</text>`)}`;
  }, [times, raid, cast, from, seconds, player, t('lanes')]);
  return html`
    <section class="lanes" aria-labelledby="lanes-title">
      <h3 id="lanes-title">${t('lanes')}</h3>
      <div class="fields">
        <div class="segments" role="group" aria-label=${t('lanes')}>${Object.keys(ZOOMS).map((name) => html`<button key=${name} type="button" aria-pressed=${String(zoom === name)} onClick=${() => look(name)}>${t(`zoom.${name}`)}</button>`)}</div>
        <${Choice} label=${t('lane.whose')} values=${raid.map((row) => row.player)} value=${player} onChange=${choose} empty=${t('everyone')} />
      </div>
      <svg viewBox=${`0 0 ${WIDTH} ${high + 20}`} role="group" aria-label=${`${t('lanes')}: ${fallen.map((row) => `${clock(row.at)} ${row.player}`).join(', ')}`}>
        ${still}
        ${fallen.map((row, place) => html`<g key=${place} class=${`body${at !== null && row.at > at ? ' yet' : ''}`} transform=${`translate(${x(row.at)} ${2 * LANE + LANE / 2})`}><title>${`${clock(row.at)} ${row.player}`}</title><path class="since" d=${`M0 ${-2 * LANE - LANE / 2 + 4}V${-12}`} /><circle r="10" style=${`fill: ${classColour(row.class)}`} /><path class="cross" d="M-4-4l8 8M4-4l-8 8" /></g>`)}
        ${at !== null && at >= from && html`<path class="now" d=${`M${x(at).toFixed(1)} 0V${high}`} />`}
      </svg>
      <${Playback} playback=${playback} seconds=${seconds} from=${from} alive=${raid.length - dead.size} end=${() => look('wipe')} t=${t} />
      ${lines && html`<${RawLines} key=${lines.first} report=${of.report_code} first=${lines.first} last=${Math.min(lines.last, lines.first + 39)} t=${t} />`}
    </section>`;
}

function area(rows, column, lane, x, step) {
  const most = Math.max(1, ...rows.map((row) => row[column] ?? 0));
  const floor = (lane + 1) * LANE - 3;
  if (!rows.length) return '';
  const tops = rows.map((row) => `${x(row.at).toFixed(1)} ${(floor - ((row[column] ?? 0) / most) * (LANE - 10)).toFixed(1)}`);
  return `M${x(rows[0].at)} ${floor}L${tops.join('L')}L${x(rows.at(-1).at + step).toFixed(1)} ${floor}Z`;
}

function ticks(from, to) {
  const wide = [1, 2, 5, 10, 15, 30, 60, 120, 300].find((size) => (to - from) / size <= 7) ?? 600;
  const found = [];
  for (let at = Math.ceil(from / wide) * wide; at <= to; at += wide) found.push(at);
  return found;
}

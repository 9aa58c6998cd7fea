// An arena begun here: battles one after the other against one opponent, and how many were won so far.

import { html, useEffect, useRef, useState } from '../../vendor/preact.js';
import { pause, Problem } from '../../api.js';
import { Trouble } from '../../components/notices.js';
import { useFormats } from '../../preferences.js';
import { battles, startBattle, stopBattle } from './api.js';
import { tenths } from './frames.js';
import { wilson } from './wilson.js';

const OPPONENTS = ['heuristics', 'maxdamage', 'random'];
const SIZES = [4, 10, 20, 50];
const LOOK_MS = 1000;

export function Series({ t }) {
  const [asked, ask] = useState({ opponent: OPPONENTS[0], size: SIZES[0] });
  const [results, tell] = useState(null);
  const [playing, play] = useState(false);
  const [problem, fail] = useState(null);
  const run = useRef(null);
  const stop = () => {
    const { current } = run;
    run.current = null;
    play(false);
    if (current?.id) stopBattle(current.id).catch(() => {});
  };
  // Whoever leaves the page plays no further battle.
  useEffect(() => stop, []);
  const start = async (event) => {
    event.preventDefault();
    const own = { id: '' };
    run.current = own;
    fail(null);
    tell([]);
    play(true);
    try {
      for (let number = 0; number < asked.size && run.current === own; number += 1) {
        const result = await battle(own, () => run.current === own, asked.opponent);
        if (result) tell((before) => [...before, result]);
      }
    } catch (error) {
      fail(error);
    }
    if (run.current === own) stop();
  };
  const change = (patch) => ask((before) => ({ ...before, ...patch }));
  return html`
    <form class="form series" onSubmit=${start}>
      <p class="hint">${t('series.more')}</p>
      <label>${t('start.opponent')}
        <select disabled=${playing} onChange=${(event) => change({ opponent: event.target.value })}>${OPPONENTS.map((name) => html`<option key=${name} value=${name} selected=${name === asked.opponent}>${t(`opponent.${name}`)}</option>`)}</select></label>
      <label>${t('series.size')}
        <select disabled=${playing} onChange=${(event) => change({ size: Number(event.target.value) })}>${SIZES.map((size) => html`<option key=${size} value=${size} selected=${size === asked.size}>${size}</option>`)}</select></label>
      ${playing ? html`<button type="button" onClick=${stop}>${t('series.stop')}</button>` : html`<button type="submit" class="primary">${t('series.start')}</button>`}
      ${results && html`<${Score} results=${results} size=${asked.size} playing=${playing} t=${t} />`}
      <${Trouble} problem=${problem} />
    </form>`;
}

/** One battle, waited for to its end; nothing when it was stopped, an error when it could not be played. */
async function battle(own, wanted, opponent) {
  own.id = (await startBattle({ opponent, format: 'gen9randombattle', search_ms: 100, hold: 0 })).id;
  for (;;) {
    await pause(LOOK_MS);
    const found = wanted() && (await battles()).battles.find((one) => one.id === own.id);
    if (found?.problem) throw new Problem(found.problem);
    if (!found || found.status === 'cancelled') return null;
    if (found.result) {
      own.id = '';
      return found.result;
    }
  }
}

function Score({ results, size, playing, t }) {
  const count = (wanted) => results.filter((one) => one === wanted).length;
  const won = count('win') + count('tie') / 2;
  const formats = useFormats();
  return html`
    <div class="score" role="status">
      <p>${playing && html`<span class="pulse"></span> `}<b>${t('series.done', results.length, size)}</b>${results.length > 0 && html` · ${t('arena.facts', count('win'), count('loss'), count('tie'))}`}</p>
      ${results.length > 0 && html`<p class="facts">${t('arena.rate', ...wilson(won, results.length).map((share) => formats.number(tenths(share))))}</p>`}
      <ol class="outcomes" aria-hidden="true">${Array.from({ length: size }, (_, at) => html`<li key=${at} class=${results[at] ?? ''}></li>`)}</ol>
    </div>`;
}

// The battle agent's own page: start a battle and watch it, look at arenas, have a replay reviewed.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { Loading, Trouble, told } from '../../components/notices.js';
import { useResource } from '../../resources.js';
import { go } from '../../router.js';
import { battles, startBattle, stopBattle } from './api.js';
import { Arenas } from './arenas.js';
import { Calculator } from './calculator.js';
import { Duel, Levels, OURS } from './duel.js';
import { formatTold } from './frames.js';
import { ReviewForm } from './review.js';
import { Series } from './series.js';

const OPPONENTS = ['heuristics', 'maxdamage', 'random', 'self'];
const FORMATS = ['gen9randombattle', 'gen9randomdoublesbattle', 'gen8randombattle', 'gen4randombattle'];
const LOOK_MS = 500;

export function Front({ t }) {
  const playing = new URLSearchParams(window.location.search).get('play');
  if (playing) return html`<${Duel} id=${playing} t=${t} />`;
  return html`
    <div class="battle-front">
      <section aria-labelledby="battle-play"><h2 id="battle-play">${t('duel.title')}</h2><${Levels} t=${t} /></section>
      <section aria-labelledby="battle-start"><h2 id="battle-start">${t('start.title')}</h2><${Start} t=${t} /></section>
      <section aria-labelledby="battle-review"><h2 id="battle-review">${t('review.title')}</h2><${ReviewForm} t=${t} /></section>
      <section aria-labelledby="battle-calc"><h2 id="battle-calc">${t('calc.title')}</h2><${Calculator} t=${t} /></section>
      <section aria-labelledby="battle-arenas"><h2 id="battle-arenas">${t('arena.title')}</h2><${Series} t=${t} /><${Arenas} t=${t} /></section>
    </div>`;
}

function Start({ t }) {
  const [given, set] = useState({ opponent: OPPONENTS[0], format: FORMATS[0], search_ms: 100, hold: 0 });
  const [waiting, wait] = useState('');
  const [problem, fail] = useState(null);
  const { list, look } = useBattles();
  // A battle of ours whose session has come is shown at once.
  const ours = list?.find((battle) => battle.id === waiting);
  useEffect(() => {
    if (ours?.session) go(`/s/${ours.session}`);
    else if (ours?.problem) {
      fail(ours.problem);
      wait('');
    }
  }, [ours?.session, ours?.problem]);
  const submit = async (event) => {
    event.preventDefault();
    fail(null);
    wait('…');
    try {
      wait((await startBattle(given)).id);
      look();
    } catch (error) {
      wait('');
      fail(error);
    }
  };
  const change = (patch) => set((before) => ({ ...before, ...patch }));
  return html`
    <div class="stack">
      <form class="form" onSubmit=${submit}>
        <p class="hint">${t('start.more')}</p>
        <label>${t('start.opponent')}
          <select onChange=${(event) => change({ opponent: event.target.value })}>${OPPONENTS.map((name) => html`<option key=${name} value=${name} selected=${name === given.opponent}>${t(`opponent.${name}`)}</option>`)}</select></label>
        <label>${t('start.format')}
          <select onChange=${(event) => change({ format: event.target.value })}>${FORMATS.map((name) => html`<option key=${name} value=${name} selected=${name === given.format}>${formatTold(name, t)}</option>`)}</select></label>
        <label>${t('start.search')}
          <input type="number" required min="0" max="5000" value=${given.search_ms} onInput=${(event) => change({ search_ms: Number(event.target.value) })} /></label>
        <label>${t('start.hold')}
          <input type="number" required min="0" max="120" value=${given.hold} onInput=${(event) => change({ hold: Number(event.target.value) })} /></label>
        <button type="submit" class="primary" disabled=${Boolean(waiting)}>${t('start')}</button>
        ${waiting && html`<p class="hint" role="status"><span class="pulse"></span> ${t('starting')}</p>`}
        <${Trouble} problem=${problem} />
      </form>
      ${list === undefined ? html`<${Loading} lines=${2} />` : html`<${Running} list=${list} look=${look} t=${t} />`}
    </div>`;
}

/** The battles that this server started, looked at again while one of them is under way. */
function useBattles() {
  const [asked, ask] = useState(0);
  const found = useResource('battles', battles, { fresh: true, again: asked });
  const list = found === null ? undefined : found?.battles ?? [];
  const open = list?.some((battle) => battle.status === 'starting' || battle.status === 'running');
  useEffect(() => {
    if (!open) return undefined;
    const timer = setTimeout(() => ask((count) => count + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [open, list]);
  return { list, look: () => ask((count) => count + 1) };
}

function Running({ list, look, t }) {
  if (!list.length) return null;
  const stop = (battle) => stopBattle(battle.id).then(look, look);
  return html`
    <section aria-labelledby="battles-running">
      <h3 id="battles-running">${t('battles.running')}</h3>
      <ul class="list">${list.map((battle) => html`
        <li key=${battle.id}>
          <span class="grow">${t('against')} <b>${t(`opponent.${battle.opponent}`)}</b> <span class="facts">${formatTold(battle.format, t)} · ${t(`bout.${battle.status}`)}${battle.result ? ` · ${battle.opponent === 'you' ? t(`duel.${OURS[battle.result]}`) : t(`result.${battle.result}`)}` : ''}</span></span>
          ${battle.problem && html`<span class="trouble">${told(battle.problem, t)}</span>`}
          ${battle.opponent === 'you' && battle.status !== 'failed' && html`<a class="button" href=${`/a/battle?play=${battle.id}`}>${t(battle.result ? 'duel.log' : 'duel.go-on')}</a>`}
          ${battle.session && html`<a class="button" href=${`/s/${battle.session}`}>${t('battle.watch')}</a>`}
          ${(battle.status === 'starting' || battle.status === 'running') && html`<button type="button" onClick=${() => stop(battle)}>${t('battle.stop')}</button>`}
        </li>`)}</ul>
    </section>`;
}

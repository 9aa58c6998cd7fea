// A battle against the agent: the field, what one may do, and what has happened.

import { html, useEffect, useLayoutEffect, useState } from '../../vendor/preact.js';
import { Loading, told, Trouble } from '../../components/notices.js';
import { shortcutsOn } from '../../preferences.js';
import { go } from '../../router.js';
import { giveOrder, reviewOf, seatOf, startBattle, stopBattle } from './api.js';
import { Board } from './board.js';
import { Chance } from './chance.js';
import { choices, chosenBy, whole } from './frames.js';
import { Orders } from './orders.js';
import { Log } from './told.js';

export const LEVELS = { gentle: 0, even: 100, sharp: 1000 };
const OPEN = new Set(['starting', 'running']);
const later = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** Levels to start at; one click begins. */
export function Levels({ t }) {
  const [starting, start] = useState('');
  const [problem, fail] = useState(null);
  const begin = async (level) => {
    if (starting) return;
    start(level);
    fail(null);
    try {
      go(`/a/battle?play=${(await play(LEVELS[level])).id}`);
    } catch (error) {
      start('');
      fail(error.status === 409 ? new Error(t('duel.full')) : error);
    }
  };
  return html`
    <div class="stack">
      <p class="hint">${t('duel.more')}</p>
      <div class="levels">${Object.keys(LEVELS).map((level) => html`
        <button key=${level} type="button" class=${level === 'even' ? 'primary' : ''} aria-disabled=${Boolean(starting)} onClick=${() => begin(level)}>
          <b>${t(`level.${level}`)}</b> <span>${t(`level.${level}.what`)}</span></button>`)}</div>
      ${starting && html`<p class="hint" role="status"><span class="pulse"></span> ${t('starting')}</p>`}
      <${Trouble} problem=${problem} />
    </div>`;
}

const play = (milliseconds) => startBattle({ opponent: 'you', search_ms: milliseconds });

export function Duel({ id, t }) {
  const { seat, problem } = useSeat(id);
  const [sent, send] = useState({ request: -1 });
  const [tera, wish] = useState(false);
  const position = seat?.position && whole(seat.position);
  const request = position?.request_id ?? 0;
  const waiting = !seat?.asked || sent.request === request;
  const order = async (chosen) => {
    if (waiting) return;
    send({ request });
    wish(false);
    try {
      await giveOrder(id, request, chosen);
    } catch (error) {
      send({ request: -1, problem: error });
    }
  };
  useKeys(position, waiting, tera, wish, order);
  if (problem) return html`<div class="duel battle stack"><${Trouble} problem=${problem.status === 404 ? new Error(t('duel.gone')) : problem} /><p><a class="button" href="/a/battle">${t('duel.new')}</a></p></div>`;
  if (!seat) return html`<${Loading} lines=${6} />`;
  const open = OPEN.has(seat.battle.status);
  return html`
    <section class="duel battle" aria-labelledby="duel-title">
      <h2 id="duel-title" class="unseen">${t('duel.title')}</h2>
      <div class="duel-field stack">
        <${Chance} share=${seat.chance} us=${t('duel.you')} them="Ruleplay" t=${t} />
        ${position ? html`<${Board} position=${position} names=${seat.names} t=${t} />` : html`<p class="hint" role="status"><span class="pulse"></span> ${t('starting')}</p>${open && html`<p><button type="button" onClick=${() => stopBattle(id).finally(() => go('/a/battle'))}>${t('duel.stop')}</button></p>`}`}
      </div>
      <div class="duel-orders stack">
        ${open
    ? position && html`<${Orders} position=${position} moves=${seat.moves} waiting=${waiting} tera=${tera} wish=${wish} order=${order} t=${t} />`
    : html`<${Ended} battle=${seat.battle} t=${t} />`}
        <${Trouble} problem=${sent.problem} />
      </div>
      <${Log} lines=${seat.log} us=${position?.ours.team[0]?.ident.slice(0, 2) ?? 'p2'} t=${t} />
    </section>`;
}

/** What the server knows of the seat, asked again and again until the battle is over. */
function useSeat(id) {
  const [seat, see] = useState(null);
  const [problem, fail] = useState(null);
  useEffect(() => {
    let here = true;
    const follow = async () => {
      for (let after = -1, failures = 0; here && failures < 8;) {
        try {
          const answer = await seatOf(id, after);
          if (!here) return;
          see(answer);
          fail(null);
          if (!OPEN.has(answer.battle.status)) return;
          after = answer.version;
          failures = 0;
        } catch (error) {
          failures = error.status === 404 ? 8 : failures + 1;
          if (here && failures > 2) fail(error);
          await later(500 * failures);
        }
      }
    };
    see(null);
    fail(null);
    follow();
    return () => {
      here = false;
    };
  }, [id]);
  return { seat, problem };
}

/** Digits choose, T terastallizes; off where single keys are turned off, and while one types. */
function useKeys(position, waiting, tera, wish, order) {
  // With the drawing, not after it: whoever sees the choices may press a key at once.
  useLayoutEffect(() => {
    const pressed = (event) => {
      if (waiting || !position || event.ctrlKey || event.metaKey || event.altKey || !shortcutsOn()) return;
      if (event.target.closest?.('input, textarea, select, dialog')) return;
      const given = choices(position, tera);
      const chosen = /^\d$/.test(event.key) && chosenBy(Number(event.key), given);
      if (event.key.toLowerCase() === 't' && given.mayTera) wish(!tera);
      else if (chosen) order(chosen);
      else return;
      event.preventDefault();
    };
    // Before the page's own single keys, which would take a digit for a quick reply.
    window.addEventListener('keydown', pressed, true);
    return () => window.removeEventListener('keydown', pressed, true);
  });
}

/** What an end is to the person: the server tells of the agent's side. */
export const OURS = { win: 'loss', loss: 'win', tie: 'tie' };

function Ended({ battle, t }) {
  const [state, become] = useState({ step: '' });
  const lookBack = async () => {
    become({ step: 'review' });
    try {
      go(`/review/${(await reviewOf(battle.id, t('duel.player'))).id}`);
    } catch (error) {
      become({ step: '', problem: error });
    }
  };
  const result = OURS[battle.result];
  return html`
    <div class="ended stack" role="status">
      <h3 class=${`verdict ${result ?? ''}`}>${result ? t(`duel.${result}`) : battle.problem ? told(battle.problem, t) : t(`bout.${battle.status}`)}</h3>
      <p class="row">
        <a class="button primary" href="/a/battle">${t('duel.again')}</a>
        ${result && html`<button type="button" aria-disabled=${state.step === 'review'} onClick=${() => state.step || lookBack()}>${t('duel.review')}</button>`}
        ${battle.session && html`<a class="button" href=${`/s/${battle.session}`}>${t('duel.thoughts')}</a>`}
      </p>
      ${state.step === 'review' && html`<p class="hint"><span class="pulse"></span> ${t('review.running')}</p>`}
      <${Trouble} problem=${state.problem} />
    </div>`;
}

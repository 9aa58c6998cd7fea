// Who sits where, and how the session plays on by itself; for agents whose seats are guarded.

import { html, useEffect, useState } from '../vendor/preact.js';
import { cancel, leave, pause, playOn, sit } from '../actions.js';
import { Icon } from '../icons.js';
import { canAsk, ask, tellAside } from '../notifications.js';
import { useFormats, useWords } from '../preferences.js';
import { looksOn, mayMove, yourTurn } from '../session.js';
import { More, told } from './notices.js';

const SECOND = 1000;
const PATIENCES = [20, 60, 180, 600];

export function TableBar({ session }) {
  const t = useWords();
  const mine = yourTurn(session);
  useEffect(() => {
    if (mine) tellAside(session.title, t('table.you-move'));
  }, [mine]);
  if (!session.public_seat) return null;
  const table = session.table ?? expected(session);
  return html`
    <section class="table-bar" aria-label=${t('table')}>
      <ul class="seats">${table.seats.map((seat) => html`<${Seat} key=${seat.seat} seat=${seat} session=${session} moves=${seat.seat === table.moves} />`)}</ul>
      ${table.autoplay && html`<${Pace} session=${session} autoplay=${table.autoplay} />`}
    </section>`;
}

/** Whoever sits may be told of their turn while they look elsewhere; the browser asks them once. */
function TellMe() {
  const t = useWords();
  const [open, set] = useState(canAsk);
  if (!open) return null;
  return html`<button type="button" class="quiet" onClick=${() => ask().finally(() => set(false))}><${Icon} name="clock" />${t('table.tell')}</button>`;
}

/** The bar as it will be, until the server has said who sits where: nothing moves when it does. */
function expected(session) {
  const seats = (session.view?.seats ?? []).map(({ seat }) => ({ seat, held: false, yours: false }));
  const moves = session.view?.seats?.find?.((one) => one.to_move)?.seat ?? '';
  return { seats, moves, autoplay: { state: 'idle', running: false } };
}

/** The name of a seat, as the agent's view has it. */
export function seatName(session, seat) {
  return session.view?.seats?.find?.((one) => one.seat === seat)?.name ?? seat;
}

/** Who took a turn, as its reader calls them. */
export const whoOf = (session, seat, t) => (!session.public_seat && seat === session.reads ? t('you') : seatName(session, seat));

function Seat({ seat, session, moves }) {
  const t = useWords();
  const name = seatName(session, seat.seat);
  const here = seat.seat === session.seat;
  const mark = moves && html`<span class="moves" title=${t('table.moves')}><span aria-hidden="true">▸</span><span class="unseen">${t('table.moves')}: </span></span>`;
  return html`
    <li class=${here ? 'here' : ''}>
      ${mark}<span class="name">${name}</span>
      ${here && html`<button type="button" aria-label=${t('table.leave', name)} onClick=${() => leave(seat.seat)}>${t('table.leave.short')}</button>`}
      ${!here && seat.yours && html`<a class="button" href=${`/s/${session.id}?seat=${encodeURIComponent(seat.seat)}`}>${t('table.yours')}</a>`}
      ${!seat.held && html`<button type="button" aria-label=${t('table.sit', name)} disabled=${!session.table} onClick=${() => sit(seat.seat)}>${t('table.sit.short')}</button>`}
      ${seat.held && !seat.yours && html`<span class="facts">${t('table.held')}</span>`}
    </li>`;
}

function Pace({ session, autoplay }) {
  const t = useWords();
  const formats = useFormats();
  const [patience, wait] = useState(60);
  const going = autoplay.running;
  const held = !mayMove(session); // where others sit, the pace is theirs
  return html`
    <div class="pace">
      <p class="facts" role="status"><${Progress} session=${session} autoplay=${autoplay} /></p>
      ${going && html`<p class="facts">${t('spent', formats.cost(session.spent ?? 0))}</p>`}
      ${!going && html`
        <button type="button" disabled=${held} onClick=${() => playOn({ patience })}>${t('pace.on')}</button>
        <button type="button" disabled=${held} onClick=${() => playOn({ rounds: 1, patience })}>${t('pace.round')}</button>
        <button type="button" disabled=${held} onClick=${() => playOn({ moves: 1, patience })}>${t('pace.step')}</button>
        <label class="inline">${t('pace.patience')} <select onChange=${(event) => wait(Number(event.target.value))}>${PATIENCES.map((seconds) => html`<option key=${seconds} value=${seconds} selected=${seconds === patience}>${t('pace.seconds', seconds)}</option>`)}</select></label>`}
      ${going && html`<button type="button" disabled=${held || autoplay.state === 'pausing'} onClick=${pause}><${Icon} name="stop" />${t('pace.pause')}</button>`}
      ${!looksOn(session) && html`<${TellMe} />`}
      ${session.live && !held && html`<button type="button" class="quiet" onClick=${cancel}>${t('stop')}</button>`}
    </div>`;
}

function Progress({ session, autoplay }) {
  const t = useWords();
  const left = useSecondsLeft(autoplay.until);
  const who = autoplay.seat && seatName(session, autoplay.seat);
  if (autoplay.state === 'waiting') return t('pace.waiting', who, left);
  const problem = { detail: autoplay.problem };
  if (autoplay.state === 'failed') return html`${t('pace.failed', told(problem, t))} <${More} problem=${problem} t=${t} />`;
  return t(`pace.${autoplay.state}`, who);
}

/** The seconds until a time, counted down once a second. */
function useSecondsLeft(until) {
  const [now, tick] = useState(Date.now());
  useEffect(() => {
    if (!until) return undefined;
    tick(Date.now());
    const timer = setInterval(() => tick(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [until]);
  return until ? Math.max(0, Math.round((Date.parse(until) - now) / SECOND)) : 0;
}

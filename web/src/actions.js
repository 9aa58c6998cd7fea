// What a reader can do, and how the open session follows the server. Components call these.

import { api, newKey, Problem, wake } from './api.js';
import { listen } from './events.js';
import { go } from './router.js';
import { busy, fixed, follow, loaded, looksOn, newestBelow } from './session.js';
import { store } from './store.js';
import { keep } from './traces.js';

let stop = () => {};
/** Items that came while the session was being read; null while none is. */
let queued = null;
/** How long a session that could not be read anew is left alone; what comes meanwhile waits. */
const AGAIN_MS = 1000;
/** How long to wait before the seats are looked at again. */
const LOOK_MS = 150;
let looking = 0;
/** Which reading of a session is the last one asked for: only its answer counts. */
let reading = 0;

/** Show a problem in words, or ask for the token. */
export function report(problem) {
  if (!(problem instanceof Problem)) throw problem;
  if (problem.status === 401) store.set({ dialog: 'login' });
  else store.set({ problem });
}

async function attempt(work) {
  try {
    return await work();
  } catch (problem) {
    report(problem);
    return undefined;
  }
}

/** Follow a session until another one is opened or `closeSession` is called. */
export function openSession(id, seat) {
  closeSession();
  store.set({ session: { id, seat, turns: [], branches: [], status: 'loading' }, selected: null });
  queued = [];
  stop = listen(api.eventsUrl(id, seat), {
    onItems: take,
    onOpen: (resumed) => {
      store.set({ connection: 'open' });
      wake();
      if (!resumed) reread();
    },
    onLost: () => {
      store.set({ connection: 'lost' });
      // A session that is not there has no stream either; its own answer says so.
      if (store.get().session?.status === 'loading') reread();
    },
  });
  showAtOnce(id, seat);
}

/** Open a session and return whose it is once that is known, which it is not where something is wrong. */
export function opened(id, seat) {
  openSession(id, seat);
  return new Promise((resolve) => {
    const forget = store.watch(({ session }) => {
      if (session?.status === 'loading') return;
      forget();
      resolve(session?.agent);
    });
  });
}

/** Show what is there before the stream is open: it is read again then, as something may have come between. */
async function showAtOnce(id, seat) {
  const waits = ({ session }) => session?.id === id && session.seat === seat && session.status === 'loading';
  try {
    const answer = await api.session(id, seat);
    if (waits(store.get())) store.set(({ session }) => ({ session: { ...loaded(answer, session), seat, status: 'ready' } }));
  } catch {
    // What is wrong is told by the reading that follows the stream.
  }
}

export function closeSession() {
  stop();
  stop = () => {};
  reading += 1;
  queued = null;
  store.set({ session: null, connection: 'closed', highlight: null, cited: null, problem: null });
}

function take(items) {
  if (queued) {
    queued.push(...items);
    return;
  }
  let { session } = store.get();
  if (!session) return;
  for (const item of items) {
    session = follow(session, item);
    if (item.name === 'turn.committed') announce(item, session);
    if (item.name === 'turn.failed') putBack(session);
  }
  store.set({ session });
  if (session.lost) go(`/s/${session.id}`);
  else if (session.stale) reread();
  else if (items.some((item) => item.name === 'turn.committed')) lookAtSeats();
}

function announce(item, session) {
  store.set({ said: item.reply ?? item.played.reply });
  keep(item.turn, session.traces[item.turn]);
}

/** What was typed is not lost with a turn that failed. */
function putBack(session) {
  const mine = session.failed && (!session.public_seat || session.failed.seat === session.seat);
  if (mine && session.failed.message) store.set({ draft: session.failed.message });
}

/** Read the session anew; what the stream brings meanwhile is taken afterwards, in order. */
export async function reread() {
  const asked = ++reading;
  queued ??= [];
  const { id, seat } = store.get().session;
  try {
    const answer = await api.session(id, seat);
    if (asked !== reading) return;
    store.set(({ session }) => ({ session: { ...loaded(answer, session), seat, status: 'ready' } }));
    lookAtSeats();
  } catch (problem) {
    if (asked !== reading) return;
    // Whoever was given the address of another's seat sees the table as everybody does.
    if (problem.status === 403 && seat) return go(`/s/${id}`, { instead: true });
    const status = problem.status === 404 ? 'missing' : 'error';
    if (status === 'missing') stop(); // its stream would be asked for again and again
    if (problem.status === 401) store.set({ dialog: 'login' });
    if (store.get().session.status === 'loading' || status !== 'error') {
      store.set(({ session }) => ({ session: { ...session, status, problem } }));
    } else {
      setTimeout(() => asked === reading && reread(), AGAIN_MS);
      return;
    }
  }
  const waiting = queued ?? [];
  queued = null;
  take(waiting);
}

/** Who sits where, and how the session plays on; asked again once the turns come less fast. */
function lookAtSeats() {
  clearTimeout(looking);
  looking = setTimeout(async () => {
    const { session } = store.get();
    if (!session?.public_seat) return;
    // Without an answer the seats stay as they were; the next turn asks again.
    const table = await api.seats(session.id).catch(() => null);
    if (!table || here()?.id !== session.id) return;
    // What the stream has told meanwhile is newer than the answer.
    const told = here().table?.autoplay;
    change({ table: told === session.table?.autoplay ? table : { ...table, autoplay: told } });
  }, LOOK_MS);
}

const here = () => store.get().session;
const change = (patch) => store.set(({ session }) => (session ? { session: { ...session, ...patch } } : {}));

/** Send an input once: it is shown at once, and repeated under one key until the server has it. */
async function play(shown, send) {
  const { id } = here();
  const key = newKey();
  change({ sending: { ...shown, key }, failed: null, undone: null });
  store.set({ problem: null, selected: null });
  try {
    const { turn } = await send(id, key);
    const { session } = store.get();
    if (session?.sending?.key !== key) return;
    const arrived = session.live?.turn === turn || session.branches.some((b) => b.id === turn);
    change({ sending: arrived ? null : { ...session.sending, turn } });
  } catch (problem) {
    if (here()?.sending?.key === key) change({ sending: null });
    if (shown.message) store.set({ draft: shown.message });
    report(problem);
  }
}

export { busy };

export function say(message) {
  const text = message.trim();
  if (!text || busy(here()) || looksOn(here())) return Promise.resolve();
  const { seat } = here();
  return play({ message: text }, (id, key) => api.play(id, { message: text, seat }, key));
}

export function act(action) {
  if (busy(here()) || looksOn(here())) return Promise.resolve();
  const { seat } = here();
  return play({ message: '', action }, (id, key) => api.play(id, { action, seat }, key));
}

export function edit(number, message) {
  const { seat } = here();
  return play({ message: message.trim(), at: number }, (id, key) =>
    api.edit(id, seat, { turn: number, message: message.trim() }, key));
}

export function regenerate() {
  const { seat, turns } = here();
  if (!turns.length || fixed(here())) return Promise.resolve();
  return play({ message: '', again: true }, (id, key) => api.regenerate(id, seat, key));
}

export async function undo() {
  const { id, seat, turns, head } = here();
  if (!turns.length || fixed(here())) return;
  await attempt(async () => {
    await api.undo(id, seat);
    store.set({ selected: null });
    await reread();
    change({ undone: { turn: head, number: turns.length } });
  });
}

/** Go back to the turn that was taken back last. */
export async function restore() {
  const { undone } = here();
  if (undone) await goTo(undone.turn);
}

export async function goTo(turn, { newest = false } = {}) {
  const { id, seat } = here();
  await attempt(async () => {
    await api.goTo(id, seat, newest ? newestBelow(here(), turn) : turn);
    store.set({ selected: null });
    change({ undone: null });
    await reread();
  });
}

export async function fork(number) {
  if (fixed(here())) return;
  const forked = await attempt(() => api.fork(here().id, number));
  if (forked) go(`/s/${forked.id}`);
}

export async function cancel() {
  const { id, live } = here();
  if (!live) return;
  try {
    await api.cancel(id, live.turn);
  } catch (problem) {
    // Too late to stop: the committed turn is on its way, and undo takes it back.
    if (problem.status !== 409) report(problem);
  }
}

/** Sit down: the browser gets the seat's token as a cookie, and the page never sees it. */
export async function sit(seat, name = '') {
  const { id } = here();
  const sat = await attempt(() => api.sit(id, seat, name));
  if (sat) go(`/s/${id}?seat=${encodeURIComponent(seat)}`);
}

export async function leave(seat) {
  const { id } = here();
  const left = await attempt(() => api.leave(id, seat));
  if (left && here()?.seat === seat) go(`/s/${id}`);
}

/** Let the session play on: `{ rounds }`, `{ moves }`, or to its end. */
export async function playOn(given) {
  await attempt(() => api.autoplay(here().id, given));
}

export async function pause() {
  await attempt(() => api.pause(here().id));
}

export async function create(given) {
  const made = await attempt(() => api.create(given));
  if (made) go(`/s/${made.id}`);
}

export async function login(token) {
  await api.login(token);
  store.set({ dialog: null, problem: null });
  const { place } = store.get();
  if (place.name === 'session') openSession(place.session, place.seat);
  store.set(({ logins = 0 }) => ({ logins: logins + 1 }));
}

export const select = (turn) => store.set(({ looked = 0 }) => ({ selected: turn, looked: looked + 1 }));
export const highlight = (span) => store.set({ highlight: span });
/** Open what a reply points at in the agent's own view; `turn` is the number of the reply's turn. */
export const cite = (turn, id) => store.set({ cited: id === null ? null : { turn, id } });
/** Ask anew for whatever could not be had. */
export function askAgain() {
  store.set(({ logins = 0 }) => ({ problem: null, logins: logins + 1 }));
  if (here()?.status === 'error') reread();
}
export const dismiss = () => store.set({ problem: null });

// What the page knows of one session, and how the server's items change it. Pure: no network, no DOM.
//
// A session is read once and then follows the stream. `live` is the turn that runs: a draft that
// `turn.committed` replaces and `turn.failed` discards. `sending` is an input on its way out.

/** The session as the server's answer shows it, keeping what only this page knows. */
export function loaded(answer, before = {}) {
  const known = new Set(answer.turns.map((turn) => turn.turn));
  const live = before.live && known.has(before.live.turn) ? null : before.live ?? null;
  const sending = before.sending?.turn && known.has(before.sending.turn) ? null : before.sending;
  return {
    ...before,
    ...answer,
    branches: withAncestors(answer),
    live,
    sending: sending ?? null,
    traces: before.traces ?? {},
    failed: before.failed ?? null,
    stale: false,
    reads: answer.seat,
  };
}

/** Branches made here, and the turns that a fork shares with the session it came from. */
function withAncestors({ turns, branches = [] }) {
  const known = new Set(branches.map((branch) => branch.id));
  const shared = turns.filter((turn) => !known.has(turn.turn)).map(asBranch);
  return [...shared, ...branches];

  function asBranch(turn) {
    const parent = turns[turns.indexOf(turn) - 1]?.turn ?? null;
    return branchOf(turn, parent);
  }
}

function branchOf(turn, parent) {
  const { turn: id, number, seat, input, hidden = false } = turn;
  return { id, parent, number, seat, message: input?.message ?? '', hidden };
}

/** The session after one item of the stream; `stale` asks for the session to be read anew. */
export function follow(session, item) {
  switch (item.name) {
    case 'turn.started':
      return started(session, item);
    case 'turn.committed':
      return committed(session, item);
    case 'turn.failed':
      return failed(session, item);
    case 'head.moved':
      return item.head === session.head ? session : { ...session, stale: true };
    case 'resync':
      return { ...session, live: null, stale: true };
    case 'autoplay':
      return session.table ? { ...session, table: { ...session.table, autoplay: payload(item) } } : session;
    case 'seat.lost':
      return { ...session, lost: item.seat };
    default:
      return live(session, item);
  }
}

function started(session, item) {
  if (session.branches.some((branch) => branch.id === item.turn)) return session;
  const fresh = {
    turn: item.turn,
    number: item.number,
    seat: item.seat,
    input: { message: item.message ?? '', action: item.action ?? null },
    hidden: item.hidden ?? false,
    reply: '',
    steps: [],
    events: [],
    refused: [],
    tools: [],
  };
  return { ...session, live: fresh, failed: null, sending: settled(session.sending, fresh) };
}

/** Whether the running turn is the input that was being sent. */
function settled(sending, turn) {
  if (!sending) return null;
  const same = sending.turn
    ? sending.turn === turn.turn
    : sending.message === turn.input.message && !sending.again;
  return same ? null : sending;
}

function live(session, item) {
  const turn = session.live;
  if (!turn || turn.turn !== item.turn) return session;
  const changed = {
    text: () => ({ reply: turn.reply + item.text }),
    event: () => ({ events: [...turn.events, payload(item)] }),
    refused: () => ({ refused: [...turn.refused, { role: item.role, reason: item.reason }] }),
    tool: () => ({ tools: [...turn.tools, { tool: item.tool, args: item.args }] }),
    node: () => ({ steps: stepped(turn.steps, item) }),
  }[item.name];
  return changed ? { ...session, live: { ...turn, ...changed() } } : session;
}

function payload({ name: _name, turn: _turn, seq: _seq, ...body }) {
  return body;
}

/** Steps in the order they began; a node that runs twice has two. */
function stepped(steps, { node, state, ms }) {
  if (state === 'running') return [...steps, { node, state }];
  const place = steps.findLastIndex((step) => step.node === node && step.state === 'running');
  return steps.map((step, index) => (index === place ? { node, state, ms } : step));
}

function committed(session, item) {
  const { played } = item;
  const parent = item.parent ?? null;
  const at = parent === null ? 0 : session.turns.findIndex((turn) => turn.turn === parent) + 1;
  if (parent !== null && at === 0) return { ...session, live: null, stale: true };
  const traces = session.live?.turn === item.turn
    ? { ...session.traces, [item.turn]: session.live.steps }
    : session.traces;
  const known = session.branches.some((branch) => branch.id === item.turn);
  return {
    ...session,
    turns: [...session.turns.slice(0, at), played],
    branches: known ? session.branches : [...session.branches, branchOf(played, parent)],
    head: item.turn,
    view: item.view ?? session.view,
    spent: known ? session.spent : String(Number(session.spent ?? 0) + costOf(played)),
    live: session.live?.turn === item.turn ? null : session.live,
    sending: session.sending?.turn === item.turn ? null : session.sending,
    failed: null,
    undone: null,
    traces,
  };
}

const costOf = ({ calls = [] }) => calls.reduce((sum, call) => sum + Number(call.cost ?? 0), 0);

function failed(session, item) {
  const turn = session.live;
  if (turn?.turn !== item.turn) return session;
  const { seat, input } = turn;
  return { ...session, live: null, failed: { reason: item.reason, message: input.message, seat } };
}

/** Whether a new input has to wait; at a table others may act while one does. */
export const busy = (session) => Boolean(session?.sending || (session?.live && !session.public_seat));

/** Whether it is the reader's own move at a table that others play at too. */
export const yourTurn = ({ table, seat, public_seat: looking }) => Boolean(table && seat && seat !== looking && table.moves === seat);

/** Whether the reader looks on from a seat that never acts. */
export const looksOn = (session) => Boolean(session.public_seat && session.public_seat === (session.seat || session.public_seat));

/** Whether the reader may change what is everybody's: at a table where somebody sits, only who sits there too. */
export const mayMove = ({ public_seat: looking, table }) => !looking || Boolean(table) && (table.seats.some((seat) => seat.yours) || !table.seats.some((seat) => seat.held));

/** Whether the tree stays as it is for now: something runs, or the reader only looks on at others' table. */
export const fixed = (session) => busy(session) || !mayMove(session);

/** The turns to show: those before the running one, which may replace some of them. */
export function shownTurns(session) {
  return session.live ? session.turns.slice(0, session.live.number - 1) : session.turns;
}

/** The turns that stand where this one stands, in the order they were made. */
export function siblings(session, turn) {
  const own = session.branches.find((branch) => branch.id === turn);
  return own ? session.branches.filter((branch) => branch.parent === own.parent) : [];
}

/** The newest turn that grew out of a turn: where going to its branch leads. */
export function newestBelow(session, turn) {
  const below = new Set([turn]);
  let newest = turn;
  for (const branch of session.branches) {
    if (!below.has(branch.parent)) continue;
    below.add(branch.id);
    newest = branch.id;
  }
  return newest;
}

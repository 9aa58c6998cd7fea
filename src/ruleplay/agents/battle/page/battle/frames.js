// What is shown of a battle at one decision: the position, why the order was chosen, and the order. Pure.

/** A player's name without the digits that make it the only one on a local server. */
export const playerName = (name) => (name ?? '').replace(/ [0-9a-f]{8}$/, '');

/** A share in percent, to a tenth of one. */
export const tenths = (share) => Math.round(share * 1000) / 10;

/** A format's id in words: `gen9randombattle` is a random battle of generation 9. */
export function formatTold(format, t) {
  const [, generation, random, doubles, tier] = /^gen(\d)(random)?(doubles)?(.*)$/.exec(format ?? '') ?? [];
  return generation ? t('format', generation, Boolean(random), Boolean(doubles), tier.toUpperCase()) : format;
}

/** One frame for every decision among a session's turns; a turn that only remembers has none. */
export function framesOf(turns) {
  const frames = [];
  for (const turn of turns) {
    const read = lastOf(turn, 'PositionRead')?.position;
    const changed = lastOf(turn, 'OrderChanged')?.chosen;
    if (changed && frames.length) frames.push(rechosen(frames.pop(), changed));
    if (!read) continue;
    const position = whole(read);
    frames.push({
      number: turn.number,
      turn: turn.turn,
      position,
      trace: lastOf(turn, 'DecisionTrace') ?? null,
      order: lastOf(turn, 'OrderChosen') ?? null,
      reply: turn.reply,
    });
  }
  return frames;
}

/** A frame whose order a person's word has changed. */
function rechosen(frame, order) {
  const trace = frame.trace && { ...frame.trace, chosen: order.order, source: order.source };
  return { ...frame, order, trace };
}

/**
 * A position with what it leaves out because it is as usual: full health, no status, a team of six.
 * Ours stand by their names: the server lists whoever is on the field first, and they would change places.
 */
export function whole(position) {
  const side = ({ team = [], ...given }) => ({ size: 6, conditions: [], ...given, team: team.map((mon) => ({ ...MON, ...mon })) });
  const ours = side(position.ours);
  ours.team.sort((one, other) => (one.ident < other.ident ? -1 : 1));
  return { turn: 0, field: {}, ...position, ours, theirs: side(position.theirs) };
}

const MON = { hp: 1, status: '', boosts: {}, volatiles: [], item_source: 'unknown', ability_source: 'unknown' };

const lastOf = (turn, type) => turn.events.findLast((event) => event.type === type);

/** A Pokémon's name without whose it is: `p1: Great Tusk` or `p1a: Great Tusk` is Great Tusk. */
export const nameOf = (ident = '') => ident.replace(/^p\d[a-z]?: /, '');

/** An order in words: the move's or the Pokémon's name. `names` maps ids of moves to their names. */
export function orderIn(order, names, t) {
  switch (order?.kind) {
    case 'move':
      return order.tera ? t('order.tera', names.get(order.move) ?? order.move) : names.get(order.move) ?? order.move;
    case 'switch':
      return t('order.switch', nameOf(order.ident));
    case 'team':
      return t('order.team', order.order.join(', '));
    default:
      return t('order.default');
  }
}

export const sameOrder = (one, other) => Boolean(one && other) && one.kind === other.kind
  && one.move === other.move && (one.tera ?? false) === (other.tera ?? false) && one.ident === other.ident
  && String(one.order ?? '') === String(other.order ?? '');

/** Names of the moves that a trace's options know. */
export function namesOf(trace) {
  return new Map((trace?.moves?.moves ?? []).map((option) => [option.move, option.name || option.move]));
}

/** A share of one as whole percent; less than one but not nothing stays visible as 1. */
export function percent(share) {
  const value = Math.max(0, Math.min(1, Number(share) || 0)) * 100;
  return value > 0 && value < 1 ? 1 : Math.round(value);
}

/** Digits up to here choose moves; from the next on each of ours has its own, as long as the battle lasts. */
const MOVES = 4;

/** What a position allows: orders of the moves in the request's order, and of all of ours; holes where one is not legal. */
export function choices(position, tera) {
  const { legal, request_moves: known = [] } = position;
  const mayTera = legal.some((one) => one.tera);
  const of = (move) => {
    const found = legal.filter((one) => one.kind === 'move' && one.move === move);
    return found.find((one) => Boolean(one.tera) === (tera && mayTera)) ?? found[0];
  };
  return {
    mayTera,
    moves: known.map(of),
    switches: position.ours.team.map((mon, at) => ({ mon, digit: (at + 1 + MOVES) % 10, order: legal.find((one) => one.kind === 'switch' && one.ident === mon.ident) })),
    others: legal.filter((one) => one.kind === 'team' || one.kind === 'default'),
  };
}

/** The order that a digit gives, if any. */
export function chosenBy(digit, { moves, switches }) {
  return digit >= 1 && digit <= MOVES ? moves[digit - 1] : switches.find((one) => one.digit === digit)?.order;
}

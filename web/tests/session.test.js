import assert from 'node:assert/strict';
import { test } from 'node:test';

import { busy, follow, loaded, looksOn, newestBelow, shownTurns, siblings, yourTurn } from '../src/session.js';

const turn = (id, number, message = `say ${id}`) => ({
  turn: id, number, seat: 'user', input: { message }, reply: `reply ${id}`, events: [], calls: [], cites: [], ms: 1,
});
const branch = (id, parent, number) => ({ id, parent, number, seat: 'user', message: `say ${id}` });
const played = (id, parent, number) => ({
  name: 'turn.committed', turn: id, parent, number, reply: `reply ${id}`, played: turn(id, number), view: { at: id },
});
const begun = (id, number, message = `say ${id}`) => ({ name: 'turn.started', turn: id, number, seat: 'user', message });
const session = (ids = ['a', 'b']) => loaded({
  id: 's',
  head: ids.at(-1) ?? null,
  turns: ids.map((id, at) => turn(id, at + 1)),
  branches: ids.map((id, at) => branch(id, ids[at - 1] ?? null, at + 1)),
  view: {},
});
const ids = ({ turns }) => turns.map((one) => one.turn).join('');
const after = (start, ...items) => items.reduce(follow, start);

test('a turn runs as a draft that its commit replaces', () => {
  const running = after(
    session(), begun('c', 3),
    { name: 'node', turn: 'c', node: 'read', state: 'running' },
    { name: 'node', turn: 'c', node: 'read', state: 'done', ms: 5 },
    { name: 'text', turn: 'c', text: 'so ' }, { name: 'text', turn: 'c', text: 'far' },
    { name: 'event', turn: 'c', seq: 4, type: 'Happened', much: 1 },
  );
  assert.equal(running.live.reply, 'so far');
  assert.deepEqual(running.live.steps, [{ node: 'read', state: 'done', ms: 5 }]);
  assert.deepEqual(running.live.events, [{ type: 'Happened', much: 1 }]);
  const done = follow(running, played('c', 'b', 3));
  assert.equal(ids(done), 'abc');
  assert.equal(done.live, null);
  assert.deepEqual(done.view, { at: 'c' });
  assert.equal(done.traces.c.length, 1);
});

test('what fails is discarded and says what was said', () => {
  const failed = after(session(), begun('c', 3), { name: 'turn.failed', turn: 'c', reason: 'out' });
  assert.equal(ids(failed), 'ab');
  assert.deepEqual(failed.failed, { reason: 'out', message: 'say c', seat: 'user' });
});

test('an item told twice changes nothing', () => {
  const once = after(session(), begun('c', 3), played('c', 'b', 3));
  const twice = after(once, begun('c', 3), played('c', 'b', 3));
  assert.equal(ids(twice), 'abc');
  assert.equal(twice.branches.length, 3);
  assert.equal(twice.live, null);
});

test('a sibling hides what it replaces, while it runs and when it is committed', () => {
  const running = follow(session(['a', 'b', 'c']), begun('x', 2));
  assert.deepEqual(shownTurns(running).map((one) => one.turn), ['a']);
  assert.equal(ids(follow(running, played('x', 'a', 2))), 'ax');
  assert.equal(ids(follow(running, { name: 'turn.failed', turn: 'x', reason: 'cancelled' })), 'abc');
  assert.equal(ids(follow(session(), played('y', null, 1))), 'y');
});

test('a turn of a branch that is not shown asks for the session anew', () => {
  assert.equal(follow(session(), played('c', 'elsewhere', 4)).stale, true);
  assert.equal(follow(session(), { name: 'head.moved', head: 'a', number: 1 }).stale, true);
  assert.ok(!follow(session(), { name: 'head.moved', head: 'b', number: 2 }).stale);
  assert.equal(after(session(), begun('c', 3), { name: 'resync' }).live, null);
});

test('what was sent is shown until its turn begins, whichever answer comes first', () => {
  const sending = { key: 'k', message: 'say c' };
  assert.equal(follow({ ...session(), sending }, begun('c', 3)).sending, null);
  const named = { ...sending, turn: 'd' };
  assert.deepEqual(follow({ ...session(), sending: named }, begun('c', 3)).sending, named);
  assert.equal(follow({ ...session(), sending: named }, played('d', 'b', 3)).sending, null);
});

test('a session read anew keeps the running turn, unless it has been committed', () => {
  const running = follow(session(), begun('c', 3));
  assert.equal(loaded({ ...session() }, running).live.turn, 'c');
  assert.equal(loaded(session(['a', 'b', 'c']), running).live, null);
});

test('turns that a fork shares with its origin stand in its tree', () => {
  const forked = loaded({
    id: 'f', head: 'c', turns: ['a', 'b', 'c'].map((id, at) => turn(id, at + 1)), branches: [branch('c', 'b', 3)], view: {},
  });
  assert.deepEqual(forked.branches.map((one) => [one.id, one.parent]), [['a', null], ['b', 'a'], ['c', 'b']]);
});

test('siblings stand at the same place, and a branch leads to its newest turn', () => {
  const grown = after(session(), played('x', 'a', 2), played('y', 'x', 3));
  assert.deepEqual(siblings(grown, 'b').map((one) => one.id), ['b', 'x']);
  assert.equal(newestBelow(grown, 'x'), 'y');
  assert.equal(newestBelow(grown, 'b'), 'b');
});

test('a hidden input stays hidden in the tree, and asides come with their turn', () => {
  const whispered = { ...turn('c', 3, ''), hidden: true, asides: [{ text: 'psst', audience: ['user'] }] };
  const heard = follow(session(), { name: 'turn.committed', turn: 'c', number: 3, parent: 'b', reply: '', played: whispered });
  assert.equal(heard.turns.at(-1).asides[0].text, 'psst');
  assert.equal(heard.branches.at(-1).hidden, true);
});

test('at a table others may act while one does', () => {
  const running = follow(session(), begun('c', 3));
  assert.equal(busy(running), true);
  assert.equal(busy({ ...running, public_seat: 'table' }), false);
  assert.equal(busy({ ...running, public_seat: 'table', sending: { message: 'x' } }), true);
});

test('who has no seat looks on', () => {
  assert.equal(looksOn({ public_seat: '', seat: '' }), false);
  assert.equal(looksOn({ public_seat: 'table', seat: '' }), true);
  assert.equal(looksOn({ public_seat: 'table', seat: 'ada' }), false);
});

test('it is the turn of whoever sits on the seat that moves, and of nobody who looks on', () => {
  const table = { moves: 'ada' };
  assert.equal(yourTurn({ public_seat: 'table', seat: 'ada', table }), true);
  assert.equal(yourTurn({ public_seat: 'table', seat: 'ben', table }), false);
  assert.equal(yourTurn({ public_seat: 'table', seat: '', table: { moves: '' } }), false);
  assert.equal(yourTurn({ public_seat: '', seat: '' }), false);
});

test('what a session has cost grows with each turn, once', () => {
  const paid = { ...played('c', 'b', 3), played: { ...turn('c', 3), calls: [{ cost: '0.002' }, { cost: '0.001' }] } };
  const start = { ...session(), spent: '0.5' };
  assert.equal(after(start, paid).spent, '0.503');
  assert.equal(after(start, paid, paid).spent, '0.503');
});

test('how a table plays on is kept, and a lost seat is told', () => {
  const seated = { ...session(), public_seat: 'table', table: { seats: [], autoplay: null } };
  const going = follow(seated, { name: 'autoplay', state: 'waiting', seat: 'ada' });
  assert.deepEqual(going.table.autoplay, { state: 'waiting', seat: 'ada' });
  assert.equal(follow(session(), { name: 'autoplay', state: 'waiting' }).table, undefined);
  assert.equal(follow(seated, { name: 'seat.lost', seat: 'ada' }).lost, 'ada');
});

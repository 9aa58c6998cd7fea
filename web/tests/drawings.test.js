import assert from 'node:assert/strict';
import { test } from 'node:test';

import { layered } from '../src/layout.js';
import { wilson } from '../../src/ruleplay/agents/battle/page/battle/wilson.js';
import { cut } from '../src/lines.js';
import { rows, tips } from '../src/tree.js';

const edge = (from, to) => ({ from, to, conditional: false });
const layerOf = (layers, node) => layers.findIndex((layer) => layer.includes(node));

test('every edge leads to a later layer, but those that close a cycle', () => {
  const nodes = ['start', 'ask', 'work', 'tell', 'end'];
  const edges = [edge('start', 'ask'), edge('ask', 'work'), edge('work', 'ask'), edge('ask', 'tell'), edge('work', 'tell'), edge('tell', 'end')];
  const { layers, routes } = layered(nodes, edges);
  for (const route of routes) {
    assert.equal(layerOf(layers, route.to) > layerOf(layers, route.from), !route.back, `${route.from} ${route.to}`);
  }
  assert.deepEqual(routes.filter((route) => route.back).map(({ from, to }) => [from, to]), [['work', 'ask']]);
});

test('a long edge has a bend in every layer it passes', () => {
  const { layers, routes } = layered(['a', 'b', 'c'], [edge('a', 'b'), edge('b', 'c'), edge('a', 'c')]);
  const long = routes.find(({ from, to }) => from === 'a' && to === 'c');
  assert.equal(long.via.length, 3);
  assert.ok(layers[1].includes(long.via[1]));
});

test('what can be drawn without crossings is', () => {
  const { layers } = layered(['s', 'a', 'b', 'y', 'x', 'e'], [
    edge('s', 'a'), edge('s', 'b'), edge('a', 'x'), edge('b', 'y'), edge('x', 'e'), edge('y', 'e'),
  ]);
  const sameOrder = (layers[1].indexOf('a') < layers[1].indexOf('b')) === (layers[2].indexOf('x') < layers[2].indexOf('y'));
  assert.ok(sameOrder);
});

test('a graph without edges, with loops, or with unknown names is drawn all the same', () => {
  assert.deepEqual(layered([], []).layers, [[]]);
  assert.deepEqual(layered(['a', 'b'], []).layers, [['a', 'b']]);
  assert.equal(layered(['a'], [edge('a', 'a'), edge('a', 'nowhere')]).routes.length, 0);
});

test('a tree has a row for every turn, and a lane for every branch', () => {
  const made = [['a', null], ['b', 'a'], ['c', 'b'], ['x', 'a'], ['y', 'x'], ['r', null]];
  const placed = rows(made.map(([id, parent]) => ({ id, parent })));
  assert.deepEqual(placed.map(({ id, row, lane }) => [id, row, lane]), [
    ['a', 0, 0], ['b', 1, 0], ['c', 2, 0], ['x', 3, 1], ['y', 4, 1], ['r', 5, 2],
  ]);
});

test('a tree may be very deep', () => {
  const deep = Array.from({ length: 20_000 }, (_, at) => ({ id: String(at), parent: at ? String(at - 1) : null }));
  assert.equal(rows(deep).at(-1).row, 19_999);
});

test('a branch ends where nothing follows', () => {
  const branches = [['a', null], ['b', 'a'], ['c', 'a'], ['d', 'c']].map(([id, parent]) => ({ id, parent }));
  assert.deepEqual(tips(branches).map(({ id }) => id), ['b', 'd']);
  assert.deepEqual(tips([]), []);
});

test('the interval of a series is Wilson’s, and says nothing before a battle', () => {
  assert.deepEqual(wilson(0, 0), [0, 0, 1]);
  const [rate, low, high] = wilson(8, 10);
  assert.equal(rate, 0.8);
  // Wilson 1927, as scipy.stats.binomtest(8, 10).proportion_ci(method='wilson') has it.
  assert.ok(Math.abs(low - 0.4902) < 5e-4 && Math.abs(high - 0.9433) < 5e-4, `${low} ${high}`);
});

test('a line that is known stays whole, whatever dots it holds', () => {
  const known = new Map([['Halla → Rudge · missed', []], ['Rudge → Halla −8', []]]);
  assert.deepEqual(cut('Halla → Rudge · missed · Rudge → Halla −8 · flees', known), ['Halla → Rudge · missed', 'Rudge → Halla −8', 'flees']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { choices, chosenBy, formatTold, whole } from '../../src/ruleplay/agents/battle/page/battle/frames.js';
import { words } from '../../src/ruleplay/agents/battle/page/battle/words.js';

const mon = (name, more) => ({ ident: `p2: ${name}`, name, ...more });
const into = (name) => ({ kind: 'switch', ident: `p2: ${name}` });

/** As the server lists them: whoever stands on the field comes first. */
const asked = (team, legal) => choices(whole({ ours: { team }, theirs: {}, legal, request_moves: [] }), false);

test('each of ours keeps its key, whoever stands and whoever has fallen', () => {
  const before = asked([mon('Azelf', { active: true }), mon('Torkoal'), mon('Moltres')], [into('Torkoal'), into('Moltres')]);
  const after = asked([mon('Torkoal', { active: true }), mon('Azelf', { hp: 0, status: 'fnt' }), mon('Moltres')], [into('Moltres')]);
  assert.equal(chosenBy(6, before).ident, 'p2: Moltres');
  assert.equal(chosenBy(6, after).ident, 'p2: Moltres');
  assert.equal(chosenBy(5, before), undefined, 'who stands cannot come in');
  assert.equal(chosenBy(5, after), undefined, 'nor can who has fallen');
  assert.equal(chosenBy(7, before).ident, 'p2: Torkoal');
});

test('a team of six has a key for each', () => {
  const names = ['A', 'B', 'C', 'D', 'E', 'F'];
  const given = asked(names.map((name) => mon(name)), names.map(into));
  assert.deepEqual(given.switches.map(({ digit }) => digit), [5, 6, 7, 8, 9, 0]);
  assert.equal(chosenBy(0, given).ident, 'p2: F');
});

test('nobody reads the id of a format', () => {
  const t = (key, ...given) => words.en[key](...given);
  const told = ['gen9randombattle', 'gen8randomdoublesbattle', 'gen9ou'].map((format) => formatTold(format, t));
  assert.deepEqual(told, ['Random battle (generation 9)', 'Random battle, two against two (generation 8)', 'OU (generation 9)']);
});

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { words as battle } from '../src/agents/battle/words.js';
import { words as parts } from '../src/agents/parts/words.js';
import { words as party } from '../src/agents/party/words.js';
import { words as raid } from '../src/agents/raid/words.js';
import { words as saga } from '../src/agents/saga/words.js';
import { en } from '../src/i18n/en.js';
import { fr } from '../src/i18n/fr.js';

const SOURCE = new URL('../src/', import.meta.url);
const sources = readdirSync(SOURCE, { recursive: true })
  .filter((path) => path.endsWith('.js') && !/(^|\/)(i18n|words)/.test(path))
  .map((path) => [path, readFileSync(new URL(path, SOURCE), 'utf8')]);

const agents = { battle, parts, party, raid, saga };
for (const [name, languages] of Object.entries({ page: { en, fr }, ...agents })) {
  test(`${name}: every word is in both languages and of the same kind`, () => {
    assert.deepEqual(Object.keys(languages.en).sort(), Object.keys(languages.fr).sort());
    for (const [key, word] of Object.entries(languages.en)) {
      assert.equal(typeof word, typeof languages.fr[key], key);
      if (typeof word === 'function') assert.equal(word.length, languages.fr[key].length, key);
    }
  });
}

test('every word that is asked for is there', () => {
  const known = { ...en, ...battle.en, ...parts.en, ...party.en, ...raid.en, ...saga.en };
  const asked = sources.flatMap(([path, code]) =>
    [...code.matchAll(/\bt\('([^']+)'/g)].map(([, key]) => [path, key]));
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter(([, key]) => !(key in known)), []);
});

test('every word that is there is asked for', () => {
  const code = sources.map(([, text]) => text).join('\n');
  const whole = (key) => code.includes(`'${key}'`);
  const composed = (key) => key.includes('.') && code.includes(`\`${key.split('.')[0]}.\${`);
  assert.deepEqual(Object.keys({ ...en, ...battle.en, ...parts.en, ...raid.en }).filter((key) => !whole(key) && !composed(key)), []);
  assert.deepEqual(Object.keys({ ...en, ...parts.en, ...saga.en, ...party.en }).filter((key) => !whole(key) && !composed(key)), []);
});

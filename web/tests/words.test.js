import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

import { en } from '../src/i18n/en.js';
import { fr } from '../src/i18n/fr.js';

const SOURCE = new URL('../src/', import.meta.url);
const AGENTS = new URL('../../src/ruleplay/agents/', import.meta.url);
const names = readdirSync(AGENTS).filter((name) => existsSync(new URL(`${name}/page/${name}/words.js`, AGENTS)));
const agents = Object.fromEntries(await Promise.all(names.map(async (name) => {
  const { words } = await import(new URL(`${name}/page/${name}/words.js`, AGENTS));
  return [name, words];
})));
const cards = Object.fromEntries(await Promise.all(names.map(async (name) => {
  const { card } = await import(new URL(`${name}/page/${name}/card.js`, AGENTS));
  return [`${name}'s card`, card.words];
})));
const sources = [SOURCE, ...names.map((name) => new URL(`${name}/page/`, AGENTS))].flatMap((folder) =>
  readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith('.js') && !/(^|\/)(i18n|words)/.test(path))
    .map((path) => [path, readFileSync(new URL(path, folder), 'utf8')]));

for (const [name, languages] of Object.entries({ page: { en, fr }, ...agents, ...cards })) {
  test(`${name}: every word is in both languages and of the same kind`, () => {
    assert.deepEqual(Object.keys(languages.en).sort(), Object.keys(languages.fr).sort());
    for (const [key, word] of Object.entries(languages.en)) {
      assert.equal(typeof word, typeof languages.fr[key], key);
      if (typeof word === 'function') assert.equal(word.length, languages.fr[key].length, key);
    }
  });
}

test('shares are written as each language writes them', () => {
  const told = (language) => Object.values({ page: { en, fr }, ...agents }).flatMap((words) => Object.values(words[language])).filter((word) => typeof word === 'function').map(String);
  assert.ok(told('en').filter((text) => text.includes('}%')).length > 20);
  assert.deepEqual(told('en').filter((text) => /[}\d] %/.test(text)), []);
  assert.deepEqual(told('fr').filter((text) => /}%/.test(text)), []);
  assert.deepEqual(sources.filter(([, code]) => /\} %/.test(code)).map(([path]) => path), []);
});

test('every word that is asked for is there', () => {
  const shown = Object.entries(cards).flatMap(([name, words]) => Object.keys(words.en).map((key) => [`${key}.${name.split("'")[0]}`, '']));
  const known = Object.assign(Object.fromEntries(shown), en, ...Object.values(agents).map((words) => words.en));
  const asked = sources.flatMap(([path, code]) =>
    [...code.matchAll(/\bt\('([^']+)'/g)].map(([, key]) => [path, key]));
  assert.ok(asked.length > 100);
  assert.deepEqual(asked.filter(([, key]) => !(key in known)), []);
});

test('every word that is there is asked for', () => {
  const code = sources.map(([, text]) => text).join('\n');
  const whole = (key) => code.includes(`'${key}'`);
  const composed = (key) => key.includes('.') && code.includes(`\`${key.split('.')[0]}.\${`);
  const known = Object.assign({}, en, ...Object.values(agents).map((words) => words.en));
  assert.deepEqual(Object.keys(known).filter((key) => !whole(key) && !composed(key)), []);
});

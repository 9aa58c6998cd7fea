import assert from 'node:assert/strict';
import { test } from 'node:test';

import { compared } from '../src/difference.js';

const own = (text, other) => compared(text, other).filter((piece) => piece.own).map((piece) => piece.words.trim());

test('only the words that the other text lacks are its own', () => {
  assert.deepEqual(own('The wolf bites Thorin very hard.', 'The wolf misses Thorin hard.'), ['bites', 'very']);
});

test('nothing of a text is lost, whatever it is compared with', () => {
  const text = 'One  two\nthree four ';
  for (const other of ['', text, 'two four', 'x '.repeat(900)]) {
    assert.equal(compared(text, other).map((piece) => piece.words).join(''), text);
  }
  assert.deepEqual(own(text, text), []);
});

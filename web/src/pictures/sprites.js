// Which creatures have a picture: set-up fetches them, and a page without them asks for none.

import { useEffect, useState } from '../vendor/preact.js';

const FOLDER = new URL('./vendor/sprites/', import.meta.url).href;
const NONE = new Map();
let names;
let asking;

function ask() {
  asking ??= fetch(`${FOLDER}names.json`)
    .then((answer) => (answer.ok ? answer.json() : []))
    .catch(() => [])
    .then((files) => {
      names = new Map(files.map((file) => [plain(file), file]));
    });
  return asking;
}

/** `Mr. Mime`, `mr-mime` and `mrmime` are one creature. */
const plain = (name) => name.normalize('NFD').toLowerCase().replace(/[^a-z0-9]/g, '');

/** The picture of the first of these names that has one; '' for none, or not yet. */
export function useSprite(...wanted) {
  const [known, know] = useState(names);
  useEffect(() => {
    let here = true;
    if (!known) ask().then(() => here && know(names));
    return () => {
      here = false;
    };
  }, []);
  const file = wanted.map((name) => (known ?? NONE).get(plain(name))).find(Boolean);
  return file ? `${FOLDER}${file}.png` : '';
}

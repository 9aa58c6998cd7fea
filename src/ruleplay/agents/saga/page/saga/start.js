// How a saga begins from the first page: in the reader's language, with a scenario of their own, or with persons
// from character cards in the story that ships.

import { own } from '../../api.js';
import { cardIn, withPersons } from './persons.js';
import { wordsIn } from '../../preferences.js';
import { words } from './words.js';

export const start = {
  config: (lang) => ({ lang }),
  /** The story that a wish names; null where it names none, so that there is a choice of those that are told here. */
  async wished(message, named) {
    const { scenarios } = await own.get('/api/saga/creation');
    const told = ({ title, pitch }) => [title, pitch].flatMap((words) => Object.values(words)).join(' ');
    const scenario = named(message, scenarios.map((one) => ({ id: one.id, told: told(one) })));
    return scenario ? { scenario } : null;
  },
  takes: (name, head) => /\.(?:md|png)$/i.test(name) || (/\.json$/i.test(name) && /"(?:description|chara_card\w*)"/.test(head)),
  async open(files, { lang, tell, begin }) {
    tell({ step: 'starting' });
    if (/\.md$/i.test(files[0].name)) return begin({ source: await files[0].text() });
    const cards = await Promise.all(files.map(async (file) => cardIn(new Uint8Array(await file.arrayBuffer()))));
    if (!cards.every(Boolean)) throw new Error(wordsIn(lang, words)('card.none'));
    const story = await fetch(new URL('./saga/story.txt', import.meta.url));
    return begin({ source: withPersons(await story.text(), cards) });
  },
};

// How a table is laid from the first page: in the reader's language, with a sheet or an adventure of theirs.

import { words } from './words.js';

export const start = {
  /** The adventure that is played when none is brought. */
  title: (lang, { source }) => (source ? '' : words[lang]['front.drowned-bell']),
  config: (lang) => ({ lang }),
  takes: (name) => /\.(?:ya?ml|md)$/i.test(name),
  async open([file], { tell, begin }) {
    tell({ step: 'starting' });
    const text = await file.text();
    return begin(/\.md$/i.test(file.name) ? { source: text } : { characters: [text] });
  },
};

// What the parts assistant takes from the first page: a shop's lists, to be its catalog.

import { go } from '../../router.js';
import { store } from '../../store.js';

export const start = {
  takes: (name, head) => /\.(?:csv|jsonl|ndjson)$/i.test(name) && !/COMBAT_LOG_VERSION/.test(head),
  open(files) {
    store.set({ dropped: files });
    go('/a/parts');
  },
};

// How a battle begins from the first page, and a replay its review.

import { own, pause, Problem } from '../../api.js';
import { go } from '../../router.js';
import { startBattle } from './api.js';

const LOOK_MS = 400;
const LOOKS = 300;

export const start = {
  takes: (_name, head) => /\|(?:player|move|switch|turn)\|/.test(head) || /battle-log-data/.test(head),
  async open([file], { tell }) {
    tell({ step: 'reviewing', file: file.name });
    const found = await own.upload(`/api/battle/reviews?name=${encodeURIComponent(file.name)}`, file);
    return go(`/review/${found.id}`);
  },
  /** A battle against the simplest good opponent; watched as soon as its session is there. */
  async alone() {
    const { id } = await startBattle({ opponent: 'heuristics', format: 'gen9randombattle', search_ms: 100 });
    for (let look = 0; look < LOOKS; look += 1) {
      const { battles } = await own.get('/api/battle/battles');
      const ours = battles.find((one) => one.id === id);
      if (ours?.problem) throw new Problem(ours.problem);
      if (ours?.session) return go(`/s/${ours.session}`);
      await pause(LOOK_MS);
    }
    return go('/a/battle');
  },
};

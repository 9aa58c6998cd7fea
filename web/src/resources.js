// What many components read and few things change: agents, their graphs, models, the session list.

import { useEffect, useState } from './vendor/preact.js';
import { report } from './actions.js';
import { useStore } from './store.js';

const kept = new Map();

/**
 * Read something once and keep it; `null` while it is on its way, `undefined` when it failed.
 *
 * @param {string} name what it is kept under
 * @param {() => Promise<unknown>} read
 * @param {{fresh?: boolean}} [how] `fresh` shows what is kept and reads it anew all the same
 */
export function useResource(name, read, { fresh = false } = {}) {
  const logins = useStore((state) => state.logins ?? 0);
  const [, redraw] = useState(0);
  useEffect(() => {
    let watching = true;
    const known = kept.get(name);
    if (known !== undefined && !fresh) return undefined;
    read().then(
      (value) => kept.set(name, value),
      (problem) => {
        if (!kept.get(name)) kept.set(name, undefined);
        report(problem);
      },
    ).then(() => watching && redraw((count) => count + 1));
    return () => {
      watching = false;
    };
  }, [name, logins]);
  return kept.has(name) ? kept.get(name) : null;
}

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
 * @param {{fresh?: boolean, again?: number}} [how] `fresh` shows what is kept and reads it anew all the same, and whenever `again` changes
 */
export function useResource(name, read, { fresh = false, again = 0 } = {}) {
  const logins = useStore((state) => state.logins ?? 0);
  const [, redraw] = useState(0);
  useEffect(() => {
    let watching = true;
    const known = kept.get(name);
    if (known !== undefined && !fresh) {
      redraw((count) => count + 1); // it may have come since this was drawn
      return undefined;
    }
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
  }, [name, logins, again]);
  return kept.has(name) ? kept.get(name) : null;
}

/** Read something before it is drawn. */
export async function prepare(name, read) {
  kept.set(name, await read());
}

const ANSWERS = 60;
const answers = new Map();

/**
 * Ask something whose answer depends on what the reader chose; a problem is the asker's to show.
 *
 * @param {string} key what is asked; empty while nothing is
 * @param {() => Promise<unknown>} read
 * @returns {{value?: unknown, problem?: Error, asking: boolean}} the value of this very key
 */
export function useAnswer(key, read) {
  const logins = useStore((state) => state.logins ?? 0);
  const [state, become] = useState({ key: '' });
  useEffect(() => {
    if (!key) return undefined;
    if (answers.has(key)) {
      become({ key, value: answers.get(key) }); // it may have come since this was drawn
      return undefined;
    }
    let wanted = true;
    read().then(
      (value) => {
        answers.set(key, value);
        if (answers.size > ANSWERS) answers.delete(answers.keys().next().value);
        if (wanted) become({ key, value });
      },
      (problem) => {
        if (problem.status === 401) report(problem);
        if (wanted) become({ key, problem });
      },
    );
    return () => {
      wanted = false;
    };
  }, [key, logins]);
  if (answers.has(key)) return { value: answers.get(key), asking: false };
  return state.key === key ? { ...state, asking: false } : { asking: Boolean(key) };
}

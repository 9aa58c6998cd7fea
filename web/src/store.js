// The page's state: one object, replaced on every change, and components that watch parts of it.

import { useEffect, useRef, useState } from './vendor/preact.js';

export function createStore(initial) {
  let state = initial;
  const watchers = new Set();
  return {
    get: () => state,
    set(change) {
      const patch = typeof change === 'function' ? change(state) : change;
      state = { ...state, ...patch };
      for (const watcher of [...watchers]) watcher(state);
    },
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export const store = createStore({
  place: { name: 'home' },
  session: null,
  problem: null,
  offline: false,
  connection: 'closed',
  selected: null,
  highlight: null,
  cited: null,
  dialog: null,
  said: '',
});

/** What `pick` takes out of the state; the component is drawn again when that changes. */
export function useStore(pick, from = store) {
  const [, redraw] = useState(0);
  const drawn = useRef();
  drawn.current = { pick, value: pick(from.get()) };
  useEffect(() => {
    const check = (state) => {
      const { pick: wanted, value } = drawn.current;
      if (!Object.is(wanted(state), value)) redraw((count) => count + 1);
    };
    check(from.get());
    return from.watch(check);
  }, [from]);
  return drawn.current.value;
}

/** What this browser keeps under a name, in `localStorage` or `sessionStorage`; empty where it keeps nothing. */
export function kept(storage, name) {
  try {
    return window[storage].getItem(`ruleplay.${name}`) ?? '';
  } catch {
    return '';
  }
}

/** Keep something there; nothing, where it is empty. Storage can be forbidden or full: then it lasts as long as the page. */
export function keepIn(storage, name, value) {
  try {
    if (value) window[storage].setItem(`ruleplay.${name}`, value);
    else window[storage].removeItem(`ruleplay.${name}`);
  } catch {
    // See above.
  }
}

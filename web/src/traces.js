// Which nodes a turn ran through and how long each took. The stream tells it while the turn runs and the
// store does not keep it, so the page remembers what it saw, for as long as this tab is open.

import { keepIn, kept } from './store.js';

const KEPT = 200;

const read = () => new Map(JSON.parse(kept('sessionStorage', 'traces') || '[]'));

/** Keep the steps of a turn. */
export function keep(turn, steps) {
  if (!steps?.length) return;
  const all = read().set(turn, steps);
  keepIn('sessionStorage', 'traces', JSON.stringify([...all].slice(-KEPT)));
}

/** Return the steps of a turn that this tab has seen running, if it has. */
export const stepsOf = (turn) => read().get(turn);

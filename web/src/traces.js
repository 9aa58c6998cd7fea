// Which nodes a turn ran through and how long each took. The stream tells it while the turn runs and the
// store does not keep it, so the page remembers what it saw, for as long as this tab is open.

const KEPT = 200;
const NAME = 'ruleplay.traces';

function read() {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(NAME) ?? '[]'));
  } catch {
    return new Map();
  }
}

/** Keep the steps of a turn. */
export function keep(turn, steps) {
  if (!steps?.length) return;
  const all = read().set(turn, steps);
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...all].slice(-KEPT)));
  } catch {
    // Storage can be forbidden or full; then a reload forgets the times.
  }
}

/** Return the steps of a turn that this tab has seen running, if it has. */
export const stepsOf = (turn) => read().get(turn);

// Where the turns of a session stand when its tree is drawn: a row each, a lane a branch. Pure.

/**
 * @param {{id: string, parent: string | null}[]} branches in the order they were made
 * @returns {{id, parent, row: number, lane: number}[]} children below parents; the first child goes on
 *   in its parent's lane, every other one opens a lane of its own.
 */
export function rows(branches) {
  const children = new Map();
  const ids = new Set(branches.map(({ id }) => id));
  for (const branch of branches) {
    const parent = ids.has(branch.parent) ? branch.parent : null;
    children.set(parent, [...(children.get(parent) ?? []), branch]);
  }
  const placed = [];
  let lanes = 0;
  // A stack instead of recursion: a chat may be thousands of turns long.
  const waiting = [...(children.get(null) ?? [])].reverse().map((branch) => ({ branch, lane: -1 }));
  while (waiting.length) {
    const { branch, lane: given } = waiting.pop();
    const lane = given < 0 ? lanes++ : given;
    placed.push({ ...branch, row: placed.length, lane });
    const [first, ...others] = children.get(branch.id) ?? [];
    for (const other of others.reverse()) waiting.push({ branch: other, lane: -1 });
    if (first) waiting.push({ branch: first, lane });
  }
  return placed;
}

/** Return the turns that nothing follows: where each branch ends, in the order they were made. */
export function tips(branches) {
  const parents = new Set(branches.map(({ parent }) => parent));
  return branches.filter(({ id }) => !parents.has(id));
}

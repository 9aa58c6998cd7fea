// How sure a share of won battles is.

const Z = 1.96;

/** The share that was won, and its 95 % interval by Wilson; a tie is half a win. */
export function wilson(won, played) {
  if (!played) return [0, 0, 1];
  const rate = won / played;
  const spread = (Z / (1 + Z * Z / played)) * Math.sqrt((rate * (1 - rate)) / played + (Z * Z) / (4 * played * played));
  const middle = (rate + (Z * Z) / (2 * played)) / (1 + (Z * Z) / played);
  return [rate, Math.max(0, middle - spread), Math.min(1, middle + spread)];
}

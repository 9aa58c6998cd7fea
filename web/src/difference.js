// Two texts compared word by word.

/** Words that are compared; of longer texts only what their ends have in common is found. */
const MOST = 600;

/** The pieces of `text` in order; `own` ones are not in `other` at that place. */
export function compared(text, other) {
  const [ours, theirs] = [split(text), split(other)];
  const head = shared(ours, theirs, (words, at) => words[at], 0);
  const tail = shared(ours, theirs, (words, at) => words[words.length - 1 - at], head);
  const middle = kept(ours.slice(head, ours.length - tail), theirs.slice(head, theirs.length - tail));
  return pieces(ours, (at) => at < head || at >= ours.length - tail || middle.has(at - head));
}

const split = (text) => text.match(/\s*\S+|\s+$/gu) ?? [];
const same = (one, two) => one !== undefined && two !== undefined && one.trim() === two.trim();

function shared(ours, theirs, of, taken) {
  const most = Math.min(ours.length, theirs.length) - taken;
  let count = 0;
  while (count < most && same(of(ours, count), of(theirs, count))) count += 1;
  return count;
}

/** Places of `ours` that stand in a longest common row of words with `theirs`. */
function kept(ours, theirs) {
  const found = new Set();
  if (ours.length > MOST || theirs.length > MOST) return found;
  const width = theirs.length + 1;
  const longest = new Uint16Array((ours.length + 1) * width);
  for (let a = ours.length - 1; a >= 0; a -= 1) {
    for (let b = theirs.length - 1; b >= 0; b -= 1) {
      longest[a * width + b] = same(ours[a], theirs[b])
        ? longest[(a + 1) * width + b + 1] + 1
        : Math.max(longest[(a + 1) * width + b], longest[a * width + b + 1]);
    }
  }
  for (let a = 0, b = 0; a < ours.length && b < theirs.length;) {
    if (same(ours[a], theirs[b])) {
      found.add(a);
      a += 1;
      b += 1;
    } else if (longest[(a + 1) * width + b] >= longest[a * width + b + 1]) a += 1;
    else b += 1;
  }
  return found;
}

function pieces(words, isShared) {
  const found = [];
  words.forEach((word, at) => {
    const own = !isShared(at);
    const last = found.at(-1);
    if (last && last.own === own) last.words += word;
    else found.push({ words: word, own });
  });
  return found;
}

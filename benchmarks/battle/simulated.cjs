// What the scripts beside this one share about Pokémon Showdown's simulator.
"use strict";

// The simulator's own seed of a number.
const seeded = (number) => ["sodium", number.toString(16).padStart(64, "0")].join(",");

// The lines of a battle's log as one side sees them.
function seenBy(role, lines) {
  const found = [];
  for (let at = 0; at < lines.length; at++) {
    if (!lines[at].startsWith("|split|")) { found.push(lines[at]); continue; }
    found.push(lines[at].slice(7) === role ? lines[at + 1] : lines[at + 2]);
    at += 2;
  }
  return found;
}

module.exports = { seeded, seenBy };

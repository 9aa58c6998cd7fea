// Holds battles of known seeds in Pokémon Showdown's simulator. A line in is a JSON object: `start`
// (a seed, `swap` to exchange the teams) or each side's choice. A line out has what each side saw
// since the last one, its open request, and who won.
//
//   node play_seeded.cjs PACKAGE_FOLDER FORMAT
"use strict";
const path = require("path");
const readline = require("readline");
const [folder, format] = process.argv.slice(2);
const { Battle, Teams, PRNG } = require(path.join(folder, "dist", "sim"));
const ROLLS = 1000003;
const { seeded, seenBy } = require("./simulated.cjs");
let battle = null;
let told = 0;

function start(seed, swap) {
  const prng = new PRNG(seeded(seed));
  const teams = [0, 1].map(() => Teams.getGenerator(format, prng).getTeam());
  if (swap) teams.reverse();
  battle?.destroy();
  battle = new Battle({ formatid: format, seed: seeded(seed + ROLLS) });
  told = 0;
  battle.setPlayer("p1", { name: "One", team: teams[0] });
  battle.setPlayer("p2", { name: "Two", team: teams[1] });
}

function choose(choices) {
  for (const side of battle.sides) {
    const choice = choices[side.id];
    if (choice !== undefined && !side.choose(choice)) side.choose("default");
  }
  if (battle.allChoicesDone()) battle.commitChoices();
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const given = JSON.parse(line);
  if (given.start === undefined) choose(given);
  else start(given.start, given.swap);
  const lines = battle.log.slice(told);
  told = battle.log.length;
  const sides = battle.sides.map((side) => {
    const request = side.activeRequest;
    const open = request && !request.wait && !side.isChoiceDone();
    return [side.id, {
      lines: seenBy(side.id, lines), request: open ? { ...request, side: side.getRequestData() } : null,
    }];
  });
  process.stdout.write(JSON.stringify({
    ended: battle.ended, winner: battle.winner ?? "", turn: battle.turn, sides: Object.fromEntries(sides),
  }) + "\n");
});

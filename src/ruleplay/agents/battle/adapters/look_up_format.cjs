// Looks up a battle format in the installed Pokémon Showdown package.
//
//   node look_up_format.cjs PACKAGE_FOLDER FORMAT > format.json
//
// Prints {id, game, own_team, level}; `own_team` tells that the format makes no teams, `level` is
// the one that everybody has in it. For a format that does not exist, prints {others: [ids]}.
"use strict";
const path = require("path");
const { Dex } = require(path.join(process.argv[2], "dist", "sim"));
const format = Dex.formats.get(process.argv[3]);
const others = () => Dex.formats.all().filter((one) => one.effectType === "Format").map((one) => one.id);
function told() {
  const { adjustLevel, defaultLevel } = Dex.formats.getRuleTable(format);
  return { id: format.id, game: format.gameType, own_team: !format.team, level: Math.min(100, adjustLevel || defaultLevel) };
}
process.stdout.write(JSON.stringify(format.exists && format.effectType === "Format" ? told() : { others: others() }));

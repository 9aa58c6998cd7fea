// Counts the joint sets that Pokémon Showdown's own generator hands out for a random format.
//
//   node generate_sets.cjs PACKAGE_FOLDER FORMAT TEAMS SEED  > sets.json
//
// Prints {"version", "format", "teams", "sets": {speciesId: [[level, item, ability, [moves], [evs],
// [ivs], role, {teraType: count}], …]}, "made": […]}. Moves are sorted ids, EVs and IVs in the order
// hp atk def spa spd spe. `made` are the teams themselves, twelve numbers each: for every member
// the place of its species in `sets` and the place of its set there. Nothing is fetched: the
// installed package is all it needs.
"use strict";
const path = require("path");
const [folder, format, teams, seed] = process.argv.slice(2);
const { Teams, PRNG, toID } = require(path.join(folder, "dist", "sim"));
const { version } = require(path.join(folder, "package.json"));

const STATS = ["hp", "atk", "def", "spa", "spd", "spe"];
const spread = (values, otherwise) => STATS.map((stat) => values?.[stat] ?? otherwise);
const id = toID ?? ((text) => String(text ?? "").toLowerCase().replace(/[^a-z0-9]+/g, ""));

const random = new PRNG(["sodium", Number(seed).toString(16).padStart(64, "0")].join(","));
const generator = Teams.getGenerator(format, random);
const found = new Map();
const made = [];
for (let number = 0; number < Number(teams); number++) {
  const team = [];
  for (const set of generator.getTeam()) {
    const row = [
      set.level, id(set.item), id(set.ability), set.moves.map(id).sort(),
      spread(set.evs, 85), spread(set.ivs, 31), set.role ?? "",
    ];
    const key = JSON.stringify(row);
    const ofSpecies = found.get(id(set.species)) ?? new Map();
    found.set(id(set.species), ofSpecies);
    const entry = ofSpecies.get(key) ?? [...row, {}];
    ofSpecies.set(key, entry);
    const tera = String(set.teraType ?? "").toLowerCase();
    entry[7][tera] = (entry[7][tera] ?? 0) + 1;
    team.push([id(set.species), entry]);
  }
  made.push(team);
}
const sets = {};
const places = new Map();
for (const species of [...found.keys()].sort()) {
  sets[species] = [...found.get(species).values()];
  const at = Object.keys(sets).length - 1;
  sets[species].forEach((entry, place) => places.set(entry, [at, place]));
}
const numbers = made.map((team) => team.flatMap(([, entry]) => places.get(entry)));
process.stdout.write(
  JSON.stringify({ version, format, teams: Number(teams), sets, made: numbers }));

// Plays whole turns in Pokémon Showdown's simulator, with its own dice, and reads from the log what
// each hit did. Shares no code with the calculator that it measures.
//
//   node measure_hits.cjs PACKAGE_FOLDER TIMES < cases.json > measured.json
//
// A case is {format, doubles, attacker, defender, weather, terrain, rooms, screens, move, targets};
// prints for each {plain: [[points by hit], …], critical: [[…], …], none: count}.
"use strict";
const path = require("path");
const { Battle } = require(path.join(process.argv[2], "dist", "sim"));
const times = Number(process.argv[3]);
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const FISH = { species: "Magikarp", ability: "No Ability", moves: ["splash"], level: 100, evs: { hp: 252 } };

function prepare(battle, pokemon, told) {
  pokemon.clearBoosts();
  if (battle.gen === 1) pokemon.boostBy(told.boosts);
  else pokemon.setBoost(told.boosts);
  if (told.status) pokemon.setStatus(told.status, null, null, true);
  if (battle.gen === 1 && told.status === "brn") pokemon.modifyStat("atk", 0.5);
  pokemon.hp = Math.max(1, Math.round(pokemon.maxhp * told.hp));
}

function fell(side) {
  Object.assign(side.active[1], { hp: 0, fainted: true });
  side.pokemonLeft--;
}

// The first line after |split| has exact points.
const exact = (log) => log.filter((_, at) => !(at > 1 && log[at - 2].startsWith("|split|")));

function once(asked, seed) {
  const formatid = `gen${asked.gen}${asked.doubles ? "doubles" : ""}customgame`;
  const battle = new Battle({ formatid, seed: `sodium,${seed.toString(16).padStart(64, "0")}` });
  const team = (told) => [{ ...told.set, name: told.set.species, teraType: told.tera || undefined }, ...(asked.doubles ? [FISH] : [])];
  battle.setPlayer("p1", { name: "p1", team: team(asked.attacker) });
  battle.setPlayer("p2", { name: "p2", team: team(asked.defender) });
  if (battle.requestState === "teampreview") battle.makeChoices("team 12", "team 12");
  const target = battle.sides[1].active[0];
  prepare(battle, battle.sides[0].active[0], asked.attacker);
  prepare(battle, target, asked.defender);
  if (asked.weather) battle.field.setWeather(asked.weather, "debug");
  if (asked.terrain) battle.field.setTerrain(asked.terrain, "debug");
  for (const room of asked.rooms) battle.field.addPseudoWeather(room, "debug");
  for (const screen of asked.screens) {
    if (battle.gen === 1) target.addVolatile(screen);
    else battle.sides[1].addSideCondition(screen, "debug");
  }
  if (asked.doubles && asked.targets < 3) fell(battle.sides[0]);
  if (asked.doubles && asked.targets < 2) fell(battle.sides[1]);
  const from = battle.log.length;
  let { hp } = target;
  const aimed = asked.doubles && ["normal", "any"].includes(battle.dex.moves.get(asked.move).target) ? " 1" : "";
  const tera = asked.attacker.tera ? " terastallize" : "";
  const theirs = `move 1${asked.defender.tera ? " terastallize" : ""}`;
  battle.makeChoices(`move 1${aimed}${tera}${asked.doubles && asked.targets >= 3 ? ", move 1" : ""}`, theirs + (asked.doubles && asked.targets >= 2 ? ", move 1" : ""));
  const hits = [];
  let critical = false;
  for (const line of exact(battle.log.slice(from))) {
    const [, kind, who, health, source] = line.split("|");
    if (kind === "-crit" && who.startsWith("p2a")) critical = true;
    if (!["-damage", "-heal"].includes(kind) || !who.startsWith("p2a")) continue;
    const now = Number(health.split("/")[0].split(" ")[0]);
    // What fells is not measured whole.
    if (kind === "-damage" && !source && now > 0) hits.push(hp - now);
    hp = now;
  }
  return { hits, critical };
}

const measured = cases.map((asked) => {
  const plays = Array.from({ length: asked.gen > 2 ? times : 4 * times }, (_, seed) => once(asked, seed + 1));
  const struck = plays.filter((play) => play.hits.length);
  return {
    plain: struck.filter((play) => !play.critical).map((play) => play.hits),
    critical: struck.filter((play) => play.critical).map((play) => play.hits),
    none: plays.length - struck.length,
  };
});
process.stdout.write(JSON.stringify(measured));

// Rolls a move's damage with Pokémon Showdown's own simulator: all sixteen rolls, plain and critical.
//
//   node roll_damage.cjs PACKAGE_FOLDER < question.json > rolls.json
//
// The question is {gen, attacker, defender, move, weather, terrain, rooms, screens}; each Pokémon is
// {set, boosts, status, hp (a fraction), tera}. Prints {hp, maxhp, rolls, crits, hits, accuracy,
// priority, first} or {problem}.
"use strict";
const path = require("path");
const { Battle, Dex } = require(path.join(process.argv[2], "dist", "sim"));
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));

function settle(battle, pokemon, told) {
  pokemon.clearBoosts();
  pokemon.setBoost(told.boosts);
  pokemon.status = told.status || "";
  pokemon.hp = Math.max(1, Math.round(pokemon.maxhp * told.hp));
  if (told.tera && asked.gen === 9) {
    pokemon.teraType = told.tera;
    pokemon.canTerastallize = told.tera;
    battle.actions.terastallize(pokemon);
  }
}

function field(battle) {
  if (asked.weather) battle.field.setWeather(asked.weather, "debug");
  if (asked.terrain) battle.field.setTerrain(asked.terrain, "debug");
  for (const room of asked.rooms) battle.field.addPseudoWeather(room, "debug");
  for (const screen of asked.screens) battle.sides[1].addSideCondition(screen, "debug");
}

function rolls(battle, source, target, crit) {
  const found = [];
  for (let cut = 0; cut < 16; cut++) {
    battle.randomizer = (damage) => battle.trunc(battle.trunc(damage * (100 - cut)) / 100);
    const move = battle.dex.getActiveMove(asked.move);
    move.willCrit = crit;
    if (crit) move.crit = true;
    const damage = battle.actions.getDamage(source, target, hooked(battle, source, target, move), true);
    found.push(typeof damage === "number" ? damage : 0);
  }
  return found.reverse();
}

// What a move and its user change about it before damage: type, power, category.
function hooked(battle, source, target, move) {
  battle.activeMove = move;
  battle.activePokemon = source;
  battle.activeTarget = target;
  battle.singleEvent("ModifyType", move, null, source, target, move, move);
  battle.singleEvent("ModifyMove", move, null, source, target, move, move);
  battle.runEvent("ModifyType", source, target, move, move);
  return battle.runEvent("ModifyMove", source, target, move, move) || move;
}

function answer() {
  const formatid = `gen${asked.gen}customgame`;
  const battle = new Battle({ formatid, seed: "sodium,00" });
  battle.setPlayer("p1", { name: "p1", team: [asked.attacker.set] });
  battle.setPlayer("p2", { name: "p2", team: [asked.defender.set] });
  if (battle.requestState === "teampreview") battle.makeChoices("team 1", "team 1");
  const source = battle.sides[0].active[0];
  const target = battle.sides[1].active[0];
  settle(battle, source, asked.attacker);
  settle(battle, target, asked.defender);
  field(battle);
  const move = Dex.forGen(asked.gen).moves.get(asked.move);
  const immune = move.category !== "Status" && !target.runImmunity(battle.dex.getActiveMove(asked.move));
  const none = new Array(16).fill(0);
  return {
    hp: target.hp,
    maxhp: target.maxhp,
    rolls: immune ? none : rolls(battle, source, target, false),
    crits: immune ? none : rolls(battle, source, target, true),
    hits: Array.isArray(move.multihit) ? move.multihit : [move.multihit || 1, move.multihit || 1],
    accuracy: move.accuracy === true ? 1 : move.accuracy / 100,
    first: source.getActionSpeed() > target.getActionSpeed(),
  };
}

try {
  process.stdout.write(JSON.stringify(answer()));
} catch (error) {
  process.stdout.write(JSON.stringify({ problem: String(error.message || error).slice(0, 300) }));
}

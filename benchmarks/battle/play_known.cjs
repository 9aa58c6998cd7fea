// Plays random battles in Pokémon Showdown's simulator and prints, a JSON line for each question put
// to the first player: the request, the lines it has seen since the last one, and the true state.
//
//   node play_known.cjs PACKAGE_FOLDER FORMAT BATTLES SEED
"use strict";
const path = require("path");
const [folder, format, battles, seed] = process.argv.slice(2);
const { Battle, Teams, PRNG } = require(path.join(folder, "dist", "sim"));
const TURNS = 120;
const { seeded, seenBy } = require("./simulated.cjs");

function chosen(side, prng) {
  const request = side.activeRequest;
  const options = [];
  const bench = side.pokemon.map((mon, at) => [mon, at + 1]);
  const fresh = bench.filter(([mon]) => !mon.isActive && !mon.fainted);
  if (request.forceSwitch) return fresh.length ? `switch ${fresh[prng.random(fresh.length)][1]}` : "default";
  const active = request.active?.[0] ?? { moves: [] };
  active.moves.forEach((move, at) => { if (!move.disabled) options.push(`move ${at + 1}`); });
  if (active.canTerastallize && options.length && prng.random(12) === 0) {
    return `${options[prng.random(options.length)]} terastallize`;
  }
  if (!active.trapped && !active.maybeTrapped && fresh.length && prng.random(4) === 0) {
    return `switch ${fresh[prng.random(fresh.length)][1]}`;
  }
  return options.length ? options[prng.random(options.length)] : "default";
}

const timed = (states) => Object.fromEntries(
  Object.entries(states).map(([id, each]) => [id, [each.layers ?? 1, each.duration ?? 0]]));

function truth(battle) {
  const { field } = battle;
  return {
    weather: [field.weather, field.weatherState.duration ?? 0],
    terrain: [field.terrain, field.terrainState.duration ?? 0],
    rooms: timed(field.pseudoWeather),
    sides: battle.sides.map((side) => ({
      conditions: timed(side.sideConditions),
      mons: side.pokemon.map((mon) => ({
        ident: `${side.id}: ${mon.name}`, species: mon.species.id, active: mon.isActive,
        hp: mon.hp / mon.maxhp, status: mon.fainted ? "fnt" : mon.status,
        stage: mon.statusState?.stage ?? 0, boosts: mon.boosts, types: mon.getTypes(),
        volatiles: Object.keys(mon.volatiles), ability: mon.ability, base: mon.baseAbility,
        item: mon.item, tera: mon.terastallized ?? "", level: mon.level, moves: mon.baseMoveSlots.map((m) => m.id),
        illusion: Boolean(mon.illusion), transformed: mon.transformed,
      })),
    })),
  };
}

for (let number = 0; number < Number(battles); number++) {
  const prng = new PRNG(seeded(Number(seed) + number));
  const team = () => Teams.getGenerator(format, prng).getTeam();
  const battle = new Battle({ formatid: format, seed: seeded(Number(seed) + number + 7) });
  battle.setPlayer("p1", { name: "p1", team: team() });
  battle.setPlayer("p2", { name: "p2", team: team() });
  let told = 0;
  while (!battle.ended && battle.turn < TURNS) {
    const [one, other] = battle.sides;
    if (one.activeRequest && !one.activeRequest.wait && !one.isChoiceDone()) {
      const lines = seenBy("p1", battle.log.slice(told));
      told = battle.log.length;
      const request = { ...one.activeRequest, side: one.getRequestData() };
      process.stdout.write(JSON.stringify({ battle: number, request, lines, truth: truth(battle) }) + "\n");
    }
    for (const side of [one, other]) {
      if (!side.activeRequest || side.activeRequest.wait || side.isChoiceDone()) continue;
      if (!side.choose(chosen(side, prng))) side.choose("default");
    }
    if (battle.allChoicesDone()) battle.commitChoices();
    else break;
  }
}

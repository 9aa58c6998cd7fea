// Plays uses of a damaging move in Pokémon Showdown's own simulator, once for each roll of the dice.
//
//   node play_hits.cjs PACKAGE_FOLDER < question.json > hits.json
//
// The question is {format, uses, targets, attacker, defender, move, weather, terrain, rooms, screens};
// each Pokémon is {set, boosts, status, hp (a fraction), tera}. No rule is written down here: the
// move is used by the simulator's own code, of which only the dice are held. Prints {problem}, or
//
//   {hp, maxhp, accuracy, first, spread, outcome, because, critical_chance, always_critical,
//    leaves, criticals, after, steady, left_out}
//
// A leaf is one way that dice other than the rolls can fall before or between hits, such as three
// hits of five: {weight, uses: [[{hits, rolls, held}]]}. An entry of a use stands for one throw of
// the roll: the points that it takes by roll, and whether the last point of health was kept.
// `after` is what the end of a turn changes in the defender's health, by turn.
"use strict";
const path = require("path");
const { Battle, Dex } = require(path.join(process.argv[2], "dist", "sim"));
const asked = JSON.parse(require("fs").readFileSync(0, "utf8"));
const official = Dex.formats.get(asked.format);
const dex = Dex.forFormat(official);
const ROLLS = dex.gen > 2 ? 16 : 39;
const MOST_LEAVES = 300;
const BYSTANDER = { name: "Magikarp", species: "Magikarp", ability: "No Ability", level: 100, moves: ["splash"], evs: {} };

function format() {
  const custom = Dex.formats.get(`gen${dex.gen}customgame`);
  const several = ["doubles", "multi", "triples"].includes(official.gameType);
  return Object.assign(Object.create(Object.getPrototypeOf(custom)), custom, {
    mod: official.exists ? official.mod : custom.mod, gameType: several ? "doubles" : "singles",
  });
}

function settle(battle, pokemon, told) {
  pokemon.clearBoosts();
  if (dex.gen === 1) pokemon.boostBy(told.boosts);
  else pokemon.setBoost(told.boosts);
  if (told.status && !pokemon.setStatus(told.status, null, null, true)) pokemon.status = told.status;
  if (dex.gen === 1 && told.status === "brn") pokemon.modifyStat("atk", 0.5);
  pokemon.hp = Math.max(1, Math.round(pokemon.maxhp * told.hp));
  if (told.tera && dex.gen === 9) {
    pokemon.teraType = told.tera;
    pokemon.canTerastallize = told.tera;
    battle.actions.terastallize(pokemon);
  }
}

function lay(battle, target) {
  if (asked.weather) battle.field.setWeather(asked.weather, "debug");
  if (asked.terrain) battle.field.setTerrain(asked.terrain, "debug");
  for (const room of asked.rooms) battle.field.addPseudoWeather(room, "debug");
  for (const screen of asked.screens) {
    // In generation 1, screens protect the one who raised them.
    if (dex.gen === 1) target.addVolatile(screen);
    else battle.sides[1].addSideCondition(screen, "debug");
  }
}

function begin() {
  const battle = new Battle({ formatid: `gen${dex.gen}customgame`, format: format(), seed: "sodium,00" });
  const double = battle.gameType === "doubles";
  const beside = double ? [BYSTANDER] : [];
  battle.setPlayer("p1", { name: "p1", team: [asked.attacker.set, ...beside] });
  battle.setPlayer("p2", { name: "p2", team: [asked.defender.set, ...beside] });
  if (battle.requestState === "teampreview") battle.makeChoices("team 12", "team 12");
  // Of the two beside, the foe is the second target and the ally the third.
  battle.sides.forEach((side, at) => {
    if (double && asked.targets < 3 - at) Object.assign(side.active[1], { hp: 0, fainted: true });
  });
  const source = battle.sides[0].active[0];
  const target = battle.sides[1].active[0];
  settle(battle, source, asked.attacker);
  settle(battle, target, asked.defender);
  lay(battle, target);
  return { battle, source, target };
}

// The dice of one play. Rolls and critical hits are given; what falls before the first damage, and
// whether a move that aims anew goes on, is taken from the script of choices; nothing else happens.
class Dice {
  constructor(battle, target, { script, roll, critical, threshold }) {
    Object.assign(this, { battle, target, script, roll, critical, threshold });
    this.choices = [];
    this.accuracy = null;
    this.chance = null;
    this.idle = true;
    this.inside = null;
    this.secondary = false;
    this.anew();
    battle.randomizer = (damage) => {
      this.drawn = true;
      return battle.trunc(battle.trunc(damage * (85 + this.roll)) / 100);
    };
    battle.randomChance = (share, of) => this.happens(share, of);
    battle.random = (from, to) => this.number(from, to);
    battle.sample = (items) => this.one(items);
  }

  anew() {
    this.at = 0;
    this.struck = false;
    this.drawn = false;
  }

  choose(options) {
    const taken = this.script[this.at] ?? 0;
    this.choices[this.at++] = { options, taken };
    return options[taken][0];
  }

  get rolling() {
    return this.inside !== null && this.battle.eventDepth === this.inside;
  }

  happens(share, of) {
    if (this.idle || this.secondary) return false;
    if (this.rolling) {
      this.chance ??= Math.min(1, share / of);
      return this.critical;
    }
    if (share <= 0 || share >= of) return share > 0;
    const plain = this.inside === null && this.battle.eventDepth === 0;
    if (plain && !this.struck) {
      if (!this.battle.activeTarget || this.battle.activeTarget === this.target) this.accuracy ??= share / of;
      return true;
    }
    if (this.struck && !(plain && this.battle.activeMove?.multiaccuracy)) return false;
    return this.choose([[true, share / of], [false, 1 - share / of]]);
  }

  number(from, to) {
    const [low, high] = to === undefined ? [0, from ?? 1] : [from, to];
    if (!this.idle && this.rolling && low === 217 && high === 256) {
      this.drawn = true;
      return low + this.roll;
    }
    if (!this.idle && this.rolling && dex.gen === 2 && low === 0 && high === 256) {
      return this.threshold ?? (this.critical ? 0 : 255);
    }
    if (this.idle || this.struck || this.secondary || from === undefined) return high - 1;
    return this.choose(Array.from({ length: high - low }, (_, more) => [low + more, 1 / (high - low)]));
  }

  one(items) {
    if (this.idle || this.struck || this.secondary) return items[0];
    const shares = new Map();
    for (const item of items) shares.set(item, (shares.get(item) ?? 0) + 1 / items.length);
    return this.choose([...shares].reverse());
  }
}

// Follows what the attacker's moves do to the defender, who never faints of it here, so that every
// hit can be seen; the attacker takes no damage.
function follow(battle, source, target, dice) {
  const seen = { hits: [], critical: false, spread: false, steady: new Set(), besides: new Set() };
  let raw = null;
  const { getDamage, secondaries } = battle.actions;
  battle.actions.getDamage = function (by, on, move, ...more) {
    const outer = dice.inside;
    dice.inside = battle.eventDepth;
    const damage = getDamage.call(this, by, on, move, ...more);
    dice.inside = outer;
    if (by === source && on === target && typeof damage === "number") {
      raw = damage;
      seen.spread ||= !!move.spreadHit;
      seen.critical = !!on.getMoveHitData(move).crit;
      dice.struck = true;
    }
    return damage;
  };
  battle.actions.secondaries = function (...all) {
    dice.secondary = true;
    secondaries?.apply(this, all);
    dice.secondary = false;
  };
  const { damage: hurt, heal } = target;
  target.damage = function (points, from, effect) {
    const { hp } = target;
    if (effect?.effectType === "Move" && from === source && !dice.idle) {
      const held = points === hp - 1 && raw > points;
      const whole = points >= hp || held ? Math.max(points, raw ?? 0) : points;
      seen.hits.push({ points: effect.ohko ? Math.min(whole, target.maxhp) : whole, held, drawn: dice.drawn });
      dice.drawn = false;
    } else if (points) {
      (dice.idle ? seen.steady : seen.besides).add(effect?.name || "");
    }
    return hurt.call(this, Math.min(points, hp - 1), from, effect);
  };
  target.heal = function (points, from, effect) {
    if (points) (dice.idle ? seen.steady : seen.besides).add(effect?.name || "");
    return heal.call(this, points, from, effect);
  };
  source.damage = () => 0;
  source.faint = () => 0;
  // The slower one's turn is still to come, with an attack.
  const first = source.getActionSpeed() > target.getActionSpeed();
  const attack = { choice: "move", move: battle.dex.moves.get("quickattack"), pokemon: target };
  battle.queue.willMove = (who) => {
    const before = first || battle.dex.moves.get(asked.move).priority > 0;
    return who === target && before ? attack : null;
  };
  return { seen, first };
}

function use(battle, source, target, dice, seen) {
  dice.anew();
  dice.idle = false;
  seen.hits = [];
  const { hp } = source;
  battle.actions.useMove(asked.move, source, { target });
  if (!seen.hits.length && source.volatiles.twoturnmove) battle.actions.useMove(asked.move, source, { target });
  // What was foreseen comes at the end of a later turn.
  for (let turn = 0; turn < 3 && !seen.hits.length && target.side.slotConditions[target.position]?.futuremove; turn++) {
    battle.fieldEvent("Residual");
  }
  Object.assign(source, { hp, fainted: false });
  battle.faintQueue = [];
  dice.idle = true;
  return seen.hits;
}

// What the end of a turn changes, from half of the health, so that neither end is in the way.
function rest(battle, source, target) {
  const { hp, eatItem } = target;
  const middle = Math.ceil(target.maxhp / 2) + 1;
  target.hp = middle;
  target.eatItem = () => false;
  if (dex.gen <= 2) battle.runEvent("AfterMoveSelf", target, source, battle.dex.getActiveMove("splash"));
  battle.fieldEvent("Residual");
  const change = target.hp - middle;
  target.eatItem = eatItem;
  target.hp = Math.max(1, Math.min(target.maxhp, hp + change));
  return change;
}

function play(given, uses) {
  const { battle, source, target } = begin();
  const { hp, maxhp } = target;
  const dice = new Dice(battle, target, given);
  const { seen, first } = follow(battle, source, target, dice);
  const from = battle.log.length;
  const made = { hp, maxhp, first, uses: [], after: [] };
  for (let number = 0; number < uses; number++) {
    made.uses.push(use(battle, source, target, dice, seen));
    if (number === 0) Object.assign(made, { choices: [...dice.choices], critical: seen.critical, said: battle.log.slice(from) });
    if (number < uses - 1) made.after.push(rest(battle, source, target));
  }
  return Object.assign(made, { seen, dice });
}

// Every way the dice can fall that is not a roll, with its probability.
function scripts() {
  const found = [];
  const waiting = [[]];
  while (waiting.length) {
    const script = waiting.pop();
    const { choices, uses } = play({ script, roll: ROLLS - 1, critical: false }, 1);
    const taken = choices.map((choice) => choice.taken);
    for (let at = script.length; at < choices.length; at++) {
      for (let other = 1; other < choices[at].options.length; other++) waiting.push([...taken.slice(0, at), other]);
    }
    const weight = choices.reduce((share, choice) => share * choice.options[choice.taken][1], 1);
    const same = found.find((leaf) => JSON.stringify(leaf.hits) === JSON.stringify(uses[0]));
    if (same) same.weight += weight;
    else if (weight > 0) found.push({ script: taken, weight, hits: uses[0] });
    if (found.length > MOST_LEAVES) throw new Error("too many ways this can go");
  }
  return found;
}

// The throws of one use, each with the points that it takes by roll.
function thrown(plays, number) {
  const last = plays[plays.length - 1].uses[number];
  const entries = [];
  last.forEach((hit, at) => {
    const rolls = plays.map((one) => one.uses[number][at]?.points ?? 0);
    const held = plays.some((one) => one.uses[number][at]?.held);
    // A hit without a roll of its own repeats the one before, as in generation 1.
    const before = entries[entries.length - 1];
    if (hit.drawn || !before) entries.push({ hits: 1, rolls, held });
    else Object.assign(before, { hits: before.hits + 1, rolls: before.rolls.map((sum, roll) => sum + rolls[roll]) });
  });
  return entries.map((entry) => (new Set(entry.rolls).size === 1 ? { ...entry, rolls: [entry.rolls[0]] } : entry));
}

function grown({ script, weight }, critical, uses) {
  const plays = Array.from({ length: ROLLS }, (_, roll) => play({ script, roll, critical }, uses));
  return { weight, uses: Array.from({ length: uses }, (_, number) => thrown(plays, number)) };
}

// Generation 2 compares a number below 256 with the chance of a critical hit.
function criticalChance(script, told) {
  if (dex.gen !== 2) return told;
  let chance = 0;
  for (let bit = 128; bit; bit >>= 1) {
    if (play({ script, roll: 0, critical: false, threshold: chance + bit - 1 }, 1).critical) chance += bit;
  }
  return chance / 256;
}

function because(lines) {
  const immune = lines.find((line) => line.startsWith("|-immune|p2a"));
  const said = lines.map((line) => /\[from\] (?:ability|item|move): ([^|]+)/.exec(line)).find(Boolean);
  return { outcome: immune ? "immune" : "fails", because: said ? said[1] : "" };
}

function answer() {
  const ways = scripts();
  const { script } = ways[0];
  const plain = play({ script, roll: 0, critical: false }, asked.uses);
  const lucky = play({ script, roll: 0, critical: true }, 1);
  const hit = ways.some((way) => way.hits.length);
  return {
    hp: plain.hp,
    maxhp: plain.maxhp,
    accuracy: plain.dice.accuracy ?? 1,
    first: plain.first,
    spread: plain.seen.spread,
    ...(hit ? { outcome: "hits", because: "" } : because(plain.said)),
    critical_chance: hit && lucky.critical && !plain.critical ? criticalChance(script, plain.dice.chance ?? 0) : 0,
    always_critical: hit && plain.critical,
    leaves: ways.map((way) => grown(way, false, asked.uses)),
    criticals: ways.map((way) => grown(way, true, 1)),
    after: plain.after,
    steady: [...plain.seen.steady].filter(Boolean),
    left_out: [...plain.seen.besides].filter(Boolean),
  };
}

try {
  process.stdout.write(JSON.stringify(answer()));
} catch (error) {
  process.stdout.write(JSON.stringify({ problem: String(error.message || error).slice(0, 300) }));
}

// Sentences that the server writes of orders, reasons and expectations, in the reader's language.

const ORDERS = [
  [/^(.+) comes in$/, 'line.enters'],
  [/^(.+), terastallizing$/, 'line.tera'],
  [/^switch to (.+)$/, 'line.to'],
  [/^revive (.+)$/, 'line.revive'],
  [/^lead with (.+)$/, 'line.lead'],
  [/^nothing$/, 'line.nothing'],
];

const REASONS = [
  [/search (\d+)%/g, 'why.search'],
  [/(\d+)% to win/g, 'why.win'],
  [/a guaranteed KO/g, 'why.ko'],
  [/guaranteed KO when it hits/g, 'why.ko-hit'],
  [/(\d+)% to KO/g, 'why.ko-share'],
  [/super effective/g, 'why.strong'],
  [/\bresisted\b/g, 'why.weak'],
  [/but they move first/g, 'why.second'],
  [/\bmoves first/g, 'why.first'],
  [/with recoil/g, 'why.recoil'],
  [/chip damage/g, 'why.chip'],
  [/they are immune/g, 'why.immune'],
  [/a status move/g, 'why.status'],
  [/Wins with (\d+)% HP remaining/g, 'why.wins'],
  [/Loses, leaving them (\d+)%/g, 'why.loses'],
  [/Nothing to expect\./g, 'why.nothing'],
  [/They must send in a replacement\./g, 'why.replaced'],
  [/they must replace a fallen Pokémon/g, 'why.replaced'],
  [/^(.+?) most likely uses (.+?) at (\d+)%/g, 'why.uses'],
  [/switches with (\d+)%/gi, 'why.switches'],
  [/, most likely to (.+?)\./g, 'why.to'],
  [/we outspeed and KO/g, 'why.outsped'],
  [/we wall them/g, 'why.walled'],
  [/our types beat theirs/g, 'why.types'],
  [/they lose the exchange/g, 'why.exchange'],
  [/their stages are low/g, 'why.lowered'],
  [/a better matchup/g, 'why.better'],
  [/one not yet seen/g, 'why.unseen'],
  [/\(([^()]+?) takes ([\d.]+(?:-[\d.]+)?)% from ([^()]+?)\)/g, 'why.takes'],
];

/** What the server says of an order; names stay as they are. */
export function orderTold(text, t) {
  for (const [form, key] of ORDERS) {
    const found = form.exec(text);
    if (found) return t(key, ...found.slice(1));
  }
  return text;
}

/** Why an order is worth what it is, or what is expected; what is not known here stays as it was written. */
export function reasonTold(text, t) {
  return REASONS.reduce((told, [form, key]) => told.replace(form, (_, ...found) => t(key, ...found)), text);
}

const PROBLEMS = [
  [/^'(.+)' is nothing known of a Pokémon/, 'calc.unknown'],
  [/^no (?:move|species|Pokémon) '(.+)'/, 'calc.no-such'],
  [/^(.+) does no damage$/, 'calc.harmless'],
];

/** Why the calculator has no answer: too slow, or what it did not know. */
export function problemTold(problem, t) {
  if (problem.status === 0 || problem.status >= 500) return t('calc.slow');
  for (const [form, key] of PROBLEMS) {
    const found = form.exec(problem.message);
    if (found) return t(key, found[1]);
  }
  return problem.message;
}

// Sentences that the server writes of orders, reasons and expectations, in the reader's language.

import { told } from '../../components/notices.js';

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
  [/; terastallizing$/g, 'why.tera'],
  [/\bset up (.+?) with (.+?) and sweep/gi, 'plan.sweep'],
  [/\bBreak through with (.+?)\./g, 'plan.break'],
  [/Wear them down with (.+?)'s hazards\./g, 'plan.hazards'],
  [/Outlast them with (.+?)\./g, 'plan.outlast'],
  [/Do not let a strong (.+?) attacker in for free\./g, 'plan.deny'],
  [/Nobody of ours hits (.+?) super effectively: wear those down\./g, 'plan.wear'],
  [/Clear the way for (.+?): what stops it is (.+?)(?:, anything faster than (\d+) Speed)?\./g, 'plan.clear'],
  [/\bKeep (.+?) healthy\./g, 'plan.keep'],
  [/When something must fall, let it be (.+?)\./g, 'plan.spend'],
  [/^(.+) carries (.+)$/g, 'learnt.carries'],
  [/^(.+) has no choice item$/g, 'learnt.free'],
  [/^(.+) wears no Heavy-Duty Boots$/g, 'learnt.barefoot'],
  [/^(.+) has no Leftovers$/g, 'learnt.hungry'],
  [/^(.+) is faster than (.+)$/g, 'learnt.faster'],
  [/^(.+) is slower than (.+)$/g, 'learnt.slower'],
  [/^every known set with what it showed carries it$/g, 'since.sets'],
  [/^it used two different moves without leaving$/g, 'since.moves'],
  [/^entry hazards hurt it$/g, 'since.hazards'],
  [/^it was hurt at the end of a turn and did not heal$/g, 'since.hurt'],
  [/^on turn (\d+) its (.+) moved before our (.+)$/g, 'since.before'],
  [/^on turn (\d+) its (.+) moved after our (.+)$/g, 'since.after'],
  [/^(\d+) known sets? fits?$/g, 'sets.fit'],
  [/^no known set fits everything; (.+) was given up$/g, 'sets.none'],
  [/^.+ is not in the set data; this set is built from its dex entry$/g, 'sets.built'],
];

/** What the server says of an order; names stay as they are. */
export function orderTold(text, t) {
  for (const [form, key] of ORDERS) {
    const found = form.exec(text);
    if (found) return t(key, ...found.slice(1));
  }
  return text;
}

/** Why an order is worth what it is, what is expected, planned and learnt; what is not known here stays as it was written. */
export function reasonTold(text, t) {
  const typed = (part) => part?.split(', ').map((one) => (t.has(`type.${one.toLowerCase()}`) ? t(`type.${one.toLowerCase()}`) : one)).join(', ');
  return REASONS.reduce((told, [form, key]) => told.replace(form, (...found) => t(key, ...found.slice(1, -2).map(typed))), text);
}

const CALCULATED = [
  [/^'(.+)' is nothing known of a Pokémon/, 'calc.unknown'],
  [/^no (?:move|species|Pokémon) '(.+)'/, 'calc.no-such'],
  [/^(.+) does no damage$/, 'calc.harmless'],
];

/** Why the calculator has no answer: too slow, or what it did not know. */
export function problemTold(problem, t) {
  if (problem.status === 0 || problem.status >= 500) return t('calc.slow');
  for (const [form, key] of CALCULATED) {
    const found = form.exec(problem.message);
    if (found) return t(key, found[1]);
  }
  return told(problem, t);
}

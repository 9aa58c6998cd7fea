// The saga's events in a few words, for the turn inspector.

import { formula, total } from './dice.js';

const TOLD = {
  Travelled: ({ origin, place }) => (origin ? `${origin} → ${place}` : place),
  Refused: ({ reason, about }) => [reason.replaceAll('_', ' '), about].filter(Boolean).join(': '),
  SkillChecked: ({ skill, roll, difficulty }) => `${skill}: ${formula(roll)} = ${total(roll)} / ${difficulty}`,
  SectionTold: ({ kind, key }) => `${kind} ${key}`,
  FlagSet: ({ flag }) => flag,
  SecretLearned: ({ secret }) => secret,
  ItemGained: ({ item, count }) => `+${count} ${item}`,
  ItemLost: ({ item, count }) => `−${count} ${item}`,
  CoinChanged: ({ amount, coin }) => `${amount} (${coin})`,
  Equipped: ({ who, item }) => `${who}: ${item}`,
  HitPointsChanged: ({ who, amount, hp, cause }) => `${who}: ${amount} (${hp}), ${cause}`,
  ActionTaken: ({ who, action, cost, target }) => [`${who}: ${action}`, target, `(${cost})`].filter(Boolean).join(' '),
  Attacked: ({ attacker, target, attack, defence, damage }) => `${attacker} → ${target}: ${total(attack)} / ${total(defence)}, ${damage}`,
  StatusGained: ({ who, status }) => `${who}: ${status.kind} (${status.rounds})`,
  StatusAged: ({ who, kind, rounds }) => `${who}: ${kind} (${rounds})`,
  Died: ({ who, by }) => [who, by].filter(Boolean).join(' ← '),
  Fled: ({ who }) => who,
  TurnAdvanced: ({ round, actor }) => `${round}: ${actor}`,
  CombatEnded: ({ outcome, xp }) => `${outcome.replaceAll('_', ' ')}, ${xp}`,
  EndingReached: ({ ending }) => ending,
  TurnConcluded: ({ payload }) => payload,
};

/** Return an event in words, or nothing for one that is not known here. */
export const describe = (event) => TOLD[event.type]?.(event);

// The table's events in a few words, for the turn inspector.

const rolled = ({ roll }) => `${roll.formula} = ${roll.total}`;
const arrow = (...parts) => parts.filter(Boolean).join(' → ');
const list = (...parts) => parts.filter(Boolean).join(', ');

const TOLD = {
  FightBegan: ({ fight }) => fight.order?.join(', '),
  FightOver: ({ outcome, xp }) => list(outcome, xp && `${xp} XP`),
  TurnBegan: ({ actor, round, lost }) => list(`${round}: ${actor}`, lost),
  TurnEnded: ({ actor }) => actor,
  ActionTaken: ({ who, act, what, targets }) => arrow(`${who}: ${list(act, what)}`, targets?.join(', ')),
  Moved: ({ who, origin, position }) => `${who}: ${origin} → ${position}`,
  Checked: (event) => `${event.who}: ${event.what}, ${rolled(event)} / ${event.dc}`,
  SaveRolled: (event) => `${event.who}: ${event.ability}, ${rolled(event)} / ${event.dc}`,
  AttackRolled: (event) => `${arrow(event.attacker, event.target)}: ${rolled(event)} / ${event.ac}`,
  DamageRolled: (event) => `${event.by}: ${rolled(event)} ${event.damage}`,
  HealingRolled: (event) => `${event.by}: ${rolled(event)}`,
  HitPointsChanged: ({ who, amount, hp, why }) => `${who}: ${amount} (${hp}), ${why}`,
  DeathSaved: (event) => `${event.who}: ${rolled(event)} (${event.passed}/${event.failed})`,
  Fell: ({ who, by }) => arrow(by, who),
  Died: ({ who, by }) => arrow(by, who),
  CameRound: ({ who }) => who,
  Stabilised: ({ who, by }) => arrow(by, who),
  EffectGained: ({ who, effect }) => `${who}: ${effect.key}`,
  EffectEnded: ({ who, key, why }) => `${who}: ${key} (${why})`,
  SpellCast: ({ who, spell, slot, targets }) => arrow(`${who}: ${spell}${slot ? ` (${slot})` : ''}`, targets?.join(', ')),
  SlotSpent: ({ who, level, left }) => `${who}: ${level} (${left})`,
  ItemGained: ({ who, item, count }) => `${who}: +${count} ${item}`,
  ItemLost: ({ who, item, count }) => `${who}: −${count} ${item}`,
  XpGained: ({ who, amount }) => `${who}: ${amount}`,
  SeatHeld: ({ seat, by }) => `${seat}: ${by}`,
  Acted: ({ seat, how }) => `${seat}: ${how}`,
  TurnPassed: ({ seat, round }) => `${round}: ${seat}`,
  Spoke: ({ seat, text }) => `${seat}: ${text}`,
  Whispered: ({ seat, to, text }) => `${arrow(seat, to?.join(', '))}: ${text}`,
  Learned: ({ key, how }) => list(key, how),
  Paused: ({ why }) => why,
  Refused: ({ reason, about }) => list(reason.replaceAll('_', ' '), about),
  Consulted: ({ topic }) => topic,
};

/** Return an event in words, everybody called by name; nothing for one that is not known here. */
export function describe(event, _t, view) {
  const known = [...view.seats.map(({ seat, name }) => [seat, name]), ...view.party.map(({ id, name }) => [id, name]), ...(view.combat?.order ?? []).map(({ id, name }) => [id, name])];
  const names = new Map(known);
  return TOLD[event.type]?.(event)?.replaceAll(/[a-z][\w-]*/g, (word) => names.get(word) ?? word);
}

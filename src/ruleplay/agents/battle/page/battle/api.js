// What the battle's routes answer: battles started here, arenas, reviews of replays.

import { own, Problem } from '../../api.js';

export const battles = () => own.get('/api/battle/battles');
/** A battle begins in the reader's language: what is told of each decision is in it. */
export const startBattle = (given) => own.post('/api/battle/battles', { lang: document.documentElement.lang, ...given });
export const stopBattle = (id) => own.post(`/api/battle/battles/${encodeURIComponent(id)}/cancel`);
export const arenas = () => own.get('/api/battle/arenas');
export const review = (file, player, told) => own.upload(`/api/battle/reviews?name=${encodeURIComponent(file.name)}&player=${encodeURIComponent(player)}`, file, told);

const seat = (id) => `/api/battle/battles/${encodeURIComponent(id)}/seat`;
/** The person's seat, once there is more than version `after`. */
export const seatOf = (id, after) => own.get(`${seat(id)}?after=${after}`);
export const giveOrder = (id, request, order) => own.post(seat(id), { request, order });
export const calculate = (asked) => own.post('/api/battle/calc', asked);

/** A person's battle looked at again, from its log. */
export async function reviewOf(id, us) {
  const answer = await fetch(`${seat(id)}/log`);
  if (!answer.ok) throw new Problem(answer);
  // The names on the local server end in digits that say nothing.
  const log = (await answer.text()).replace(/\bRuleplay [0-9a-f]{8}\b/g, 'Ruleplay').replace(/\bPlayer [0-9a-f]{8}\b/g, us);
  return review(new File([log], 'battle.log'), 'p2');
}

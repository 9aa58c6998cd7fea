// What the battle's routes answer: battles started here, arenas, reviews of replays.

import { own } from '../../api.js';

export const battles = () => own.get('/api/battle/battles');
export const startBattle = (given) => own.post('/api/battle/battles', given);
export const stopBattle = (id) => own.post(`/api/battle/battles/${encodeURIComponent(id)}/cancel`);
export const arenas = () => own.get('/api/battle/arenas');
export const review = (file, player, told) => own.upload(`/api/battle/reviews?name=${encodeURIComponent(file.name)}&player=${encodeURIComponent(player)}`, file, told);

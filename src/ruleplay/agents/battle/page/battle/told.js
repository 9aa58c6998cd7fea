// What has happened in a battle, from the lines of Showdown's protocol, in the reader's language.

import { html, useEffect, useRef } from '../../vendor/preact.js';
import { nameOf, percent } from './frames.js';

const plain = (text = '') => text.toLowerCase().replace(/[^a-z0-9]/g, '');
const bare = (text = '') => text.replace(/^(move|item|ability): /, '');

/** Health after a hit: `33/100`, `120/263 par`, `0 fnt`. */
function share(told = '') {
  const [now, most] = told.split(' ')[0].split('/').map(Number);
  return most ? percent(now / most) : 0;
}

function condition(text, t) {
  const key = `condition.${plain(bare(text))}`;
  return t.has(key) ? t(key) : bare(text);
}

const TOLD = {
  switch: ([who], name, t) => t('told.in', name(who)),
  drag: ([who], name, t) => t('told.in', name(who)),
  move: ([who, move], name, t) => t('told.move', name(who), move),
  faint: ([who], name, t) => t('told.faint', name(who)),
  cant: ([who], name, t) => t('told.cant', name(who)),
  tie: (_, name, t) => t('result.tie'),
  '-damage': ([who, told], name, t) => t('told.health', name(who), share(told)),
  '-sethp': ([who, told], name, t) => t('told.health', name(who), share(told)),
  '-heal': ([who, told], name, t) => t('told.heal', name(who), share(told)),
  '-status': ([who, status], name, t) => t('told.status', name(who), t(`status.${status}`)),
  '-curestatus': ([who, status], name, t) => t('told.cured', name(who), t(`status.${status}`)),
  '-boost': ([who, stat, by], name, t) => t('told.boost', name(who), t(`stat.${stat}`), `+${by}`),
  '-unboost': ([who, stat, by], name, t) => t('told.boost', name(who), t(`stat.${stat}`), `−${by}`),
  '-weather': ([id, more], name, t) => (more === '[upkeep]' ? '' : id === 'none' ? t('field.clear') : condition(id, t)),
  '-fieldstart': ([id], name, t) => condition(id, t),
  '-fieldend': ([id], name, t) => t('told.ends', condition(id, t)),
  '-sidestart': ([, id], name, t) => condition(id, t),
  '-sideend': ([, id], name, t) => t('told.ends', condition(id, t)),
  '-start': ([who, id], name, t) => (t.has(`condition.${plain(bare(id))}`) ? t('told.of', name(who), condition(id, t)) : ''),
  '-supereffective': (_, name, t) => t('told.strong'),
  '-resisted': (_, name, t) => t('told.weak'),
  '-crit': (_, name, t) => t('told.crit'),
  '-immune': ([who], name, t) => t('told.immune', name(who)),
  '-miss': ([who], name, t) => t('told.miss', name(who)),
  '-fail': (_, name, t) => t('told.fail'),
  '-terastallize': ([who, type], name, t) => t('told.tera', name(who), t(`type.${type.toLowerCase()}`)),
  '-ability': ([who, ability], name, t) => t('told.of', name(who), ability),
  '-item': ([who, item], name, t) => t('told.of', name(who), item),
  '-enditem': ([who, item], name, t) => t('told.lost', name(who), item),
};

/** A line in words, or '' for what is not told. `us` is our role, `p1` or `p2`. */
export function lineIn(line, us, t) {
  const [, kind, ...given] = line.split('|');
  const name = (ident = '') => (ident.startsWith(us) ? nameOf(ident) : t('told.theirs', nameOf(ident)));
  return TOLD[kind]?.(given, name, t) ?? '';
}

/** The lines by turns: `[{turn, lines}]`, the turn 0 for what came before the first. */
export function turnsIn(lines, us, t) {
  const turns = [{ turn: 0, lines: [] }];
  for (const line of lines) {
    if (line.startsWith('|turn|')) turns.push({ turn: Number(line.slice(6)), lines: [] });
    else turns.at(-1).lines.push(lineIn(line, us, t));
  }
  return turns.map((one) => ({ ...one, lines: one.lines.filter(Boolean) })).filter((one) => one.lines.length);
}

export function Log({ lines, us, t }) {
  const box = useRef(null);
  useEffect(() => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines.length]);
  return html`
    <section class="duel-log" aria-labelledby="duel-log">
      <h3 id="duel-log">${t('duel.log')}</h3>
      <div ref=${box} class="log-lines" role="log" tabindex="0" aria-labelledby="duel-log">
        ${turnsIn(lines, us, t).map((one) => html`<div key=${one.turn}>${one.turn > 0 && html`<h4>${t('review.turn', one.turn)}</h4>`}${one.lines.map((line, at) => html`<p key=${at}>${line}</p>`)}</div>`)}
      </div>
    </section>`;
}

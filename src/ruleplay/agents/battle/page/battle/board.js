// The board: both sides with who stands, who waits, what lies on the ground, and the sky above.

import { html } from '../../vendor/preact.js';
import { Boosts, Condition, Status, Type } from './badges.js';
import { percent } from './frames.js';
import { Figure } from '../../pictures/figure.js';

/** `names` are how items and abilities are written, by their ids. */
export function Board({ position, names = {}, t }) {
  const { ours, theirs, field } = position;
  return html`
    <section class="board" aria-labelledby="board-title">
      <h3 id="board-title">${position.turn > 0 ? t('board.turn', position.turn) : t('board')}</h3>
      <${Side} side=${theirs} whose="theirs" names=${names} t=${t} />
      <${Sky} field=${field} t=${t} />
      <${Side} side=${ours} whose="ours" names=${names} t=${t} />
    </section>`;
}

function Sky({ field, t }) {
  const parts = [field.weather, field.terrain, ...(field.rooms ?? [])].filter(Boolean);
  return html`<div class="sky" role="group" aria-label=${t('field')}>${parts.length ? parts.map((part) => html`<${Condition} key=${part.id} condition=${part} t=${t} kind="weather" />`) : html`<span class="facts">${t('field.clear')}</span>`}</div>`;
}

function Side({ side, whose, names, t }) {
  const active = side.team.find((mon) => mon.active);
  const unseen = Math.max(0, side.size - side.team.length);
  return html`
    <section class=${`side ${whose}`} aria-label=${t(`side.${whose}`)}>
      ${active ? html`<${Active} mon=${active} names=${names} t=${t} />` : html`<p class="facts">${t('nobody')}</p>`}
      ${side.conditions.length > 0 && html`<p class="conditions" role="group" aria-label=${t('conditions')}>${side.conditions.map((one) => html`<${Condition} key=${one.id} condition=${one} t=${t} kind="ground" />`)}</p>`}
      <ul class="bench" aria-label=${t('bench')}>
        ${side.team.filter((mon) => !mon.active).map((mon) => html`<li key=${mon.ident}><${Waiting} mon=${mon} t=${t} /></li>`)}
        ${unseen > 0 && html`<li class="unknown">${t('unseen', unseen)}</li>`}
      </ul>
    </section>`;
}

function Active({ mon, names, t }) {
  return html`
    <article class=${`active${isOut(mon) ? ' out' : ''}`}>
      <${Figure} name=${mon.name} species=${mon.species} types=${mon.types} />
      <header>
        <h4>${mon.name}</h4><span class="facts">${t('level', mon.level)}</span>
        <span class="types">${mon.types.map((type) => html`<${Type} key=${type} name=${type} t=${t} tera=${mon.terastallized} />`)}</span>
      </header>
      <${Health} mon=${mon} t=${t} />
      <p class="marks">
        <${Status} status=${mon.status} turns=${mon.status_turns} t=${t} />
        <${Boosts} boosts=${mon.boosts} t=${t} />
        ${mon.volatiles.map((one) => html`<${Condition} key=${one.id} condition=${one} names=${names} t=${t} />`)}
      </p>
      <p class="carried facts">${carried(mon, names, t).map((text) => html`<span key=${text}>${text}</span>`)}
        ${mon.tera_type && !mon.terastallized && html`<${Type} name=${mon.tera_type} t=${t} tera=${true} />`}</p>
    </article>`;
}

/** What it holds and can, and how that is known. */
function carried(mon, names, t) {
  const written = (id) => names[id] ?? id;
  const sure = (source) => (source === 'deduced' ? ` (${t('deduced')})` : '');
  const item = mon.item === '' ? t('item.none') : mon.item && written(mon.item);
  return [
    item && t('told.of', t('item'), `${item}${sure(mon.item_source)}`),
    mon.ability && t('told.of', t('ability'), `${written(mon.ability)}${sure(mon.ability_source)}`),
  ].filter(Boolean);
}

const isOut = (mon) => mon.status === 'fnt' || mon.hp <= 0;

function Health({ mon, t, small = false }) {
  const share = isOut(mon) ? 0 : percent(mon.hp);
  const points = mon.hp_max ? `${mon.hp_now} / ${mon.hp_max}` : '';
  const told = isOut(mon) ? t('fainted') : t('percent', share);
  return html`
    <div class=${`health ${share > 50 ? 'high' : share > 20 ? 'middle' : 'low'}`}>
      <span class="bar" aria-hidden="true"><span style=${`width: ${share}%`}></span></span>
      <span class="told">${told}${points && !small && !isOut(mon) && html` <span class="facts">${points}</span>`}</span>
    </div>`;
}

function Waiting({ mon, t }) {
  return html`
    <div class=${`waiting${isOut(mon) ? ' out' : ''}`}>
      <${Figure} name=${mon.name} species=${mon.species} types=${mon.types} />
      <span class="name">${mon.name}</span>
      <${Health} mon=${mon} t=${t} small=${true} />
      ${!isOut(mon) && html`<${Status} status=${mon.status} t=${t} />`}
    </div>`;
}

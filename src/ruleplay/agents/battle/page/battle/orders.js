// What one may do in a battle: moves, switches, giving up; buttons that keep their place while one waits.

import { html, useRef, useState } from '../../vendor/preact.js';
import { Figure } from '../../pictures/figure.js';
import { Type } from './badges.js';
import { choices, percent } from './frames.js';

export function Orders({ position, moves, waiting, tera, wish, order, t }) {
  const { mayTera, moves: legal, switches, others } = choices(position, tera);
  // Where somebody has to be sent in there is nothing to fight with: the moves stay where they were, and wait.
  const last = useRef([]);
  if (moves.length) last.current = moves;
  const fight = !position.force_switch && moves.length > 0;
  return html`
    <section class="orders stack" aria-labelledby="orders">
      <h3 id="orders" class=${waiting ? 'waits' : 'asks'}><span role="status">${waiting ? html`<span class="pulse"></span> ${t('duel.waits')}` : t(position.force_switch ? 'duel.who' : 'duel.turn')}</span></h3>
      ${last.current.length > 0 && html`<div class="moves">${last.current.map((move, at) => html`<${Move} key=${move.id} move=${move} at=${at} order=${fight ? legal[at] : undefined} waiting=${waiting} choose=${order} t=${t} />`)}</div>`}
      ${switches.length > 1 && html`<div class="substitutes" role="group" aria-label=${t('duel.switch')}>${switches.map((one) => html`<${Substitute} key=${one.mon.ident} ...${one} waiting=${waiting} choose=${order} t=${t} />`)}</div>`}
      <div class="row">
      ${fight && mayTera && html`<button type="button" class="tera-wish" aria-pressed=${tera} aria-disabled=${waiting} onClick=${() => waiting || wish(!tera)}><kbd aria-hidden="true">T</kbd> ${t('duel.tera')} <${Type} name=${position.ours.team.find((one) => one.active)?.tera_type ?? ''} t=${t} tera=${true} /></button>`}
      ${others.map((one) => html`<button key=${one.kind} type="button" aria-disabled=${waiting} onClick=${() => order(one)}>${one.kind === 'team' ? t('order.team', one.order.join(', ')) : t('order.default')}</button>`)}
      <${GiveUp} waiting=${waiting} order=${order} t=${t} />
      </div>
    </section>`;
}

function Move({ move, at, order, waiting, choose, t }) {
  const off = waiting || !order;
  const facts = [
    move.power > 0 && t('duel.power', move.power),
    move.accuracy < 1 && t('accuracy', percent(move.accuracy)),
    move.max_pp > 0 && t('duel.uses', move.pp, move.max_pp),
  ].filter(Boolean).join(' · ');
  return html`
    <button type="button" class=${`move ${move.type}`} aria-disabled=${off} onClick=${() => off || choose(order)}>
      <span class="name"><kbd aria-hidden="true">${at + 1}</kbd> <b>${move.name}</b></span>
      <span class="tags">${move.type && html`<${Type} name=${move.type} t=${t} /> ${t(`category.${move.category}`)}`}${move.effect !== null && move.effect !== 1 && html` <span class=${`chip ${move.effect > 1 ? 'win' : 'lose'}`}>${move.effect === 0 ? t('immune') : t('effective', move.effect)}</span>`}</span>
      <span class="facts">${facts}</span>
    </button>`;
}

/** One of ours, in its place also while it stands on the field or cannot come in. */
function Substitute({ mon, digit, order, waiting, choose, t }) {
  const off = waiting || !order;
  const fallen = mon.status === 'fnt' || mon.hp <= 0;
  return html`
    <button type="button" class="substitute" aria-disabled=${off} onClick=${() => off || choose(order)}>
      <${Figure} name=${mon.name} species=${mon.species} types=${mon.types} />
      <span class="name">${mon.name}</span>
      <span class="facts"><kbd aria-hidden="true">${digit}</kbd> ${fallen ? t('fainted') : t('percent', percent(mon.hp))}${mon.status && !fallen ? ` · ${t(`status.${mon.status}`)}` : ''}</span>
    </button>`;
}

function GiveUp({ waiting, order, t }) {
  const [sure, be] = useState(false);
  if (!sure) return html`<p><button type="button" class="quiet" aria-disabled=${waiting} onClick=${() => waiting || be(true)}>${t('duel.give-up')}</button></p>`;
  return html`
    <p class="row" role="group" aria-label=${t('duel.sure')}>${t('duel.sure')}
      <button type="button" class="danger" onClick=${() => order(null)}>${t('duel.give-up')}</button>
      <button type="button" onClick=${() => be(false)}>${t('duel.play-on')}</button></p>`;
}

// What one may do in a battle: moves, switches, giving up; buttons that keep their place while one waits.

import { html, useState } from '../../vendor/preact.js';
import { Figure } from '../../pictures/figure.js';
import { Type } from './badges.js';
import { nameOf, percent } from './frames.js';

/** The legal orders of a position: moves in the request's order (holes where one is not legal), then switches. */
export function choices(position, tera) {
  const { legal, request_moves: known = [] } = position;
  const mayTera = legal.some((one) => one.tera);
  const of = (move) => {
    const found = legal.filter((one) => one.kind === 'move' && one.move === move);
    return found.find((one) => Boolean(one.tera) === (tera && mayTera)) ?? found[0];
  };
  return {
    mayTera,
    moves: known.map(of),
    switches: legal.filter((one) => one.kind === 'switch'),
    others: legal.filter((one) => one.kind === 'team' || one.kind === 'default'),
  };
}

export function Orders({ position, moves, waiting, tera, wish, order, t }) {
  const { mayTera, moves: legal, switches, others } = choices(position, tera);
  const fight = !position.force_switch && moves.length > 0;
  return html`
    <section class="orders stack" aria-labelledby="orders">
      <h3 id="orders" class=${waiting ? 'waits' : 'asks'}><span role="status">${waiting ? html`<span class="pulse"></span> ${t('duel.waits')}` : t(position.force_switch ? 'duel.who' : 'duel.turn')}</span></h3>
      ${fight && html`<div class="moves">${moves.map((move, at) => html`<${Move} key=${move.id} move=${move} at=${at} order=${legal[at]} waiting=${waiting} choose=${order} t=${t} />`)}</div>`}
      ${fight && mayTera && html`<button type="button" class="tera-wish" aria-pressed=${tera} aria-disabled=${waiting} onClick=${() => waiting || wish(!tera)}><kbd aria-hidden="true">T</kbd> ${t('duel.tera')} <${Type} name=${position.ours.team.find((one) => one.active)?.tera_type ?? ''} t=${t} tera=${true} /></button>`}
      ${switches.length > 0 && html`<div class="substitutes" role="group" aria-label=${t('duel.switch')}>${switches.map((one, at) => html`<${Substitute} key=${one.ident} order=${one} at=${at} position=${position} waiting=${waiting} choose=${order} t=${t} />`)}</div>`}
      ${others.map((one) => html`<button key=${one.kind} type="button" aria-disabled=${waiting} onClick=${() => order(one)}>${one.kind === 'team' ? t('order.team', one.order.join(', ')) : t('order.default')}</button>`)}
      <${GiveUp} waiting=${waiting} order=${order} t=${t} />
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

function Substitute({ order, at, position, waiting, choose, t }) {
  const mon = position.ours.team.find((one) => one.ident === order.ident);
  return html`
    <button type="button" class="substitute" aria-disabled=${waiting} onClick=${() => waiting || choose(order)}>
      <${Figure} name=${mon?.name ?? nameOf(order.ident)} species=${mon?.species} types=${mon?.types} />
      <span class="name">${nameOf(order.ident)}</span>
      <span class="facts">${at < 5 && html`<kbd aria-hidden="true">${at + 5}</kbd> `}${percent(mon?.hp ?? 1)} %${mon?.status ? ` · ${t(`status.${mon.status}`)}` : ''}</span>
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

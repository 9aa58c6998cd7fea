// What a person at our side wants: the order that is held, wishes that stand, and taking them back.

import { html } from '../../vendor/preact.js';
import { usePreferences } from '../../preferences.js';
import { nameOf, namesOf, orderIn, percent, sameOrder } from './frames.js';

/** The wish that a legal order stands for; nothing for one that no button gives. */
function wishOf(order) {
  if (order.kind === 'move') return { do: 'move', move: order.move, tera: Boolean(order.tera) };
  return order.kind === 'switch' ? { do: 'switch', ident: order.ident } : null;
}

export function Wishes({ view, scene, act, busy, t }) {
  const { language } = usePreferences();
  if (!scene || view.result || !view.wishes) return null;
  const want = (wish) => act({ kind: 'wish', wish });
  const drop = (wish) => act({ kind: 'wish', wish, drop: true });
  const said = (one) => one.said[language] ?? one.said.en;
  const standing = new Set(view.wishes.map((one) => one.wish.do));
  return html`
    <section class="part wanted stack" aria-labelledby="wanted-of">
      <h3 id="wanted-of">${t('wishes')}</h3>
      <p class="hint" role="status">${t(view.decision?.held ? 'wishes.held' : 'wishes.next')}</p>
      ${view.decision?.held && html`<p><button type="button" class="primary" disabled=${busy} onClick=${() => act({ kind: 'send', request_id: view.decision.request_id })}>${t('wishes.send', orderIn(scene.order?.order, namesOf(scene.trace), t))}</button></p>`}
      ${view.offered.length > 0 && html`<div class="row" role="group" aria-label=${t('wishes.which')}>${t('wishes.which')} ${view.offered.map((one) => html`<button key=${said(one)} type="button" disabled=${busy} onClick=${() => want(one.wish)}>${said(one)}</button>`)}</div>`}
      <${Legal} scene=${scene} want=${want} busy=${busy} t=${t} />
      <div class="row" role="group" aria-label=${t('wishes.standing')}>
        ${['no_tera', 'safer'].filter((kind) => !standing.has(kind)).map((kind) => html`<button key=${kind} type="button" disabled=${busy} onClick=${() => want({ do: kind })}>${t(`wishes.${kind}`)}</button>`)}
        <${Keep} scene=${scene} want=${want} busy=${busy} t=${t} />
      </div>
      ${view.wishes.length > 0 && html`
        <ul class="list" aria-label=${t('wishes.yours')}>${view.wishes.map((one) => html`<li key=${said(one)}><span class="grow">${said(one)}</span> <button type="button" disabled=${busy} onClick=${() => drop(one.wish)}>${t('wishes.drop')}</button></li>`)}</ul>
        <p><button type="button" class="quiet" disabled=${busy} onClick=${() => act({ kind: 'free' })}>${t('wishes.free')}</button></p>`}
    </section>`;
}

/** The legal orders as buttons, with the chance of winning the search gives each. */
function Legal({ scene, want, busy, t }) {
  const { position, trace, order } = scene;
  const names = namesOf(trace);
  const valued = (one) => trace?.verdict?.lines?.find((line) => sameOrder(line.order, one))?.value;
  const given = position.legal.filter(wishOf);
  if (given.length < 2) return null;
  return html`
    <div class="row" role="group" aria-label=${t('wishes.orders')}>${given.map((one) => html`
      <button key=${one.kind + (one.move ?? one.ident) + Boolean(one.tera)} type="button" aria-pressed=${sameOrder(order?.order, one)} disabled=${busy} onClick=${() => want(wishOf(one))}>${orderIn(one, names, t)}${valued(one) !== undefined && html` <span class="facts">${t('percent', percent(valued(one)))}</span>`}</button>`)}</div>`;
}

function Keep({ scene, want, busy, t }) {
  const living = scene.position.ours.team.filter((mon) => mon.status !== 'fnt' && !mon.fainted);
  const choose = (event) => {
    if (event.target.value) want({ do: 'keep', ident: event.target.value });
    event.target.value = '';
  };
  return html`
    <label class="inline">${t('wishes.keep')} <select disabled=${busy} onChange=${choose}><option value="">–</option>${living.map((mon) => html`<option key=${mon.ident} value=${mon.ident}>${nameOf(mon.ident)}</option>`)}</select></label>`;
}

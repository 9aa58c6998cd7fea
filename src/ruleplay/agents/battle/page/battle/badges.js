// Small marks on the board: types, status, boosts. Our own drawings in CSS; every mark also says it in words.

import { html } from '../../vendor/preact.js';

const TYPES = new Set('normal fire water electric grass ice fighting poison ground flying psychic bug rock ghost dragon dark steel fairy stellar'.split(' '));

export function Type({ name, t, tera = false }) {
  const known = TYPES.has(name);
  return html`<span class=${`type ${known ? name : ''}${tera ? ' tera' : ''}`}>${tera && html`<svg viewBox="0 0 10 10" aria-hidden="true"><path d="M5 0 9 3 7.6 10H2.4L1 3z" /></svg>`}${tera && html`<span class="unseen">${t('tera')} </span>`}${known ? t(`type.${name}`) : name}</span>`;
}

export function Status({ status, turns, t }) {
  if (!status) return null;
  return html`<span class=${`status ${status}`} title=${turns ? t('status.turns', turns) : undefined}>${t(`status.${status}`)}</span>`;
}

const STAGES = ['atk', 'def', 'spa', 'spd', 'spe', 'accuracy', 'evasion'];

export function Boosts({ boosts = {}, t }) {
  const raised = STAGES.filter((stat) => boosts[stat]);
  if (!raised.length) return null;
  return html`${raised.map((stat) => html`<span key=${stat} class=${`boost ${boosts[stat] > 0 ? 'up' : 'down'}`}>${boosts[stat] > 0 ? '+' : '−'}${Math.abs(boosts[stat])} ${t(`stat.${stat}`)}</span>`)}`;
}

/** A condition: what it is, its layers and the turns it has stood or has left. */
export function Condition({ condition, names = {}, t, kind = '' }) {
  const { id, layers = 1, left } = condition;
  const key = `condition.${id}`;
  const more = [layers > 1 && `×${layers}`, left !== null && left !== undefined && t('turns-left', left)].filter(Boolean).join(' ');
  return html`<span class=${`condition ${kind}`}>${t.has(key) ? t(key) : names[id] ?? id}${more && html` <span class="facts">${more}</span>`}</span>`;
}

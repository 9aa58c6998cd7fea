// Why an order was chosen: our options with their damage, what they may do, the search, the model's wish.

import { html } from '../../vendor/preact.js';
import { Icon } from '../../icons.js';
import { useFormats } from '../../preferences.js';
import { Type } from './badges.js';
import { nameOf, namesOf, orderIn, percent, sameOrder } from './frames.js';
import { reasonTold } from './phrases.js';

export function Decision({ scene, t }) {
  const { trace, order, position } = scene;
  if (!trace) return html`<p class="hint">${t('undecided')}</p>`;
  const names = namesOf(trace);
  const target = position.theirs.team.find((mon) => mon.active);
  const chosen = order?.order ?? trace.chosen;
  const shared = { trace, names, chosen, t };
  return html`
    <${Chosen} ...${shared} order=${order} />
    <${Moves} ...${shared} target=${target} />
    <${Switches} ...${shared} />
    <${Foreseen} expected=${trace.expected} by=${trace.predicted_by} t=${t} />
    <${Tera} tera=${trace.tera} names=${names} t=${t} />
    <${Search} verdict=${trace.verdict} names=${names} chosen=${chosen} t=${t} />
    <${How} ...${shared} />`;
}

function Chosen({ trace, order, names, chosen, t }) {
  const value = order?.value;
  return html`
    <section class="part chosen" aria-labelledby="chosen">
      <h3 id="chosen">${t('chosen')}</h3>
      <p class="order"><b>${orderIn(chosen, names, t)}</b>
        <span class="by"><${Icon} name=${trace.source === 'model' ? 'pen' : 'gavel'} />${t(`by.${trace.source}`)}</span>
        ${value !== null && value !== undefined && html`<span class="facts">${t('value', percent(value))}</span>`}</p>
    </section>`;
}

/** A range of damage on a bar that is a whole life long; the mark is what the target has left. */
export function DamageBar({ damage, hp }) {
  const [low, high] = [Math.min(1, damage.low), Math.min(1, damage.high)].map((share) => share * 100);
  return html`
    <span class="damage" aria-hidden="true">
      <span class="sure" style=${`width: ${low}%`}></span><span class="maybe" style=${`width: ${Math.max(0, high - low)}%`}></span>
      ${hp > 0 && hp < 1 && html`<span class="left" style=${`left: ${hp * 100}%`}></span>`}
    </span>`;
}

const range = (damage, t) => `${Math.round(damage.low * 100)}–${t('percent', Math.round(damage.high * 100))}`;

function Moves({ trace, chosen, target, t }) {
  const { moves, choice_locked: locked } = trace.moves ?? { moves: [] };
  if (!moves.length) return null;
  return html`
    <section class="part" aria-labelledby="moves">
      <h3 id="moves">${t('moves')}</h3>
      ${target && html`<p class="facts">${t('moves.against', target.name, percent(target.hp))}${locked ? ` · ${t('locked')}` : ''}</p>`}
      <ol class="options">${moves.map((option) => html`<${Move} key=${option.order.move + option.order.tera} option=${option} hp=${target?.hp ?? 1} taken=${sameOrder(option.order, chosen)} t=${t} />`)}</ol>
    </section>`;
}

function Move({ option, hp, taken, t }) {
  const { damage } = option;
  const harmless = damage.high <= 0;
  const targets = option.on_switches.filter((one) => one.damage.high > 0);
  const facts = [
    !harmless && t('ko', percent(option.ko_chance)),
    option.accuracy < 100 && t('accuracy', option.accuracy),
    option.priority !== 0 && t('priority', option.priority),
    option.recoil > 0 && t('recoil', percent(option.recoil)),
    damage.effectiveness !== 1 && !harmless && t('effective', damage.effectiveness),
  ].filter(Boolean);
  return html`
    <li class=${taken ? 'taken' : ''}>
      <p class="line"><b>${option.name || option.move}</b>${option.order.tera && html` <span class="chip">${t('tera')}</span>`}${taken && html` <span class="chip mine"><${Icon} name="check" />${t('taken')}</span>`}<span class="amount">${option.immune ? t('immune') : harmless ? t('no-damage') : range(damage, t)}</span></p>
      ${!harmless && html`<${DamageBar} damage=${damage} hp=${hp} />`}
      <p class="facts">${facts.join(' · ')}</p>
      ${(option.reasoning || targets.length > 0) && html`
        <details class="more"><summary>${t('why')}<span class="unseen">: ${option.name}</span></summary>
          ${option.reasoning && html`<p>${reasonTold(option.reasoning, t)}</p>`}
          ${targets.length > 0 && html`<ul class="targets" aria-label=${t('on-switches')}>${targets.map((one) => html`<li key=${one.ident}><span>${one.name}</span> <span class="amount">${range(one.damage, t)}</span> <span class="facts">${t('ko', percent(one.ko_chance))}</span></li>`)}</ul>`}
        </details>`}
    </li>`;
}

function Switches({ trace, chosen, t }) {
  const { switches } = trace.switches ?? { switches: [] };
  if (!switches.length) return null;
  return html`
    <section class="part" aria-labelledby="switches">
      <h3 id="switches">${t('switches')}</h3>
      <ol class="options">${switches.map((option) => html`
        <li key=${option.ident} class=${sameOrder(option.order, chosen) ? 'taken' : ''}>
          <p class="line"><b>${option.name}</b>${sameOrder(option.order, chosen) && html` <span class="chip mine"><${Icon} name="check" />${t('taken')}</span>`}${option.outcome && html` <span class=${`chip ${option.outcome}`}>${t(`outcome.${option.outcome}`)}</span>`}<span class="amount">${option.survives ? t('after', percent(option.hp_after)) : t('falls')}</span></p>
          <span class="damage arriving" aria-hidden="true"><span class="keeps" style=${`width: ${percent(option.hp_after)}%`}></span><span class="maybe" style=${`width: ${percent(option.hit)}%`}></span><span class="hazard" style=${`width: ${percent(option.hazards)}%`}></span></span>
          <p class="facts">${[option.hazards > 0 && t('hazards', percent(option.hazards)), option.hit > 0 && t('hit', percent(option.hit)), option.matchup_result].filter(Boolean).join(' · ')}</p>
          ${option.reasoning && html`<details class="more"><summary>${t('why')}<span class="unseen">: ${option.name}</span></summary><p>${reasonTold(option.reasoning, t)}</p></details>`}
        </li>`)}</ol>
    </section>`;
}

/** A share as a bar with its number beside it. */
function Share({ share, name, note, more, t, strong = false }) {
  return html`
    <li class=${strong ? 'taken' : ''}>
      <p class="line"><span class="name">${strong ? html`<b>${name}</b>` : name}</span><span class="amount">${t('percent', percent(share))}</span></p>
      <span class="share" aria-hidden="true"><span style=${`width: ${percent(share)}%`}></span></span>
      ${note && html`<p class="facts">${note}</p>`}${more}
    </li>`;
}

function Foreseen({ expected, by, t }) {
  if (!expected?.predictions?.length) return null;
  return html`
    <section class="part" aria-labelledby="expected">
      <h3 id="expected">${t('expected')}</h3>
      <p class="facts">${[t(`foreseen.${by ?? 'policy'}`), expected.switch_chance > 0 && t('switch-chance', percent(expected.switch_chance))].filter(Boolean).join(' · ')}</p>
      <ol class="options plain">${expected.predictions.map((one) => html`
        <${Share} t=${t} key=${one.kind + one.action} share=${one.probability} name=${one.kind === 'switch' ? t('order.switch', (one.name && reasonTold(one.name, t)) || nameOf(one.action) || t('unknown')) : one.name || one.action}
          note=${[one.damage && one.damage.high > 0 && t('to-us', range(one.damage, t)), one.ko_chance > 0 && t('ko', percent(one.ko_chance)), reasonTold(one.reasoning ?? '', t)].filter(Boolean).join(' · ')} />`)}</ol>
    </section>`;
}

function Tera({ tera, names, t }) {
  if (!tera?.our_tera_available && !tera?.opponent_tera_available) return null;
  const types = (tera.opponent_types ?? []).filter(([, chance]) => chance > 0).slice(0, 4);
  return html`
    <section class="part" aria-labelledby="tera">
      <h3 id="tera">${t('tera.title')}</h3>
      <p>${tera.recommendation ? t('tera.now', orderIn(tera.recommendation, names, t)) : tera.our_tera_available ? t('tera.keep') : t('tera.spent')}</p>
      ${types.length > 0 && html`<p class="facts">${t('tera.theirs')} ${types.map(([type, chance]) => html`<span key=${type} class="pair"><${Type} name=${type} t=${t} tera=${true} /> ${t('percent', percent(chance))}</span> `)}</p>`}
    </section>`;
}

function Search({ verdict, names, chosen, t }) {
  const formats = useFormats();
  if (!verdict?.lines?.length) return null;
  const facts = [verdict.engine, verdict.worlds > 0 && t('worlds', verdict.worlds), verdict.visits > 0 && t('visits', formats.number(verdict.visits)), verdict.milliseconds > 0 && formats.ms(verdict.milliseconds)];
  return html`
    <section class="part" aria-labelledby="search">
      <h3 id="search">${t('search')}</h3>
      <p class="facts">${facts.filter(Boolean).join(' · ')}</p>
      <ol class="options plain">${verdict.lines.slice(0, 6).map((line, at) => html`<${Share} t=${t} key=${at} share=${line.value} name=${orderIn(line.order, names, t)} note=${t('tried', percent(line.share))} strong=${sameOrder(line.order, chosen)} />`)}</ol>
    </section>`;
}

function How({ trace, names, t }) {
  const formats = useFormats();
  const total = (trace.laps ?? []).reduce((sum, lap) => sum + lap.ms, 0);
  const longest = Math.max(1, ...(trace.laps ?? []).map((lap) => lap.ms));
  return html`
    <section class="part" aria-labelledby="how-decided">
      <h3 id="how-decided">${t('how')}</h3>
      <dl class="wishes">
        <div><dt>${t('best')}</dt><dd>${orderIn(trace.best, names, t)}</dd></div>
        <div><dt>${t('wanted')}</dt><dd>${trace.wanted ? orderIn(trace.wanted, names, t) : t('wanted.none')}</dd></div>
        ${trace.refused?.length > 0 && html`<div><dt>${t('refused.why')}</dt><dd><ul class="refusals">${trace.refused.map((why, at) => html`<li key=${at}>${why}</li>`)}</ul></dd></div>`}
      </dl>
      ${trace.scores?.length > 0 && html`
        <details class="more"><summary>${t('scores', trace.scores.length)}</summary>
          <div class="sideways" tabindex="0" role="region" aria-label=${t('scores', trace.scores.length)}>
            <table class="figures"><thead><tr><th scope="col">${t('order')}</th><th scope="col">${t('score')}</th><th scope="col" class="text">${t('why')}</th></tr></thead>
            <tbody>${trace.scores.map((one, at) => html`<tr key=${at}><th scope="row">${orderIn(one.order, names, t)}</th><td>${formats.number(Math.round(one.score * 1000) / 1000)}</td><td class="text wrap">${reasonTold(one.why, t)}</td></tr>`)}</tbody></table>
          </div>
        </details>`}
      ${trace.laps?.length > 0 && html`
        <details class="more"><summary>${t('times', formats.ms(total))}</summary>
          <ul class="laps">${trace.laps.map((lap, at) => html`<li key=${at}><code>${lap.node}</code><span class="share" aria-hidden="true"><span style=${`width: ${(lap.ms / longest) * 100}%`}></span></span><span class="amount">${formats.ms(lap.ms)}</span></li>`)}</ul>
        </details>`}
    </section>`;
}

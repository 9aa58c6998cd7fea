// The hero's sheet and belongings.

import { html } from '../../vendor/preact.js';
import { Portrait } from '../../pictures/portrait.js';
import { Thing } from '../../pictures/things.js';

export function Hero({ sheet, inventory, t }) {
  return html`
    <section class="part character" aria-labelledby="saga-hero">
      <div class="who"><span class="face large"><${Portrait} name=${sheet.name} /></span><div><h3 id="saga-hero">${sheet.name}</h3>
      <p class="facts">${sheet.race} · ${sheet.culture} · ${t('level', sheet.level)} · ${t('xp', sheet.xp, sheet.next_level)}</p></div></div>
      <p class="bar"><meter class="hp" min="0" max=${sheet.max_hp} low=${sheet.max_hp * 0.34} high=${sheet.max_hp * 0.67} optimum=${sheet.max_hp} value=${sheet.hp} aria-label=${t('hp-of', sheet.name)}></meter> <b class="points">${sheet.hp}/${sheet.max_hp}</b></p>
      <dl class="stats">${sheet.stats.map((stat) => html`<div key=${stat.name}><dt>${stat.name}</dt><dd>${stat.score} <span class="facts">(${stat.modifier >= 0 ? '+' : '−'}${Math.abs(stat.modifier)})</span></dd></div>`)}</dl>
      ${sheet.skills.length > 0 && html`<p class="facts">${sheet.skills.map((skill) => `${skill.name} ${skill.rank}`).join(' · ')}</p>`}
      <h4>${t('carried')}</h4>
      <ul class="carried">
        ${inventory.map((one) => html`<li key=${one.item}><${Thing} kind=${one.kind} /> ${one.name}${one.count > 1 && ` × ${one.count}`}${one.in_use && html` <span class="facts">${t('in-use')}</span>`}</li>`)}
        <li><${Thing} kind="coin" /> ${t('coin', sheet.coin)}</li>
      </ul>
    </section>`;
}

// The party as all see it, and the reader's own sheet in full; the DM reads all of them.

import { html } from '../../vendor/preact.js';
import { Portrait } from '../../pictures/portrait.js';
import { HitPoints, named } from './fight.js';

export function Party({ view, t }) {
  const sheets = view.sheet ? [view.sheet] : view.sheets;
  return html`
    <section class="part" aria-labelledby="party-party">
      <h3 id="party-party">${t('party')}</h3>
      <ul class="members">${view.party.map((one) => html`<li key=${one.id}><${Member} one=${one} t=${t} /></li>`)}</ul>
      ${sheets.map((sheet) => html`<${Sheet} key=${sheet.id} sheet=${sheet} open=${sheets.length === 1} t=${t} />`)}
    </section>`;
}

function Member({ one, t }) {
  const facts = [
    t('kind', named(`race.${one.race}`, t, one.race), one.class.split(', ').map((name) => named(`class.${name}`, t, name)).join(', ')).trim(), t('level', one.level), t('ac', one.ac),
    one.concentration && t('concentrates', one.concentration),
    ['dying', 'stable', 'dead'].includes(one.health) && t(`health.${one.health}`),
    ...one.conditions.map((condition) => named(`condition.${condition.key}`, t, condition.name)),
  ];
  return html`
    <span class="face"><${Portrait} name=${one.name} colour=${one.color ?? ''} /></span>
    <span class="name" style=${one.color ? `color: ${one.color}` : undefined}>${one.name}</span>
    <${HitPoints} one=${one} t=${t} />
    <span class="facts">${facts.filter(Boolean).join(' · ')}</span>`;
}

function Sheet({ sheet, open, t }) {
  return html`
    <details class="sheet" open=${open}>
      <summary><h4>${t('sheet', sheet.name)}</h4></summary>
      <dl class="abilities">${Object.entries(sheet.abilities).map(([key, one]) => html`
        <div key=${key}><dt>${one.name ?? key}</dt><dd>${one.score} <span class="facts">(${signed(one.modifier)}; ${t('save')} ${signed(one.save)})</span></dd></div>`)}</dl>
      <${List} title=${t('skills')} items=${sheet.skills.filter((one) => one.proficient).map((one) => `${one.name} ${signed(one.bonus)}`)} />
      <${List} title=${t('attacks')} items=${sheet.attacks.map((one) => `${one.name} ${signed(one.bonus)} (${one.damage})`)} />
      <${List} title=${t('spells')} items=${sheet.spells.map((one) => (one.level ? `${one.name} (${one.level})` : one.name))} />
      <${List} title=${t('slots')} items=${sheet.slots.map((one) => t('slot', one.level, one.left, one.max))} />
      <${List} title=${t('features')} items=${sheet.features.map((one) => (one.max ? `${one.name} ${one.left}/${one.max}` : one.name))} />
      <${List} title=${t('inventory')} items=${sheet.inventory.map((one) => (one.count > 1 ? `${one.name} × ${one.count}` : one.name))} />
      ${sheet.death_saves.passed + sheet.death_saves.failed > 0 && html`<p class="facts">${t('death-saves', sheet.death_saves.passed, sheet.death_saves.failed)}</p>`}
      <p class="facts">${t('xp', sheet.xp)}</p>
      <${Persona} persona=${sheet.persona} t=${t} />
    </details>`;
}

function List({ title, items }) {
  if (!items.length) return null;
  return html`<p><b>${title}:</b> ${items.join(', ')}</p>`;
}

function Persona({ persona, t }) {
  if (!persona) return null;
  const lines = [['personality', persona.personality], ['goals', persona.goals], ['bonds', persona.bonds]];
  return lines.map(([name, said]) => html`<${List} key=${name} title=${t(name)} items=${[said].flat().filter(Boolean).map((one) => one.replace(/\.$/, ''))} />`);
}

const signed = (number) => (number < 0 ? `−${-number}` : `+${number}`);

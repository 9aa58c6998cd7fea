// Making a hero: everything chosen here is priced and judged by the server's rules, never by the page.

import { html, useRef, useState } from '../../vendor/preact.js';
import { create } from '../../actions.js';
import { own } from '../../api.js';
import { ModelChoice } from '../../components/model-choice.js';
import { Portrait } from '../../pictures/portrait.js';
import { Loading, told } from '../../components/notices.js';
import { usePreferences } from '../../preferences.js';
import { useAnswer, useResource } from '../../resources.js';

const NAMES = { human: 'Halla', elf: 'Lindis', dwarf: 'Thrain', hobbit: 'Poppy' };

/** On the agent's own page: who sets out, and into which story. */
export function Front({ t }) {
  const choices = useResource('saga-creation', () => own.get('/api/saga/creation'));
  if (choices === null) return html`<${Loading} />`;
  if (!choices) return null;
  return html`
    <section class="saga" aria-labelledby="saga-creation">
      <h2 id="saga-creation">${t('creation')}</h2>
      <${Creation} choices=${choices} t=${t} />
    </section>`;
}

function fresh({ scenarios, races, stats }, lang) {
  const [race] = races;
  return {
    scenario: scenarios[0].id,
    lang,
    name: NAMES[race.id] ?? '',
    race: race.id,
    culture: race.cultures[0],
    stats: Object.fromEntries(stats.map((stat) => [stat.id, stat.score])),
    skills: {},
  };
}

function Creation({ choices, t }) {
  const { language } = usePreferences();
  const [hero, set] = useState(() => fresh(choices, language));
  const [model, setModel] = useState('');
  const [sending, send] = useState(false);
  const { scenario, lang, ...made } = hero;
  const asked = JSON.stringify(made);
  const { value, problem } = useAnswer(`saga-hero ${asked}`, () => own.post('/api/saga/heroes/check', made));
  // Until the answer is there, what was reckoned last stays in sight; nobody can set out with it.
  const last = useRef();
  last.current = value ?? last.current;
  const reckoned = last.current;
  const change = (patch) => set((before) => ({ ...before, ...patch }));
  const submit = async (event) => {
    event.preventDefault();
    send(true);
    await create({ agent: 'saga', title: '', model: model.trim(), config: hero });
    send(false);
  };
  const shown = { choices, hero, change, say: (words) => words[language] ?? words.en, t };
  return html`
    <form class="form creation" onSubmit=${submit}>
      <${Story} ...${shown} />
      <div class="maker"><span class="face huge"><${Portrait} name=${hero.name || '?'} /></span><div class="form"><${People} ...${shown} /></div></div>
      <div class="setting-out"><button type="submit" class="primary" disabled=${sending || !value?.legal}>${t('creation.begin')}</button>
      <${Verdict} reckoned=${reckoned} problem=${problem} say=${shown.say} t=${t} /></div>
      <details class="fine"><summary>${t('creation.fine')}</summary>
        <${Stats} ...${shown} reckoned=${reckoned} />
        <${Skills} ...${shown} reckoned=${reckoned} />
        <${ModelChoice} value=${model} onChange=${setModel} />
      </details>
    </form>`;
}

function Story({ choices, hero, change, say, t }) {
  return html`
    <fieldset>
      <legend>${t('creation.story')}</legend>
      ${choices.scenarios.map((one) => html`
        <label key=${one.id} class=${`story${hero.scenario === one.id ? ' chosen' : ''}`}>
          <input type="radio" name="scenario" checked=${hero.scenario === one.id} onChange=${() => change({ scenario: one.id })} />
          <span><b>${say(one.title)}</b> <span class="hint">${say(one.pitch)}</span> <span class="hint">${t('creation.length', one.level, one.places, one.fights)}</span></span>
        </label>`)}
    </fieldset>
    <label>${t('creation.language')}
      <select onChange=${(event) => change({ lang: event.target.value })}>
        <option value="en" selected=${hero.lang === 'en'}>English</option>
        <option value="fr" selected=${hero.lang === 'fr'}>Français</option>
      </select>
    </label>`;
}

function People({ choices, hero, change, say, t }) {
  const race = choices.races.find((one) => one.id === hero.race);
  const culture = choices.cultures.find((one) => one.id === hero.culture);
  const skill = (id) => say(choices.skills.find((one) => one.id === id).name);
  const stat = (id) => say(choices.stats.find((one) => one.id === id).name);
  const pick = (id) => {
    const picked = choices.races.find((one) => one.id === id);
    const named = Object.values(NAMES).includes(hero.name) ? { name: NAMES[id] ?? hero.name } : {};
    change({ race: id, culture: picked.cultures[0], ...named });
  };
  return html`
    <label>${t('creation.name')}
      <input value=${hero.name} required maxlength="24" autocomplete="off" spellcheck=${false} onInput=${(event) => change({ name: event.target.value })} />
    </label>
    <label>${t('creation.race')}
      <select onChange=${(event) => pick(event.target.value)}>${choices.races.map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === hero.race}>${say(one.name)}</option>`)}</select>
      <span class="hint">${Object.entries(race.bonuses).map(([id, adds]) => `${stat(id)} ${signed(adds)}`).join(' · ')}</span>
    </label>
    <label>${t('creation.culture')}
      <select onChange=${(event) => change({ culture: event.target.value })}>${choices.cultures.filter((one) => race.cultures.includes(one.id)).map((one) => html`<option key=${one.id} value=${one.id} selected=${one.id === hero.culture}>${say(one.name)}</option>`)}</select>
      <span class="hint">${[
    ...Object.entries(culture.skills).map(([id, rank]) => `${skill(id)} +${rank}`),
    ...culture.kit.map((one) => say(one.name) + (one.count > 1 ? ` × ${one.count}` : '')),
    t('coin', culture.coin),
  ].join(' · ')}</span>
    </label>`;
}

function Stats({ choices, hero, change, say, reckoned, t }) {
  const race = choices.races.find((one) => one.id === hero.race);
  const bounds = [choices.prices[0].score, choices.prices.at(-1).score];
  const cost = (score) => choices.prices.find((one) => one.score === score)?.points;
  return html`
    <fieldset>
      <legend>${t('creation.stats')} <${Spent} spent=${reckoned?.points} of=${choices.budget} what=${t('creation.points')} /></legend>
      ${choices.stats.map(({ id, name }) => html`
        <${Stepper} key=${id} label=${say(name)} value=${hero.stats[id]} bounds=${bounds} t=${t}
          set=${(score) => change({ stats: { ...hero.stats, [id]: score } })}
          note=${[t('creation.price', cost(hero.stats[id])), race.bonuses[id] && `${signed(race.bonuses[id])} → ${hero.stats[id] + race.bonuses[id]}`].filter(Boolean).join(' · ')} />`)}
    </fieldset>`;
}

function Skills({ choices, hero, change, say, reckoned, t }) {
  const culture = choices.cultures.find((one) => one.id === hero.culture);
  const set = (id, rank) => {
    const { [id]: _before, ...rest } = hero.skills;
    change({ skills: rank ? { ...rest, [id]: rank } : rest });
  };
  return html`
    <fieldset>
      <legend>${t('creation.skills')} <${Spent} spent=${reckoned?.ranks} of=${choices.skill_ranks} what=${t('creation.ranks')} /></legend>
      ${choices.skills.map(({ id, name }) => html`
        <${Stepper} key=${id} label=${say(name)} value=${hero.skills[id] ?? 0} bounds=${[0, choices.ranks_at_most]} t=${t}
          set=${(rank) => set(id, rank)} note=${culture.skills[id] ? `${signed(culture.skills[id])} → ${(hero.skills[id] ?? 0) + culture.skills[id]}` : ''} />`)}
    </fieldset>`;
}

function Stepper({ label, value, bounds: [lowest, highest], set, note, t }) {
  return html`
    <div class="stepper" role="group" aria-label=${label}>
      <span>${label}</span>
      <button type="button" aria-label=${t('creation.less', label)} disabled=${value <= lowest} onClick=${() => set(value - 1)}>−</button>
      <b>${value}</b>
      <button type="button" aria-label=${t('creation.more', label)} disabled=${value >= highest} onClick=${() => set(value + 1)}>+</button>
      <span class="hint">${note}</span>
    </div>`;
}

function Spent({ spent, of, what }) {
  return html`<span class=${`spent ${spent > of ? 'over' : ''}`}>${spent ?? '…'}/${of} ${what}</span>`;
}

/** Whether the rules take this hero, and all they have against it. */
function Verdict({ reckoned, problem, say, t }) {
  const wrong = problem ? [told(problem, t)] : reckoned?.problems.map(say) ?? [];
  return html`
    <div class="verdict" role="status">
      ${reckoned?.legal && html`<p class="legal">${t('creation.legal', reckoned.hp)}</p>`}
      ${wrong.length > 0 && html`<ul class="trouble">${wrong.map((one) => html`<li key=${one}>${one}</li>`)}</ul>`}
    </div>`;
}

const signed = (number) => `${number < 0 ? '−' : '+'}${Math.abs(number)}`;

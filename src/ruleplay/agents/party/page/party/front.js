// Laying a table: which adventure, whose characters, at which level. What ships stands in words.js.

import { html, useState } from '../../vendor/preact.js';
import { create } from '../../actions.js';
import { ModelChoice } from '../../components/model-choice.js';
import { Portrait } from '../../pictures/portrait.js';
import { LANGUAGES, usePreferences, wordsIn } from '../../preferences.js';
import { words } from './words.js';

/** The adventures and characters that ship, by their keys: the first adventure is played when none is chosen. */
export const ADVENTURES = ['drowned-bell', 'glass-orchard'];
export const CHARACTERS = ['thorin', 'pell', 'sunniva', 'zephrine'];
const LEVELS = [1, 2, 3];

export function Front({ t }) {
  const { language } = usePreferences();
  const [table, set] = useState({ adventure: ADVENTURES[0], characters: CHARACTERS, level: LEVELS[0], lang: language });
  const [model, choose] = useState('');
  const [sending, send] = useState(false);
  const change = (patch) => set((before) => ({ ...before, ...patch }));
  const submit = async (event) => {
    event.preventDefault();
    send(true);
    await create({ agent: 'party', title: wordsIn(table.lang, words)(`front.${table.adventure}`), model, config: table });
    send(false);
  };
  const given = { table, change, t };
  return html`
    <form class="form party" onSubmit=${submit}>
      <${Adventures} ...${given} />
      <${Characters} ...${given} />
      <${Level} ...${given} />
      <label>${t('front.lang')}
        <select onChange=${(event) => change({ lang: event.target.value })}>${Object.entries(LANGUAGES).map(([code, name]) => html`<option key=${code} value=${code} lang=${code} selected=${code === table.lang}>${name}</option>`)}</select>
      </label>
      <${ModelChoice} value=${model} onChange=${choose} />
      <button type="submit" class="primary" disabled=${sending || !table.characters.length}>${t('front.start')}</button>
    </form>`;
}

function Adventures({ table, change, t }) {
  return html`
    <fieldset class="stories">
      <legend>${t('front.adventure')}</legend>
      ${ADVENTURES.map((key) => html`
        <label key=${key} class=${`story${table.adventure === key ? ' chosen' : ''}`}>
          <input type="radio" name="adventure" checked=${table.adventure === key} onChange=${() => change({ adventure: key })} />
          <span><b>${t(`front.${key}`)}</b> <span class="hint">${t(`front.${key}.pitch`)}</span> <span class="hint">${t('front.length')}</span></span>
        </label>`)}
    </fieldset>`;
}

/** Who is not chosen stays at home; somebody has to go. */
function Characters({ table, change, t }) {
  const chosen = (key) => table.characters.includes(key);
  const flip = (key) => change({ characters: CHARACTERS.filter((one) => (one === key ? !chosen(one) : chosen(one))) });
  return html`
    <fieldset class="stories cast">
      <legend>${t('front.characters')}</legend>
      ${CHARACTERS.map((key) => html`
        <label key=${key} class=${`story${chosen(key) ? ' chosen' : ''}`}>
          <input type="checkbox" checked=${chosen(key)} onChange=${() => flip(key)} />
          <span class="face"><${Portrait} name=${nameOf(key)} /></span>
          <span><b>${nameOf(key)}</b> <span class="hint">${t(`front.${key}`)}</span></span>
        </label>`)}
    </fieldset>`;
}

const nameOf = (key) => key[0].toUpperCase() + key.slice(1);

function Level({ table, change, t }) {
  return html`
    <label>${t('front.level')}
      <select onChange=${(event) => change({ level: Number(event.target.value) })}>${LEVELS.map((level) => html`<option key=${level} value=${level} selected=${level === table.level}>${t(`front.level.${level}`)}</option>`)}</select>
    </label>`;
}

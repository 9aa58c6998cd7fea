// What the reader chose: language, theme, single-key shortcuts. Kept in this browser only.

import { cardWords } from './agents/cards.js';
import { createStore, keepIn, kept, useStore } from './store.js';
import { useEffect, useState } from './vendor/preact.js';
import { en } from './i18n/en.js';
import { fr } from './i18n/fr.js';

const WORDS = { en, fr };
export const LANGUAGES = { en: 'English', fr: 'Français' };
export const THEMES = ['system', 'light', 'dark'];

const remembered = (name) => kept('localStorage', name);

function remember(name, value) {
  tell(name, value);
  keepIn('localStorage', name, value);
}

/** The server writes documents in the language and light that were chosen: nothing is painted in another first. */
function tell(name, value) {
  if (name === 'shortcuts') return;
  document.cookie = `ruleplay.${name}=${value}; path=/; max-age=31536000; samesite=lax`;
}

function preferred() {
  const asked = [remembered('language'), ...(navigator.languages ?? [navigator.language])];
  const known = asked.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag) => tag in WORDS);
  return known ?? 'en';
}

const preferences = createStore({
  language: preferred(),
  theme: THEMES.includes(remembered('theme')) ? remembered('theme') : 'system',
  shortcuts: remembered('shortcuts') !== 'off',
});
document.documentElement.lang = preferences.get().language;
for (const name of ['language', 'theme']) {
  const chosen = remembered(name);
  if (chosen) choose(name, chosen);
}

/** Whether a media query holds; drawn again when that changes. */
export function useMedia(query) {
  const [holds, set] = useState(query.matches);
  useEffect(() => {
    const changed = () => set(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, [query]);
  return holds;
}

export const usePreferences = () => useStore((state) => state, preferences);
export const shortcutsOn = () => preferences.get().shortcuts;

export function choose(name, value) {
  preferences.set({ [name]: value });
  remember(name, name === 'shortcuts' ? (value ? 'on' : 'off') : value);
  if (name === 'language') document.documentElement.lang = value;
  if (name === 'theme') {
    if (value === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = value;
  }
}

/** Return the words of a language: `t(key, …)`; `more` are an agent's own words by language. */
export function wordsIn(language, more = {}) {
  const words = { ...WORDS.en, ...more.en, ...WORDS[language], ...cardWords(language), ...more[language] };
  const t = (key, ...given) => {
    const found = words[key];
    return typeof found === 'function' ? found(...given) : found ?? key;
  };
  t.has = (key) => key in words;
  t.language = language;
  return t;
}

/** The words of the reader's language. */
export function useWords(more) {
  const { language } = usePreferences();
  return wordsIn(language, more);
}

/** What an agent is called: in the reader's language where this page knows a name, else as the agent says. */
export const titleOf = (agent, t) => (t.has(`titled.${agent.name}`) ? t(`titled.${agent.name}`) : agent.title);

/** How numbers, prices, dates and times are written in the reader's language. */
export function useFormats() {
  const { language: chosen } = usePreferences();
  // English is written in more than one way; the browser knows which one its owner reads.
  const language = navigator.languages?.find((tag) => tag.startsWith(chosen)) ?? chosen;
  const dollars = new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' });
  const finely = new Intl.NumberFormat(language, {
    style: 'currency', currency: 'USD', maximumSignificantDigits: 3,
  });
  const number = new Intl.NumberFormat(language);
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return {
    price: (value) => dollars.format(Number(value)),
    cost: (value) => finely.format(Number(value)),
    number: (value) => number.format(value),
    day: (iso) => day.format(new Date(iso)),
    moment: (iso) => moment.format(new Date(iso)),
    ms: (value) => (value < 1000
      ? `${number.format(value < 10 ? Math.round(value * 10) / 10 : Math.round(value))} ms`
      : `${number.format(Math.round(value / 100) / 10)} s`),
  };
}

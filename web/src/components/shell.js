// What surrounds every page: header, banners, live regions.

import { html } from '../vendor/preact.js';
import { askAgain, dismiss } from '../actions.js';
import { Icon } from '../icons.js';
import { choose, LANGUAGES, THEMES, usePreferences, useWords } from '../preferences.js';
import { store, useStore } from '../store.js';
import { More, told } from './notices.js';

const THEME_ICONS = { system: 'half', light: 'sun', dark: 'moon' };

export function Shell({ children }) {
  const t = useWords();
  return html`
    <a class="skip" href="#content">${t('skip')}</a>
    <${Header} />
    <${Banners} />
    <main id="content" tabindex="-1">${children}</main>
    <${Announcements} />`;
}

function Header() {
  const t = useWords();
  const { language, theme } = usePreferences();
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`
    <header class="top">
      <a class="brand" href="/">
        <svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" /><path class="margin" d="M10 5v22" /><path class="lines" d="M14 11h12M14 17h12M14 23h7" /></svg>
        <span>Ruleplay</span>
      </a>
      <p class="motto">${t('motto')}</p>
      <nav aria-label=${t('settings')}>
        <label class="language">
          <span class="unseen">${t('language')}</span>
          <select value=${language} onChange=${(event) => choose('language', event.target.value)}>
            ${Object.entries(LANGUAGES).map(([code, name]) => html`<option key=${code} value=${code} lang=${code} selected=${code === language}>${name}</option>`)}
          </select>
        </label>
        <button type="button" class="quiet" title=${t(`theme.${theme}`)} aria-label=${`${t('theme')}: ${t(`theme.${theme}`)}`} onClick=${() => choose('theme', next)}>
          <${Icon} name=${THEME_ICONS[theme]} />
        </button>
        <button type="button" class="quiet" title=${t('help')} aria-label=${t('help')} onClick=${() => store.set({ dialog: 'help' })}>
          <${Icon} name="help" />
        </button>
      </nav>
    </header>`;
}

function Banners() {
  const t = useWords();
  const problem = useStore((state) => state.problem);
  const offline = useStore((state) => state.offline);
  const lost = useStore((state) => state.connection === 'lost' && state.session?.status === 'ready');
  return html`
    <div class="banners" role="status">
      ${(offline || lost) && html`<p class="banner"><span class="pulse"></span>${t(offline ? 'offline' : 'reconnecting')}</p>`}
      ${problem && html`
        <p class="banner bad">
          <${Icon} name="warn" />
          <span>${told(problem, t)}<${More} problem=${problem} t=${t} /></span>
          ${problem.status === 0 && html`<button type="button" onClick=${askAgain}>${t('again')}</button>`}
          <button type="button" class="quiet" aria-label=${t('close')} onClick=${dismiss}><${Icon} name="close" /></button>
        </p>`}
    </div>`;
}

/** Replies as a screen reader should speak them: whole, once they hold. */
function Announcements() {
  const said = useStore((state) => state.said);
  return html`<div class="unseen" aria-live="polite" id="announcements">${said}</div>`;
}

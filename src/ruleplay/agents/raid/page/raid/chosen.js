// Which night and pull are looked at: one choice for the panel, the field one writes in, and what is asked.

import { html } from '../../vendor/preact.js';
import { store, useStore } from '../../store.js';
import { named } from './choices.js';
import { useReports, useTool } from './reports.js';

const NOTHING = { report: '', fight: null };

export const chosenIn = (session) => (state) => (state.chosen?.session === session ? state.chosen : NOTHING);

export function choose(session, given) {
  store.set((state) => ({ chosen: { ...chosenIn(session)(state), session, ...given } }));
}

/** A chip in the field: what the next question is about, and where that is changed. */
export function About({ session, t }) {
  const chosen = useStore(chosenIn(session.id));
  const reports = useReports();
  const code = chosen.report || session.view?.report || reports.list?.[0]?.code || '';
  const fight = chosen.fight ?? (code === session.view?.report ? session.view?.fight : null);
  const pulls = useTool('list_pulls', code ? { report_code: code } : null).value?.rows ?? [];
  const report = reports.list?.find((one) => one.code === code);
  if (!report) return html`<div class="about"></div>`;
  return html`
    <div class="about">
      ${reports.list.length > 1 && html`<select aria-label=${t('report')} onChange=${(event) => choose(session.id, { report: event.target.value, fight: null })}>${reports.list.map((one) => html`<option key=${one.code} value=${one.code} selected=${one.code === code}>${named(one)}</option>`)}</select>`}
      <select aria-label=${t('about.pull')} onChange=${(event) => choose(session.id, { report: code, fight: event.target.value ? Number(event.target.value) : null })}>
        <option value="" selected=${fight === null}>${reports.list.length > 1 ? t('about.night') : named(report)}</option>
        ${pulls.map((pull) => html`<option key=${pull.fight} value=${pull.fight} selected=${pull.fight === fight}>${t('pull', pull.fight, pull.encounter)}</option>`)}
      </select>
    </div>`;
}

/** A question with what was chosen for it, where the conversation is not about that already. */
export function asked(text, session) {
  const { report, fight } = chosenIn(session.id)(store.get());
  const view = session.view ?? {};
  const parts = [
    report && report !== view.report && `report ${report}`,
    fight !== null && !(fight === view.fight && report === view.report) && `pull ${fight}`,
  ].filter(Boolean);
  return parts.length ? `${text} (${parts.join(', ')})` : text;
}

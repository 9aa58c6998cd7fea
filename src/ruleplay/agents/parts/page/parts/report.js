// What the owner wants to know of the last month: what was asked and not answered, day by day.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { own } from '../../api.js';

const LISTS = ['not_answered', 'unknown_numbers', 'top_parts', 'top_symptoms'];
const COUNTS = ['turns', 'answers', 'menus', 'handed_over', 'stopped_for_safety'];

export function Report({ t }) {
  const [days, keep] = useState(null);
  useEffect(() => { own.get('/api/parts/report').then((told) => keep(told.days), () => keep([])); }, []);
  if (!days?.length) return null;
  const list = (day, name) => day[name].map(([what, count]) => `${what} (${count})`).join('; ');
  return html`
    <section class="stack parts" aria-labelledby="parts-report">
      <h2 id="parts-report">${t('report')}</h2>
      <ul class="days">${days.map((day) => html`
        <li key=${day.day}>
          <h3>${day.day}</h3>
          <p>${COUNTS.filter((name) => day[name]).map((name) => `${t(`report.${name}`)} ${day[name]}`).join(' · ')}</p>
          <dl>${LISTS.filter((name) => day[name].length).map((name) => html`<div key=${name}><dt>${t(`report.${name}`)}</dt><dd>${list(day, name)}</dd></div>`)}</dl>
        </li>`)}</ul>
    </section>`;
}

// What the owner wants to know of the last month: what was asked and not answered, day by day.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { own } from '../../api.js';

const LISTS = ['not_answered', 'unknown_numbers', 'top_parts', 'top_symptoms'];
const COUNTS = ['turns', 'answers', 'menus', 'handed_over', 'stopped_for_safety'];

export function Report({ t }) {
  const [days, keep] = useState(null);
  useEffect(() => { own.get('/api/parts/report').then((told) => keep(told.days), () => keep([])); }, []);
  if (!days?.length) return null;
  return html`
    <section class="stack parts" aria-labelledby="parts-report">
      <h2 id="parts-report">${t('report')}</h2>
      <div class="sideways" tabindex="0" role="region" aria-labelledby="parts-report"><table class="columns"><thead><tr>${['day', ...COUNTS, ...LISTS].map((name) => html`<th scope="col" key=${name}>${t(`report.${name}`)}</th>`)}</tr></thead>
        <tbody>${days.map((day) => html`<tr key=${day.day}><th scope="row">${day.day}</th>
          ${COUNTS.map((name) => html`<td key=${name}>${day[name]}</td>`)}
          ${LISTS.map((name) => html`<td key=${name}>${day[name].map(([what, count]) => `${what} (${count})`).join('; ')}</td>`)}</tr>`)}</tbody>
      </table></div>
    </section>`;
}

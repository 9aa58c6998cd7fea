// Another branch beside the current one: what differs, how each went on, and the way to go on there.

import { html, useState } from '../vendor/preact.js';
import { useAgentModule } from '../agents/registry.js';
import { goTo } from '../actions.js';
import { api } from '../api.js';
import { useWords } from '../preferences.js';
import { useAnswer } from '../resources.js';
import { fixed } from '../session.js';
import { tips } from '../tree.js';
import { compared } from '../difference.js';
import { Trouble } from './notices.js';
import { seatName } from './table-bar.js';

/** The other branches, the newest first; each can be compared with the current one. */
export function OtherBranches({ session }) {
  const t = useWords();
  const [open, compare] = useState(null);
  const others = tips(session.branches).filter((one) => one.id !== session.head).reverse();
  if (!others.length || !session.head) return null;
  return html`
    <section class="others" aria-labelledby="others">
      <h3 id="others">${t('compare.others')}</h3>
      <ul>${others.map((one) => html`
        <li key=${one.id}>
          <button type="button" aria-expanded=${open === one.id} onClick=${() => compare(open === one.id ? null : one.id)}>${t('compare.with', one.number, one.message || seatName(session, one.seat))}</button>
          ${open === one.id && html`<${Comparison} session=${session} turn=${one.id} />`}
        </li>`)}</ul>
    </section>`;
}

function Comparison({ session, turn }) {
  const t = useWords();
  const key = `compare ${session.id} ${session.head} ${turn}`;
  const { value, problem } = useAnswer(key, () => api.compare(session.id, session.head, turn));
  if (problem) return html`<${Trouble} problem=${problem} />`;
  if (!value) return html`<p class="hint" role="status">…</p>`;
  return html`
    <div class="comparison">
      <p class="facts">${t('compare.shared', value.shared)}</p>
      <${Differences} session=${session} found=${value.differences} />
      <div class="courses">${value.branches.map((branch, at) => html`<${Course} key=${branch.turn} branch=${branch} beside=${value.branches[1 - at]} title=${t(at ? 'compare.other' : 'compare.here')} session=${session} />`)}</div>
      <button type="button" disabled=${fixed(session)} onClick=${() => goTo(turn)}>${t('compare.promote')}</button>
    </div>`;
}

function Differences({ session, found }) {
  const t = useWords();
  const own = useWords(useAgentModule(session.agent)?.words);
  if (!found.length) return null;
  const named = (what) => (own.has(`differs.${what}`) ? own(`differs.${what}`) : what.replaceAll('-', ' '));
  return html`
    <table>
      <thead><tr><td></td><th scope="col">${t('compare.here')}</th><th scope="col">${t('compare.other')}</th></tr></thead>
      <tbody>${found.map(({ what, name, one, other }, at) => html`
        <tr key=${at}><th scope="row">${name ? `${name}: ${named(what)}` : named(what)}</th><td>${one || '–'}</td><td>${other || '–'}</td></tr>`)}</tbody>
    </table>`;
}

function Course({ branch, beside, title, session }) {
  return html`
    <section>
      <h4>${title}</h4>
      <ol>${branch.turns.map((turn, at) => html`<li key=${turn.turn} value=${turn.number}><b>${turn.message || seatName(session, turn.seat)}</b> <${Words} text=${turn.reply} beside=${beside?.turns[at]?.reply ?? ''} /></li>`)}</ol>
    </section>`;
}

/** A reply, with the words marked that the other branch's reply beside it does not have. */
function Words({ text, beside }) {
  if (!beside) return text;
  return compared(text, beside).map(({ words, own }, at) => (own ? html`<mark key=${at} class="own">${words}</mark>` : words));
}

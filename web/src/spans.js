// A reply that cites is made of spans: what the record vouches for, what is doubted, what is the teller's view.
// They cut through Markdown anywhere, so their starts travel through it as marks and are found again in its HTML.

import { element } from './lines.js';

const MARK = '\uE000';
/** What opens a line in Markdown and must stay first on it. */
const LINE = /^[\s>]*(?:(?:[-*+]|\d{1,3}[.)]|#{1,6})\s+)?/;
const BARS = /^[\s|]*/;

const visible = (span) => /[^\s|:-]/.test(span.text);

/** Return the Markdown of spans, a mark before the first word of each that shows something. */
export function withMarks(spans) {
  let text = '';
  for (const span of spans) {
    const own = span.text.replaceAll(MARK, '');
    if (!visible(span)) {
      text += own;
      continue;
    }
    const opening = text === '' || /\n\s*$/.test(text) || /^\s*\n/.test(own) ? LINE.exec(own)[0].length : 0;
    const at = opening + BARS.exec(own.slice(opening))[0].length;
    text += own.slice(0, at) + MARK + own.slice(at);
  }
  return text;
}

/** Return HTML in which the pieces between marks wear what their span is; lines are opened beneath where doubted. */
export function dressed(html, spans, { id, evidence, name }) {
  const box = document.createElement('template');
  box.innerHTML = html;
  const shown = spans.filter(visible);
  const last = new Map();
  let at = -1;
  for (const node of textsOf(box.content)) {
    const pieces = node.data.split(MARK);
    const made = pieces.flatMap((piece, place) => {
      if (place > 0) at += 1;
      return piece ? dress(piece, shown[at], at, last, id) : [];
    });
    node.replaceWith(...made);
  }
  for (const [place, piece] of last) piece.after(record(shown[place], `${id}-${place}`, { evidence, name }));
  return box.innerHTML;
}

function textsOf(root) {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) found.push(walker.currentNode);
  return found;
}

/** A piece in its clothes; the space behind it wears none. */
function dress(text, span, place, last, id) {
  if (!span || span.state === 'plain' || !text.trim()) return [document.createTextNode(text)];
  const own = text.trimEnd();
  const piece = element('span', `told ${span.state}`, own);
  const made = own === text ? [piece] : [piece, document.createTextNode(text.slice(own.length))];
  if (span.lines.length === 0) return made;
  piece.dataset.line = `${id}-${place}`;
  if (!last.has(place)) {
    piece.tabIndex = 0;
    piece.setAttribute('role', 'button');
    piece.setAttribute('aria-expanded', String(span.state === 'doubted'));
    piece.setAttribute('aria-controls', `${id}-${place}`);
  }
  last.set(place, piece);
  return made;
}

/** The record's lines of a span, with a button that opens the evidence in the agent's own view. */
function record(span, id, { evidence, name }) {
  const made = Object.assign(element('span', 'record'), { id, hidden: span.state !== 'doubted' });
  made.append(...span.lines.map((line) => element('span', '', line)));
  const results = new Set(evidence ? span.cites.map(evidence).filter(Boolean) : []);
  for (const result of results) {
    const button = Object.assign(element('button', 'cite', result), { type: 'button', title: `${name} ${result}` });
    button.dataset.cite = result;
    made.append(button);
  }
  return made;
}

/** Open or close the lines of the span that an event is about; whether there was one. */
export function toggle(event) {
  const piece = event.target.closest?.('[data-line]');
  const line = piece && document.getElementById(piece.dataset.line);
  if (!line) return false;
  line.hidden = !line.hidden;
  const button = event.currentTarget.querySelector(`[aria-controls="${CSS.escape(line.id)}"]`);
  button?.setAttribute('aria-expanded', String(!line.hidden));
  return true;
}

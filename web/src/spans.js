// A reply that cites is made of spans: what the record vouches for, what is doubted, what is the teller's view.
// They cut through Markdown anywhere, so their starts travel through it as marks and are found again in its HTML.

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
  for (const [place, element] of last) element.after(record(shown[place], `${id}-${place}`, { evidence, name }));
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
  const element = document.createElement('span');
  element.className = `told ${span.state}`;
  element.textContent = own;
  const made = own === text ? [element] : [element, document.createTextNode(text.slice(own.length))];
  if (span.lines.length === 0) return made;
  element.dataset.line = `${id}-${place}`;
  if (!last.has(place)) {
    element.tabIndex = 0;
    element.setAttribute('role', 'button');
    element.setAttribute('aria-expanded', String(span.state === 'doubted'));
    element.setAttribute('aria-controls', `${id}-${place}`);
  }
  last.set(place, element);
  return made;
}

/** The record's lines of a span, with a button that opens the evidence in the agent's own view. */
function record(span, id, { evidence, name }) {
  const element = document.createElement('span');
  element.className = 'record';
  element.id = id;
  element.hidden = span.state !== 'doubted';
  for (const line of span.lines) {
    const row = document.createElement('span');
    row.textContent = line;
    element.append(row);
  }
  const results = new Set(evidence ? span.cites.map(evidence).filter(Boolean) : []);
  for (const result of results) {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'cite', textContent: result, title: `${name} ${result}` });
    button.dataset.cite = result;
    element.append(button);
  }
  return element;
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

// The lines that code prints beneath a story's prose, as what they are: one dim line that opens, its parts
// dressed by kind, its dice a click away.

const MARK = '› ';
const BETWEEN = ' · ';
/** What only sets a word apart from the names before it: the word's own dress does that here. */
const DOT = /^· /;
const APART = ['state', 'gain', 'loss'];
/** Damage, as every teller of ours prints it; what is lost of anything else is named. */
const HARM = /(−\d+)(?!\d| \p{L})/u;

/** An item list as the server prints it: how a line in a reply is found among a turn's typed ones. */
export function joined(items) {
  let text = '';
  let last = '';
  for (const { kind, text: own } of items) {
    const between = APART.includes(kind) && text ? (last === 'who' ? ': ' : ', ') : text ? ' ' : '';
    text += between + own;
    last = kind;
  }
  return text;
}

const typed = (events) => new Map(events.flatMap((event) => event.lines ?? [])
  .filter((line) => Array.isArray(line?.items)).map((line) => [joined(line.items), line.items]));

/** Cut a paragraph into its lines; one that is known stays whole, whatever dots it holds. */
export function cut(text, known) {
  const pieces = text.split(BETWEEN);
  const lines = [];
  while (pieces.length) {
    let many = pieces.length;
    while (many > 1 && !known.has(pieces.slice(0, many).join(BETWEEN))) many -= 1;
    lines.push(pieces.splice(0, many).join(BETWEEN));
  }
  return lines;
}

/** Return a reply's HTML with its printed paragraphs made of typed items. */
export function withLines(html, events = [], t) {
  if (!html.includes('class="printed"')) return html;
  const box = document.createElement('template');
  box.innerHTML = html;
  const known = typed(events);
  for (const paragraph of box.content.querySelectorAll('p.printed')) {
    const lines = cut(paragraph.textContent.replace(MARK, ''), known);
    const list = element('span', 'beats');
    lines.forEach((line) => list.append(beat(line, known.get(line), t('line.of'))));
    const opener = element('button', 'opener', '›');
    Object.assign(opener, { type: 'button', title: t('line.open') });
    opener.setAttribute('aria-expanded', 'false');
    opener.setAttribute('aria-label', t('line.open'));
    paragraph.replaceChildren(opener, list);
  }
  return box.innerHTML;
}

function beat(line, items, of) {
  const made = element('span', 'beat');
  if (!items) made.append(...line.split(HARM).filter(Boolean).map((piece) => (HARM.test(piece) ? element('span', 'item harm', piece) : piece)));
  items?.forEach((item, at) => {
    const before = items[at - 1]?.kind;
    if (at) made.append(APART.includes(item.kind) ? (before === 'who' ? of : ', ') : ' ');
    made.append(...pieceOf(item));
  });
  return made;
}

function pieceOf({ kind, text, dice }) {
  if (!dice) return [element('span', `item ${kind}`, text)];
  const [, thrown, after] = /^(.*?)([,;.]?)$/s.exec(text.replace(DOT, ''));
  const button = element('button', `item ${kind} dice`, thrown);
  button.type = 'button';
  button.dataset.dice = dice;
  button.setAttribute('aria-expanded', 'false');
  const roll = element('span', 'thrown', ` (${dice})`);
  roll.hidden = true;
  return [button, roll, after];
}

/** A new element with a class and text. */
export function element(tag, name, text = '') {
  return Object.assign(document.createElement(tag), { className: name, textContent: text });
}

/** Open or close the line, or the dice, that a click is about; whether there was one. */
export function openLine(event) {
  const dice = event.target.closest?.('button[data-dice]');
  if (dice) {
    const roll = dice.nextElementSibling;
    roll.hidden = !roll.hidden;
    dice.setAttribute('aria-expanded', String(!roll.hidden));
    dice.closest('.printed').classList.add('open');
    return true;
  }
  const line = event.target.closest?.('.printed');
  if (!line) return false;
  const open = line.classList.toggle('open');
  line.querySelector('.opener')?.setAttribute('aria-expanded', String(open));
  return true;
}

// Persons from character cards (SillyTavern's, version 2 and 3, JSON or in a PNG), written into a story.
// Instructions to a model, greetings and examples are left out: the rules are the story's own.

const PNG = '\u0089PNG\r\n\u001a\n';
/** Text chunks that hold a card; the newer format goes first. */
const CHUNKS = ['ccv3', 'chara'];
const TEXT = 900;
const VOICE = 300;
const NAME = 120;
/** Characters of a story that what the cards know of the world may bring it to. */
const MOST = 55_000;

/** The card in a file's bytes; nothing where there is none. */
export function cardIn(bytes) {
  const latin = (from, to) => String.fromCharCode(...bytes.subarray(from, to));
  const utf8 = (some) => new TextDecoder().decode(some);
  if (latin(0, 8) !== PNG) return cardOf(utf8(bytes));
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = {};
  for (let at = 8; at + 12 <= bytes.length; at += 12 + view.getUint32(at)) {
    const end = at + 8 + view.getUint32(at);
    const zero = bytes.indexOf(0, at + 8);
    if (latin(at + 4, at + 8) === 'tEXt' && zero < end) found[latin(at + 8, zero).toLowerCase()] = bytes.subarray(zero + 1, end);
  }
  const held = CHUNKS.map((name) => found[name]).find(Boolean);
  try {
    return held && cardOf(utf8(Uint8Array.from(atob(utf8(held)), (sign) => sign.charCodeAt(0))));
  } catch {
    return undefined; // the text is cut off
  }
}

function cardOf(text) {
  try {
    const read = JSON.parse(text);
    const card = read?.data ?? read;
    return typeof card?.name === 'string' && card.name.trim() ? { ...card, name: card.name.trim().slice(0, NAME) } : undefined;
  } catch {
    return undefined;
  }
}

/** A story with the cards' persons where it starts; they like the hero, and come along when asked. */
export function withPersons(story, cards) {
  const keys = cards.map((_, at) => `guest-${at + 1}`);
  const start = /^start: (\S+)/m.exec(story)[1];
  const place = new RegExp(`(## place ${start}\n\`\`\`yaml\n(?:(?!\`\`\`).*\n)*?persons: \\[)([^\\]]*)`);
  const placed = story.replace(place, (_, before, there) => `${before}${[there, ...keys].filter(Boolean).join(', ')}`);
  const persons = cards.map((card, at) => section('person', keys[at], {
    name: both(card.name),
    words: both(words(card.name).filter((word) => word.length > 2).slice(0, 4)),
    attitude: 2,
    ...(plain(card.personality, card) && { voice: both(plain(card.personality, card).slice(0, VOICE)) }),
    ...(plain(card.scenario, card) && { knows: both(plain(card.scenario, card).slice(0, VOICE)) }),
  }, plain(card.description, card).slice(0, TEXT) || card.name));
  const lore = cards.flatMap((card, at) => known(card, keys[at]));
  return lore.reduce((told, more) => (told.length + more.length > MOST ? told : `${told}${more}`), `${placed.trimEnd()}\n\n${persons.join('')}`);
}

/** What a card knows of the world, as the story's lore. */
function known(card, key) {
  const entries = Object.values(card.character_book?.entries ?? {});
  return entries.flatMap((entry, at) => {
    const heard = (entry.keys ?? entry.key ?? []).map((one) => words(one).join(' ')).filter(Boolean).slice(0, 8);
    const text = plain(entry.content, card).slice(0, TEXT);
    const on = entry.enabled ?? !entry.disable;
    return on && heard.length && text ? [section('lore', `${key}-${at + 1}`, { words: both(heard) }, text)] : [];
  });
}

/** A section; JSON is YAML too. Cards have one language, which is told in both. */
function section(kind, key, fields, text) {
  const rows = Object.entries(fields).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return [`## ${kind} ${key}`, '```yaml', ...rows, '```', '### en', text, '### fr', text, '', ''].join('\n');
}

const both = (said) => ({ en: said, fr: said });

const words = (text) => String(text).normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** A card's text as prose: placeholders filled in, nothing that would be a heading. */
const plain = (text, card) => String(text ?? '')
  .replace(/\{\{char\}\}|<BOT>/gi, card.name).replace(/\{\{user\}\}|<USER>/gi, 'the hero')
  .replace(/^[#`>\-*\s]+/gm, '').replace(/[{}[\]`]/g, ' ').split(/\s+/).filter(Boolean).join(' ');

// What a document shows before the page's own code runs, for each language: the first page, each agent's own page,
// and the frame into which the server writes a session's last words (src/ruleplay/server/firstlook.py).

import htm from 'htm';

const escaped = (text) => String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Draws as text what the page draws as elements: an agent's picture on its card. */
const html = htm.bind((tag, given, ...children) => {
  const attributes = Object.entries(given ?? {}).filter(([name]) => name !== 'key').map(([name, value]) => ` ${name}="${escaped(value)}"`);
  return `<${tag}${attributes.join('')}>${children.flat(Infinity).filter(Boolean).join('')}</${tag}>`;
});
const joined = (drawn) => [drawn].flat(Infinity).join('');

/** A page that can be seen and not used: assistive technology gets the page itself. */
const framed = (words, content, more = '') => `<div class="first loading ${more}" aria-hidden="true" inert><header class="top"><span class="brand"><svg class="mark"></svg><span>Ruleplay</span></span><p class="motto">${escaped(words.motto)}</p><nav><span class="quiet"></span></nav></header><main>${content}</main></div>`;

/** Keeps a place as high as the buttons that come there. */
const button = (label) => `<span class="button">${escaped(label)}</span>`;

function home(words, language, agents) {
  const card = ({ name, card: { words: own, drawn } }) => `<li class="agent" data-agent="${name}"><svg class="thumbnail" viewBox="0 0 200 120">${joined(drawn(html))}</svg><h3>${escaped(own[language].titled)}</h3><p class="about">${escaped(own[language].about)}</p><p class="ways">${button(words['start.now'])}${button(words['session.new'])}</p></li>`;
  return framed(words, `<div class="page home"><section class="hero"><h1>${escaped(words.hero)}</h1><p>${escaped(words['hero.more'])}</p><div class="start"></div></section><section><h2>${escaped(words.agents)}</h2><ul class="agents">${agents.map(card).join('')}</ul></section></div>`);
}

/** An agent's own page; what its card names comes first on it, and may be the largest text there. */
function front(words, { titled, about }, own, begins) {
  const more = begins && `<section class="stack"><h2>${escaped(own[begins])}</h2><div class="drop"><p>${escaped(own[`${begins}.more`])}</p></div></section>`;
  return framed(words, `<div class="page narrow"><p class="crumbs">${escaped(words.home)}</p><h1>${escaped(titled)}</h1><p>${escaped(about)}</p>${more ?? ''}</div>`);
}

const empty = (begin, examples = []) => `<div class="empty"><p>${escaped(begin)}</p><ul class="examples">${examples.map((one) => `<li>${button(one)}</li>`).join('')}</ul></div>`;

/** The looks by their addresses, and the pieces of a session's. */
export function looksOf(words, language, agents) {
  const placed = [...agents].sort((a, b) => a.card.place - b.card.place);
  const found = { '/': home(words, language, placed), frame: framed(words, '{{content}}', 'full'), home: escaped(words.home), begin: empty(words['conversation.empty']) };
  for (const { name, card, words: own, wide } of agents) {
    const said = card.words[language];
    found[`/a/${name}`] = front(words, said, own[language], card.front);
    found[`titled.${name}`] = escaped(said.titled);
    found[`begin.${name}`] = empty(own[language].begin ?? words['conversation.empty'], said.examples);
    found[`desk.${name}`] = wide ? 'desk wide' : 'desk';
  }
  return found;
}

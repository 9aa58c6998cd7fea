// What agents show of themselves before their modules are loaded: words, a picture, their place on the first page.
// The build brings the cards of those that are built with the page; another agent's module may export one.

const cards = new Map();
const WORDS = { en: {}, fr: {} };

/** Take note of an agent's card; its words are then known to all as `title.NAME`, `about.NAME` and so on. */
export function register(name, card) {
  cards.set(name, card);
  for (const language of Object.keys(WORDS)) {
    const said = card.words?.[language] ?? card.words?.en ?? {};
    for (const [key, words] of Object.entries(said)) WORDS[language][`${key}.${name}`] = words;
  }
}

export const cardOf = (name) => cards.get(name);
export const cardWords = (language) => WORDS[language];

/** Agents in the order that their cards ask for, those without one last. */
export const inOrder = (agents) => {
  const place = ({ name }) => cards.get(name)?.place ?? Infinity;
  return [...agents].sort((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
};

/** The agent whose card claims the addresses below `/KIND/`. */
export const claimed = (kind) => [...cards].find(([, card]) => card.addresses?.includes(kind))?.[0];

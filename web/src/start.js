// How something begins from the first page: which agent a wish or a file is for, and its session.

import { brought } from './agents/registry.js';
import { api, newKey } from './api.js';
import { go } from './router.js';
import { wordsIn } from './preferences.js';

const LETTERS = /[\p{L}\p{N}]+/gu;
/** As many letters of a word as count: its ending says how it is used, not what it means. */
const STEM = 5;
const SHORTEST = 3;
const HEAD = 4096;

const stems = (text) => new Set((text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').match(LETTERS) ?? [])
  .filter((word) => word.length >= SHORTEST).map((word) => word.slice(0, STEM)));

/** What each agent is told, as its own examples have it, in every language. */
function heardBy(agent) {
  const said = ['en', 'fr'].flatMap((language) => [wordsIn(language)(`hears.${agent}`), wordsIn(language)(`about.${agent}`)]);
  return stems(said.join(' '));
}

/** The language of a wish, by what agents are told in each; the page's where that says nothing. */
export function languageOf(text, agents, otherwise) {
  const wish = stems(text);
  const heard = (language) => {
    const known = stems(agents.map((agent) => wordsIn(language)(`hears.${agent}`)).join(' '));
    return [...wish].filter((stem) => known.has(stem)).length;
  };
  return ['en', 'fr'].sort((a, b) => heard(b) - heard(a) || (b === otherwise) - (a === otherwise))[0];
}

/** The choice that a wish names: by most of the words that tell it from the others; none when it names none. */
export function named(text, choices) {
  const wish = stems(text);
  const known = choices.map(({ id, told }) => [id, stems(told)]);
  const scores = known.map(([id, own]) => {
    const apart = [...own].filter((stem) => known.every(([other, theirs]) => other === id || !theirs.has(stem)));
    return [id, apart.filter((stem) => wish.has(stem)).length];
  }).sort(([, a], [, b]) => b - a);
  return scores[0]?.[1] > (scores[1]?.[1] ?? 0) ? scores[0][0] : '';
}

/** The agent whose examples share most with a wish; none when that says nothing, or two are as near. */
export function guess(text, agents) {
  const wish = stems(text);
  const known = agents.map((agent) => [agent, heardBy(agent)]);
  // A word that many agents hear tells little: it counts by how few do.
  const weight = (stem) => {
    const hearing = known.filter(([, heard]) => heard.has(stem)).length;
    return hearing === 0 || hearing === known.length ? 0 : 1 / hearing;
  };
  const scores = known
    .map(([agent, heard]) => [agent, [...wish].reduce((sum, stem) => sum + (heard.has(stem) ? weight(stem) : 0), 0)])
    .sort(([, a], [, b]) => b - a);
  if (!scores.length || scores[0][1] === 0 || scores[0][1] === scores[1]?.[1]) return '';
  return scores[0][0];
}

/** Start a session of an agent and go there; `message` is its first turn. */
export async function begin(agent, { message = '', lang = 'en', given = {} } = {}) {
  const { start } = await brought(agent);
  // What needs more than a session is begun on the agent's own page, where a wish finds all its ways.
  if (start?.alone) return message ? go(`/a/${encodeURIComponent(agent)}`) : start.alone();
  const wished = message && await start?.wished?.(message, named);
  if (wished === null) return go(`/a/${encodeURIComponent(agent)}`);
  const made = await api.create({ agent, title: start?.title?.(lang, given) ?? '', config: { ...start?.config?.(lang), ...wished, ...given } });
  if (message.trim() && !made.public_seat) await api.play(made.id, { message: message.trim() }, newKey());
  go(`/s/${made.id}`);
  return made;
}

/** Take dropped files where they belong; `tell` hears how far that is. */
export async function openFiles(files, { agents, lang, tell }) {
  const [{ name }] = files;
  const head = await files[0].slice(0, HEAD).text();
  const starts = await Promise.all(agents.map(async (agent) => [agent, (await brought(agent)).start]));
  const takers = starts.filter(([, start]) => start?.takes?.(name, head));
  let refused = new Error(wordsIn(lang)('start.unknown'));
  // Two agents may read the same kind of file; what the first says of it counts, where none can.
  for (const [at, [agent, start]] of takers.entries()) {
    try {
      return await start.open(files, { lang, tell, begin: (given) => begin(agent, { lang, given }) });
    } catch (problem) {
      if (at === 0) refused = problem;
      if (problem.status !== 422) throw problem;
    }
  }
  throw refused;
}

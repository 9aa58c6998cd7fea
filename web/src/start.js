// How something begins from the first page: which agent a wish or a file is for, and its session.

import { api, newKey, own, Problem } from './api.js';
import { go } from './router.js';
import { wordsIn } from './preferences.js';

const LETTERS = /[\p{L}\p{N}]+/gu;
/** As many letters of a word as count: its ending says how it is used, not what it means. */
const STEM = 5;
const SHORTEST = 3;
const LOOK_MS = 400;
const HEAD = 4096;

const stems = (text) => new Set((text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').match(LETTERS) ?? [])
  .filter((word) => word.length >= SHORTEST).map((word) => word.slice(0, STEM)));

/** What each agent is told, as its own examples have it, in every language. */
function heardBy(agent) {
  const said = ['en', 'fr'].flatMap((language) => [wordsIn(language)(`hears.${agent}`), wordsIn(language)(`agent.${agent}`)]);
  return stems(said.join(' '));
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

const config = {
  saga: (lang) => ({ lang }),
  party: (lang) => ({ lang }),
};

/** Start a session of an agent and go there; `message` is its first turn. */
export async function begin(agent, { message = '', lang = 'en', given = {} } = {}) {
  if (agent === 'battle' && !message) return battle();
  const made = await api.create({ agent, title: '', config: { ...config[agent]?.(lang), ...given } });
  if (message.trim() && !made.public_seat) await api.play(made.id, { message: message.trim() }, newKey());
  go(`/s/${made.id}`);
  return made;
}

/** A battle against the simplest good opponent; watched as soon as its session is there. */
async function battle() {
  const { id } = await own.post('/api/battle/battles', { opponent: 'heuristics', format: 'gen9randombattle', search_ms: 100 });
  for (let look = 0; look < 300; look += 1) {
    const { battles } = await own.get('/api/battle/battles');
    const ours = battles.find((one) => one.id === id);
    if (ours?.problem) throw new Problem(ours.problem);
    if (ours?.session) return go(`/s/${ours.session}`);
    await pause();
  }
  return go('/a/battle');
}

const pause = () => new Promise((resume) => {
  setTimeout(resume, LOOK_MS);
});

/** What a file is, by its name and how it begins: `log`, `replay`, `sheet`, `story`, or nothing known. */
export function kindOf(name, head) {
  if (/\|(?:player|move|switch|turn)\|/.test(head) || /battle-log-data/.test(head)) return 'replay';
  if (/^\d{1,2}\/\d{1,2}(?:\/\d{2,4})? \d{1,2}:\d{2}:\d{2}/m.test(head) || /COMBAT_LOG_VERSION/.test(head)) return 'log';
  if (/\.(?:gz|zip)$/i.test(name)) return 'log';
  if (/\.ya?ml$/i.test(name)) return 'sheet';
  if (/\.md$/i.test(name)) return 'story';
  return '';
}

/** Take a dropped file where it belongs; `tell` hears how far that is. */
export async function openFile(file, { lang, tell }) {
  const kind = kindOf(file.name, await file.slice(0, HEAD).text());
  const t = wordsIn(lang);
  if (kind === 'log') return log(file, tell);
  if (kind === 'replay') return replay(file, tell);
  if (kind === 'sheet') {
    tell({ step: 'starting' });
    return begin('party', { lang, given: { characters: [await file.text()] } });
  }
  if (kind === 'story') {
    tell({ step: 'starting' });
    return story(await file.text(), lang);
  }
  throw new Error(t('start.unknown'));
}

async function log(file, tell) {
  const { id } = await own.upload(`/api/raid/imports?name=${encodeURIComponent(file.name)}`, file, (part) => tell({ step: 'sending', file: file.name, part }));
  for (;;) {
    const job = await own.get(`/api/raid/imports/${encodeURIComponent(id)}`);
    if (job.status === 'failed') throw new Problem(job.problem ?? {});
    if (job.status === 'done') return begin('raid', { given: { report: job.report } });
    tell({ step: 'reading', file: file.name, part: job.part ?? 0 });
    await pause();
  }
}

async function replay(file, tell) {
  tell({ step: 'reviewing', file: file.name });
  const found = await own.upload(`/api/battle/reviews?name=${encodeURIComponent(file.name)}`, file);
  return go(`/review/${found.id}`);
}

/** A story is a scenario or an adventure; whoever cannot read it says why. */
async function story(source, lang) {
  try {
    return await begin('saga', { lang, given: { source } });
  } catch (problem) {
    if (problem.status !== 422) throw problem;
    return begin('party', { lang, given: { source } }).catch(() => {
      throw problem;
    });
  }
}

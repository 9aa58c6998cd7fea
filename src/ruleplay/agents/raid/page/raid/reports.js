// What the raid's routes answer: reports, tools over them, raw lines, imports.

import { useEffect, useState } from '../../vendor/preact.js';
import { own, pause, Problem } from '../../api.js';
import { useAnswer } from '../../resources.js';

const at = (code) => `/api/raid/reports/${encodeURIComponent(code)}`;

/** Changes when a report was imported here, so that lists are asked for again. */
let imported = 0;
const waiting = new Set();

export function reportImported() {
  imported += 1;
  for (const tell of [...waiting]) tell(imported);
}

/** The imported reports, newest first: `list` is undefined while they are on their way. */
export function useReports() {
  const [count, set] = useState(imported);
  useEffect(() => {
    waiting.add(set);
    return () => waiting.delete(set);
  }, []);
  const { value, problem } = useAnswer(`raid reports ${count}`, () => own.get('/api/raid/reports'));
  return { list: value?.reports, problem };
}

/** A tool's answer: rows, the lines they rest on, notes; nothing is asked without `args`. */
export function useTool(tool, args) {
  const key = args ? `raid ${tool} ${JSON.stringify(args)} ${imported}` : '';
  return useAnswer(key, () => own.post(`/api/raid/tools/${encodeURIComponent(tool)}`, args));
}

const pull = (of) => `${at(of.report_code)}/pulls/${encodeURIComponent(of.fight_id)}`;

/** What was cast in a pull: a player's casts, cooldowns, the boss's abilities. */
export function useTimeline(of, player) {
  const path = `${pull(of)}/timeline${player ? `?player=${encodeURIComponent(player)}` : ''}`;
  return useAnswer(`raid ${path} ${imported}`, () => own.get(path));
}

/** Where everybody was in a pull. */
export function usePlaces(of) {
  const path = `${pull(of)}/places`;
  return useAnswer(`raid ${path} ${imported}`, () => own.get(path));
}

/** Raw lines of a report's log, `first` to `last`. */
export function useLines(code, first, last) {
  return useAnswer(`raid lines ${code} ${first} ${last}`, () => own.get(`${at(code)}/lines?first=${first}&last=${last}`));
}

/** What the tools' columns mean: `{column: {name, unit}}` by tool. */
export function useColumns() {
  return useAnswer('raid tools', () => own.get('/api/raid/tools')).value?.tools ?? [];
}

const LOOK_MS = 300;

/** Send a log and wait until it is a report; `told` hears `{step, part}`, and a failure is thrown. */
export async function importLog(file, told) {
  const { id } = await own.upload(`/api/raid/imports?name=${encodeURIComponent(file.name)}`, file, (part) => told(part < 1 ? { step: 'sending', part } : { step: 'reading', part: 0 }));
  for (;;) {
    const job = await own.get(`/api/raid/imports/${encodeURIComponent(id)}`);
    if (job.status === 'failed') throw new Problem(job.problem ?? {});
    if (job.status === 'done') return job;
    told({ step: 'reading', part: job.part ?? 0 });
    await pause(LOOK_MS);
  }
}

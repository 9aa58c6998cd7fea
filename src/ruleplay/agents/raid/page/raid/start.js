// What the raid analyst takes from the first page: a combat log, whose newest night is talked about.

import { own, pause, Problem } from '../../api.js';

const LOOK_MS = 400;
const FIRST_LINE = /^\d{1,2}\/\d{1,2}(?:\/\d{2,4})? \d{1,2}:\d{2}:\d{2}/m;

export const start = {
  takes: (name, head) => FIRST_LINE.test(head) || /COMBAT_LOG_VERSION/.test(head) || /\.(?:gz|zip)$/i.test(name),
  async open([file], { tell, begin }) {
    const { id } = await own.upload(`/api/raid/imports?name=${encodeURIComponent(file.name)}`, file, (part) => tell({ step: 'sending', file: file.name, part }));
    for (;;) {
      const job = await own.get(`/api/raid/imports/${encodeURIComponent(id)}`);
      if (job.status === 'failed') throw new Problem(job.problem ?? {});
      if (job.status === 'done') return begin({ report: job.report });
      tell({ step: 'reading', file: file.name, part: job.part ?? 0 });
      await pause(LOOK_MS);
    }
  },
};

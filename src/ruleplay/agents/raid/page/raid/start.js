// What the raid analyst takes from the first page: a combat log, whose newest night is talked about.

import { importLog } from './reports.js';

const FIRST_LINE = /^\d{1,2}\/\d{1,2}(?:\/\d{2,4})? \d{1,2}:\d{2}:\d{2}/m;

export const start = {
  config: (lang) => ({ lang }),
  takes: (name, head) => FIRST_LINE.test(head) || /COMBAT_LOG_VERSION/.test(head) || /\.(?:gz|zip)$/i.test(name),
  async open([file], { tell, begin }) {
    const { report } = await importLog(file, (step) => tell({ file: file.name, ...step }));
    return begin({ report });
  },
};

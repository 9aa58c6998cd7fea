// Icons as inline SVG: no font, no request, coloured by the text around them. Decorative; whoever uses
// one beside no text gives the button a label.

import { html } from './vendor/preact.js';

const PATHS = {
  send: 'M4 12 20 4l-5 16-3.5-6.5zM11.5 13.5 20 4',
  stop: 'M7 7h10v10H7z',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  redo: 'M20 11a8 8 0 1 0-2.3 5.7M20 4v7h-7',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  fork: 'M7 8v8M7 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM17 10c0 5-9 2-10 6',
  tree: 'M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM6 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM18 20a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM12 8c0 6-6 3-6 8M12 8c0 6 6 3 6 8',
  inspect: 'M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 21 21',
  case: 'M4 6h16M4 12h16M4 18h10',
  chat: 'M4 5h16v11H9l-5 4z',
  left: 'M14 6l-6 6 6 6',
  right: 'M10 6l6 6-6 6',
  close: 'M6 6l12 12M18 6 6 18',
  sun: 'M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 3v2M12 19v2M3 12h2M19 12h2M5.6 5.6 7 7M17 17l1.4 1.4M18.4 5.6 17 7M7 17l-1.4 1.4',
  moon: 'M19 14.5A8 8 0 0 1 9.5 5a7.5 7.5 0 1 0 9.5 9.5z',
  half: 'M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16',
  help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  check: 'M5 12.5 10 17l9-10',
  question: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 18v.01',
  cross: 'M7 7l10 10M17 7 7 17',
  dash: 'M6 12h12',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  plus: 'M12 5v14M5 12h14',
  warn: 'M12 4 2.8 20h18.4zM12 10v4M12 17v.01',
  pen: 'M4 20l3.5-.8L19 7.7 16.3 5 4.8 16.5zM14 7.3l2.7 2.7',
  gavel: 'M5 4h14v16H5zM9 4v16M12 9h4M12 13h4',
  link: 'M10 14 20 4M14 4h6v6M18 14v6H4V6h6',
  clock: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  tool: 'M14 6a4 4 0 0 0 4.8 5L21 13l-8 8-3-3 2-2-7-7a3 3 0 0 1 4-4l3 3z',
};

export function Icon({ name }) {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d=${PATHS[name]} /></svg>`;
}

// A session's event stream, kept open.
//
// The browser's own EventSource reconnects and sends `Last-Event-ID` (the server's first event places
// every reader), so nothing is lost or doubled. Where it gives up (the server was gone, or refused), a new
// one is opened, and `onOpen` says that the session has to be read anew: the new one does not know where
// the old one was.

const NAMES = [
  'turn.started', 'node', 'event', 'text', 'refused', 'tool',
  'turn.committed', 'turn.failed', 'head.moved', 'resync', 'autoplay', 'seat.lost',
];
const REOPEN_MS = [1000, 2000, 4000, 8000];

/**
 * Listen until the returned function is called.
 *
 * @param {string} url
 * @param {{onItems: (items: object[]) => void, onOpen: (resumed: boolean) => void,
 *   onLost: () => void}} told `onItems` gets items in batches, one a painted frame; `onOpen` gets
 *   true when what was missed will come by itself, else the session has to be read.
 */
export function listen(url, told) {
  let source = null;
  let timer = 0;
  let failures = 0;
  const batch = batched(told.onItems);

  function open() {
    let resumed = false;
    source = new EventSource(url);
    source.onopen = () => {
      failures = 0;
      told.onOpen(resumed);
      resumed = true;
    };
    for (const name of NAMES) {
      source.addEventListener(name, (event) => {
        batch.add({ ...JSON.parse(event.data), name });
      });
    }
    source.onerror = () => {
      told.onLost();
      if (source.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, REOPEN_MS[Math.min(failures++, REOPEN_MS.length - 1)]);
    };
  }

  open();
  return () => {
    clearTimeout(timer);
    batch.stop();
    source.close();
  };
}

/** Collect items and hand them over once a frame; hidden pages get no frames, so by a timer. */
function batched(give) {
  let waiting = [];
  let frame = 0;
  let timer = 0;
  const flush = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = timer = 0;
    const items = waiting;
    waiting = [];
    if (items.length) give(items);
  };
  return {
    add(item) {
      waiting.push(item);
      if (frame) return;
      frame = requestAnimationFrame(flush);
      timer = setTimeout(flush, 250);
    },
    stop() {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      waiting = [];
    },
  };
}

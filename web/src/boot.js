// Begins the page once what the document shows has been laid out: until then nothing else is asked for or run.

const FRAME_MS = 400;

/** After the next frame and a task more; hidden pages get none, so after a while. */
const framed = () => new Promise((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, FRAME_MS);
});

/** The app and its agent's modules at once; looks are for no medium until the module wants them. */
function fetchAll(paths) {
  for (const path of paths) {
    const how = path.endsWith('.css') ? { rel: 'stylesheet', media: 'not all' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), { ...how, href: new URL(path, import.meta.url).href }));
  }
}

if (document.querySelector('#app > .first')) await framed();
fetchAll(document.querySelector('script[data-also]').dataset.also.split(' ').filter(Boolean));
await import('./app.js');

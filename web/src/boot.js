// Begins the page once what the document shows has been painted: until then nothing else is asked for or run.

const PAINTED_MS = 5000;
const FONTS = ['inter', 'serif-600', 'serif-400', 'serif-400-italic'];

/** Once the browser says that something was seen; hidden pages are not painted. */
const painted = () => new Promise((go) => {
  const type = ['largest-contentful-paint', 'paint'].find((one) => PerformanceObserver.supportedEntryTypes.includes(one));
  if (document.hidden || !type) go();
  else new PerformanceObserver(go).observe({ type, buffered: true });
  setTimeout(go, PAINTED_MS);
});

const here = (path) => new URL(path, import.meta.url).href;

/** The app and its agent's modules at once; looks are for no medium until the module wants them. */
function fetchAll(paths) {
  for (const path of paths) {
    const how = path.endsWith('.css') ? { rel: 'stylesheet', media: 'not all' } : { rel: 'modulepreload' };
    document.head.append(Object.assign(document.createElement('link'), { ...how, href: here(path) }));
  }
}

/** A document names its fonts only where the browser has them: none waits for one, nor changes it later. */
async function keepFonts() {
  const answers = await Promise.all(FONTS.map((name) => fetch(here(`vendor/fonts/${name}.woff2`), { priority: 'low' })));
  if (answers.every((one) => one.ok)) document.cookie = `ruleplay.fonts=${here('.').split('/').at(-2)}; path=/; max-age=31536000; samesite=lax`;
}

if (document.querySelector('#app > .first')) await painted();
fetchAll(['app.js', ...document.querySelector('script[data-also]').dataset.also.split(' ').filter(Boolean)]);
await import('./app.js');
if (!document.getElementById('fonts')) setTimeout(() => keepFonts().catch(() => {}), PAINTED_MS / 5);

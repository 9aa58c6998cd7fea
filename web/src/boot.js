// Begins the page once what the document shows has been painted: until then nothing else is run.

const PAINTED_MS = 400;

/** After the next frame; hidden pages get none, so after a while. */
const painted = () => new Promise((go) => {
  requestAnimationFrame(() => setTimeout(go));
  setTimeout(go, PAINTED_MS);
});

if (document.querySelector('#app > .first')) await painted();
await import('./app.js');

// Telling somebody who looks elsewhere, if they allowed it.

export const canAsk = () => window.Notification?.permission === 'default';

export const ask = async () => Notification.requestPermission();

/** Tell it beside the page while that is not looked at; pressed, it leads back there. */
export async function tellAside(title, body) {
  if (!document.hidden || window.Notification?.permission !== 'granted') return;
  const address = window.location.href;
  const worker = await navigator.serviceWorker?.getRegistration();
  // Phones let the worker alone tell.
  if (worker?.active) await worker.showNotification(title, { body, tag: address, data: { address } });
  else new Notification(title, { body, tag: address }).onclick = () => window.focus();
}

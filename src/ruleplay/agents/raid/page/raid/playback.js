// A pull's time as it is watched: one moment for the timeline and the map, played, paused and scrubbed.

import { html, useEffect, useState } from '../../vendor/preact.js';
import { clock } from './figures.js';

/** Seconds of the pull in a second of watching: a whole pull is hurried through, its end is not. */
const HURRIED = 4;
/** As long as a wipe is replayed. */
export const END = 10;

/** The moment that is looked at; null until somebody chooses one. */
export function usePlayback(seconds) {
  const [{ at, speed }, set] = useState({ at: null, speed: 0 });
  useEffect(() => {
    if (!speed) return undefined;
    // Whoever wants little motion sees it in steps of a second.
    const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const every = calm ? 1000 : 50;
    const timer = setInterval(() => set((before) => {
      const next = Math.min(seconds, before.at + (calm ? 1 : speed * every / 1000));
      return { at: next, speed: next < seconds ? speed : 0 };
    }), every);
    return () => clearInterval(timer);
  }, [speed, seconds]);
  const seek = (moment) => set({ at: moment, speed: 0 });
  /** Go on from where it stands, or from the start of what is shown. */
  const play = (from) => set({ at: at === null || at < from || at >= seconds ? from : at, speed: from > 0 ? 1 : HURRIED });
  const replay = () => set({ at: Math.max(0, seconds - END), speed: 1 });
  return { at, playing: speed > 0, seek, play, replay };
}

/** `from` is the first second that is shown, `alive` how many stand at the moment, `end` shows the last seconds. */
export function Playback({ playback, seconds, from, alive, end, t }) {
  const { at, playing, seek, play, replay } = playback;
  const now = at ?? 0;
  return html`
    <div class="controls">
      <button type="button" onClick=${() => (playing ? seek(at) : play(from))}>${t(playing ? 'places.pause' : 'places.play')}</button>
      <button type="button" onClick=${() => { end(); replay(); }}>${t('replay')}</button>
      <input type="range" min="0" max=${seconds} step="0.5" value=${now} aria-label=${t('places.time')} aria-valuetext=${clock(now)} onInput=${(event) => seek(Number(event.target.value))} />
      <output>${t('places.at', clock(now), alive)}</output>
    </div>`;
}

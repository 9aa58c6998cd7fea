// The server's HTTP interface: one function a request, errors as `Problem` (RFC 9457).

/** An answer that was a refusal, or no answer at all (`status` 0). */
export class Problem extends Error {
  constructor({ status = 0, title = '', detail = '' }) {
    super(detail || title || `HTTP ${status}`);
    this.name = 'Problem';
    this.status = status;
    this.title = title;
  }
}

/** Over a minute: as long as a server may take to come back. */
const RETRY_MS = [500, 1000, 2000, ...Array(16).fill(4000)];
const pausing = new Set();

export function pause(ms) {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      pausing.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    pausing.add(end);
  });
}

/** The server is back: what waits to be sent again need not wait any longer. */
export function wake() {
  for (const end of [...pausing]) end();
}

/** Answers that came with the document, by their addresses; each is given once. */
const known = new Map(Object.entries(parse(document.getElementById('known')?.textContent ?? '')));

function atHand(path) {
  const answer = known.get(path);
  known.delete(path);
  return answer;
}

async function request(path, { method = 'GET', body, headers = {} } = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    throw new Problem({ title: 'offline', detail: String(error?.message ?? error) });
  }
  const text = await response.text();
  const json = parse(text);
  if (!response.ok) throw new Problem({ status: response.status, title: response.statusText, ...json });
  return json;
}

function parse(text) {
  try {
    return text ? JSON.parse(text) : {};
  } catch {
    return { detail: text.slice(0, 200) };
  }
}

/** Send a file as it is; `told` hears which part of it is on its way, from 0 to 1. */
function upload(path, file, told) {
  return new Promise((resolve, reject) => {
    const sending = new XMLHttpRequest();
    sending.open('POST', path);
    sending.setRequestHeader('Accept', 'application/json');
    sending.setRequestHeader('Content-Type', 'application/octet-stream');
    sending.upload.onprogress = ({ loaded, total }) => told?.(total ? loaded / total : 0);
    sending.onerror = () => reject(new Problem({ title: 'offline' }));
    sending.onload = () => {
      const json = parse(sending.responseText);
      const { status, statusText } = sending;
      if (status >= 200 && status < 300) resolve(json);
      else reject(new Problem({ status, title: statusText, ...json }));
    };
    sending.send(file);
  });
}

/** Send again while there is no connection; only for what an idempotency key makes safe. */
async function persistently(send, waits = RETRY_MS) {
  for (const wait of waits) {
    try {
      return await send();
    } catch (problem) {
      if (problem.status !== 0) throw problem;
      await pause(wait);
    }
  }
  return send();
}

/** 128 random bits; `crypto.randomUUID` is missing on pages served without TLS. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const session = (id) => `/api/sessions/${encodeURIComponent(id)}`;
const place = (id, seat) => `${session(id)}/seats/${encodeURIComponent(seat)}`;
const seen = (seat) => (seat ? `?seat=${encodeURIComponent(seat)}` : '');
const post = (path, body, headers) => request(path, { method: 'POST', body, headers });
const playing = (path, body, key) =>
  persistently(() => post(path, body, { 'Idempotency-Key': key }));

export const api = {
  agents: async () => (atHand('/api/agents') ?? await request('/api/agents')).agents,
  graph: (agent) => request(`/api/agents/${encodeURIComponent(agent)}/graph`),
  models: async () => (await request('/api/doctor')).models,
  sessions: async (limit) => (await request(`/api/sessions?limit=${limit}`)).sessions,
  session: async (id, seat) => atHand(session(id) + seen(seat)) ?? request(session(id) + seen(seat)),
  rename: (id, title) => request(session(id), { method: 'PATCH', body: { title } }),
  remove: (id) => request(session(id), { method: 'DELETE' }),
  create: (given) => post('/api/sessions', given),
  play: (id, given, key) => playing(`${session(id)}/turns`, given, key),
  regenerate: (id, seat, key) => playing(`${session(id)}/regenerate${seen(seat)}`, undefined, key),
  edit: (id, seat, given, key) => playing(`${session(id)}/edit${seen(seat)}`, given, key),
  path: (id, seat, turn) => request(`${session(id)}/turns/${encodeURIComponent(turn)}/path${seen(seat)}`),
  cancel: (id, turn) => post(`${session(id)}/turns/${encodeURIComponent(turn)}/cancel`),
  undo: (id, seat) => post(`${session(id)}/undo${seen(seat)}`),
  goTo: (id, seat, turn) => post(`${session(id)}/goto${seen(seat)}`, { turn }),
  compare: (id, head, turn) => request(`${session(id)}/compare?turn=${turn}&to=${head}`),
  fork: (id, turn) => post(`${session(id)}/fork`, { turn }),
  seats: (id) => request(`${session(id)}/seats`),
  sit: (id, seat, name) => post(place(id, seat), { name }),
  leave: (id, seat) => request(place(id, seat), { method: 'DELETE' }),
  autoplay: (id, given) => post(`${session(id)}/autoplay`, given),
  pause: (id) => request(`${session(id)}/autoplay`, { method: 'DELETE' }),
  shares: async () => (await request('/api/shares')).shares,
  // Below the session its seats' cookies come along.
  share: (kind, what) => (kind === 'session' ? post(`${session(what)}/shares`) : post('/api/shares', { kind, what })),
  unshare: (id) => request(`/api/shares/${encodeURIComponent(id)}`, { method: 'DELETE' }),
  login: (token) => post('/api/login', { token }),
  exportUrl: (id, seat, format) =>
    `${session(id)}/export?format=${format}${seat ? `&seat=${encodeURIComponent(seat)}` : ''}`,
  eventsUrl: (id, seat) => `${session(id)}/events${seen(seat)}`,
};

/** For agents with routes of their own: they read, ask and send files. */
export const own = {
  get: (path) => request(path),
  post: (path, body) => post(path, body),
  remove: (path) => request(path, { method: 'DELETE' }),
  upload,
};

// The pages by their names. Each comes when it is first gone to; build.mjs reads the list, so that
// a browser fetches a page's modules together with its document.

export const PAGES = {
  home: async () => (await import('./components/home-page.js')).HomePage,
  agent: async () => (await import('./components/agent-page.js')).AgentPage,
  session: async () => (await import('./components/session-page.js')).SessionPage,
  review: async () => (await import('./components/review-page.js')).ReviewPage,
  design: async () => (await import('./components/design-page.js')).DesignPage,
};

const brought = new Map();

/** Have a page's component at hand; what kept it from coming is at hand instead. Never fails. */
export async function bring(name) {
  if (brought.get(name)?.Component || !PAGES[name]) return;
  try {
    brought.set(name, { Component: await PAGES[name]() });
  } catch (problem) {
    brought.set(name, { problem });
  }
}

/** What was brought of a page: its `Component`, a `problem`, or neither while it is on its way. */
export const at = (name) => brought.get(name) ?? {};

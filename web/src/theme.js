// Loaded before anything is painted, so that a chosen theme does not flash in the other one first.
// A classic script for that reason; the rest of the page are modules.
try {
  const chosen = localStorage.getItem('ruleplay.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // Storage can be forbidden; the system's theme is fine then.
}

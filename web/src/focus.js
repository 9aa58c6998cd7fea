// Whoever works with the keyboard keeps their place: what they pressed may go away, or be of no use for a while.

/** Where a session is written in; everything on its page leads back there. */
const FIELD = '#message';
const STOPS = 'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary';

/** What had the focus, with what surrounds it, and the place beside it in its list. */
let last = null;

function remember({ target }) {
  const seen = target.matches?.(':focus-visible') && target !== document.getElementById('content');
  if (!seen) {
    last = null;
    return;
  }
  const row = target.closest('li');
  const around = [];
  for (let one = target.parentElement; one; one = one.parentElement) around.push(one);
  last = { target, around, row, beside: [row?.nextElementSibling, row?.previousElementSibling].filter(Boolean) };
}

/** The next place to be: where one writes, else around what is gone, or beside its row where that went too. */
function next({ around, row, beside }) {
  const there = [...(row?.isConnected ? [] : beside), ...around].find((one) => one.isConnected && one.querySelector(STOPS));
  const field = around.some((one) => one.classList.contains('session')) && document.querySelector(FIELD);
  return field || there?.querySelector(STOPS);
}

function look() {
  if (!last) return;
  const lost = !last.target.isConnected || last.target.disabled || last.moved;
  const nowhere = document.activeElement === document.body || document.activeElement === last.target;
  if (!lost || !nowhere) return;
  const place = last.target.isConnected && !last.target.disabled ? last.target : next(last);
  last = null;
  place?.focus({ preventScroll: true });
}

/** Look once all that changes with a press has changed. */
export function keepFocus() {
  let due = 0;
  document.addEventListener('focusin', remember);
  new MutationObserver((changes) => {
    // What is taken out and put in elsewhere, as in a list that is sorted anew, is there but has no focus any more.
    if (changes.some((one) => [...one.removedNodes].some((node) => node.contains(last?.target ?? null)))) last.moved = true;
    cancelAnimationFrame(due);
    due = requestAnimationFrame(look);
  }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

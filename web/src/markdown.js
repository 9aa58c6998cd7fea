// Replies are Markdown that nobody vouches for: HTML in them is shown as text, and what Markdown makes
// is sanitised once more.

import { marked } from './vendor/marked.js';
import DOMPurify from './vendor/purify.js';

const ALLOWED = {
  ALLOWED_TAGS: [
    'p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'blockquote', 'hr', 'ul', 'ol', 'li',
    'table', 'thead', 'tbody', 'tr', 'th', 'td', 'h3', 'h4', 'h5', 'h6',
  ],
  ALLOWED_ATTR: ['start', 'align', 'class'],
};
/** Headings of a reply stand below the page's own. */
const HEADING = /^(#{1,4})(?=\s)/gm;

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** Return safe HTML in which what `pattern` finds (`[r3]`: a letter, digits) is a button that says so. */
export function cited(html, pattern, name) {
  if (!pattern) return html;
  return html.replace(pattern, (whole, id) => (/^[a-z]\d{1,6}$/.test(id)
    ? `<button type="button" class="cite" data-cite="${id}" title="${name} ${id}">${id}</button>`
    : whole));
}

/** Return safe HTML: no links, pictures or raw HTML; line breaks as written. */
export function toHtml(text) {
  const markdown = escaped(text).replace(HEADING, '##$1');
  const html = marked.parse(markdown, { async: false, breaks: true });
  // What code prints beneath a story's prose begins with its own mark.
  return DOMPurify.sanitize(html.replaceAll('<p>\u203a ', '<p class="printed">\u203a '), ALLOWED);
}

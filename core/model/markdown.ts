/** Escapes text for Markdown: no markup, no end of a table cell, no mention of a user. */
export function markdownText(text: string): string {
  return oneLine(text)
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/[\\`*_[\]|~]/g, "\\$&")
    .replace(/#/g, "&#35;")
    .replace(/@/g, "&#64;")
    .replace(/:\/\//g, "&#58;//");
}

/** Escapes a sentence of this package, which has code between backticks. One that has no partner is escaped. */
export function markdownProse(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 0 ? markdownText(part) : part))
    .join("");
}

/** Text on one line. */
export function oneLine(text: string): string {
  return clean(text).replace(/\s+/g, " ");
}

/** Removes colours and other control characters. */
export function clean(text: string): string {
  return text.replace(/\u001b\[[0-9;]*[A-Za-z]/g, "").replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

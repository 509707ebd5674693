import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { forSearch } from "./search.mjs";

/** Markdown has no table without heads. A head without words is a cell: screen readers would announce it as an empty head. */
const withoutEmptyHeads = (html) => html.replaceAll(/<th( [^>]*)?><\/th>/g, "<td$1></td>");

/**
 * The sign beside a heading is a letter, which the style sheet has, and no picture that a long page repeats hundreds of times.
 * "Parameters" and the like, below the heading of a class, need none.
 */
const withShortAnchors = (html) =>
  html
    .replaceAll(/(<\/h[4-6]>)<a class="sl-anchor-link".*?<\/a>/gs, "$1")
    .replaceAll(/(<span aria-hidden="true" class="sl-anchor-icon">)<svg.*?<\/svg>/gs, "$1");

/** The keys of the search are words beside it, as its name says them. */
const withKeysApart = (html) => html.replaceAll(/(<\/span>|<\/kbd>)(?=<kbd)/g, "$1 ");

/** A block of code that scrolls is a landmark, which needs a name of its own: that of the section that it is in. */
function withNamedCode(html) {
  const used = new Map();
  let section = "";
  return html.replaceAll(/<h[1-6][^>]*>(.*?)<\/h[1-6]>|<pre (?=data-language)/gs, (part, heading) => {
    if (heading !== undefined) {
      section = heading
        .replaceAll(/<[^>]*>/g, "")
        .replaceAll('"', "&quot;")
        .trim();
      return part;
    }
    const count = (used.get(section) ?? 0) + 1;
    used.set(section, count);
    const name = [section, ...(count === 1 ? [] : [String(count)])].join(" ");
    return `<pre aria-label="Code: ${name}" `;
  });
}

const mended = (html) =>
  [withoutEmptyHeads, withShortAnchors, withKeysApart, withNamedCode].reduce((text, mend) => mend(text), html);

/** Mends what the pages are built with: for those who hear them, wait for them, or search them. */
export const leanHtml = {
  name: "lean-html",
  hooks: {
    "astro:build:done": ({ dir }) => {
      const folder = fileURLToPath(dir);
      for (const name of readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".html"))) {
        const html = readFileSync(join(folder, name), "utf8");
        writeFileSync(join(folder, name), forSearch(mended(html), posix.dirname(name)));
      }
    },
  },
};

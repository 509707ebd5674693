/** Changes the parts of a Markdown text that are no block of code. */
export function outsideFences(text, change) {
  return text
    .split(/(^ *(````|```|~~~~)[^\n]*\n[^]*?^ *\2$)/m)
    .flatMap((part, index) => (index % 3 === 2 ? [] : [index % 3 === 1 ? part : change(part)]))
    .join("");
}

/** Changes the parts of a Markdown text that are not code, in a block or in a line. */
function outsideCode(text, change) {
  return outsideFences(text, (part) =>
    part
      .split(/(`[^`\n]*(?:\n(?!\n)[^`\n]*)?`)/)
      .map((piece, index) => (index % 2 === 1 ? piece : change(piece)))
      .join(""),
  );
}

/** A link, whose words can have code, or code, which can look like a link. */
const LINK_OR_CODE = /(!?)\[((?:[^[\]`]|`[^`]*`)*)\]\(([^)\s]+)\)|`[^`]*`/g;

/** Gives the links of a page other addresses. A link without one becomes plain words. */
export function withAddresses(text, addressOf) {
  return outsideFences(text, (part) =>
    part.replace(LINK_OR_CODE, (whole, image, words, link) => {
      if (link === undefined || /^[a-z]+:/.test(link)) return whole;
      const address = addressOf(link);
      return address === undefined ? words : `${image}[${words}](${address})`;
    }),
  );
}

/** Text that MDX takes for text: it takes braces for programs and `<` for elements. */
export const toMdx = (text) => outsideCode(text, (part) => part.replace(/[{<]/g, (sign) => `\\${sign}`));

/** The title and the rest of a page whose first line is its title. */
export function splitTitle(text, path) {
  const [, title, rest] = /^# (.+)\n([^]*)$/.exec(text) ?? [];
  if (title === undefined) throw new Error(`${path} must start with its title`);
  return { title, rest: rest.trimStart() };
}

/** The first paragraph without signs of Markdown, for the description of a page. */
export function firstParagraph(text) {
  const [paragraph = ""] = text.split(/\n\n/).filter((part) => /^[A-Za-z`*[]/.test(part));
  const plain = paragraph
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
    .replace(/:$/, ".");
  return plain.length > 180 ? `${plain.slice(0, 177).replace(/\s+\S*$/, "")} …` : plain;
}

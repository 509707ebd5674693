// Draws the recorded preview for README.md: `node apps/site/source/picture.mjs` writes docs/images/preview.svg.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { previewLines } from "./preview.mjs";

export const PICTURE = fileURLToPath(new URL("../../../docs/images/preview.svg", import.meta.url));
const RECORDED = fileURLToPath(new URL("../recorded/preview.txt", import.meta.url));

const COLUMNS = 92;
const [CHARACTER, LINE, MARGIN] = [8.43, 21, 22];
const COLOURS = { command: "#9fb3c8", weaker: "#ff9d8a", witness: "#ffd28a", change: "#a8d8ff", plain: "#e4e9f0" };

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** A line in pieces that fit, the later ones under the text of the first. */
function wrapped({ kind, text }) {
  const indent = " ".repeat(text.search(/\S/) + 4);
  const pieces = [];
  let left = text;
  while (left.length > COLUMNS) {
    const space = left.lastIndexOf(" ", COLUMNS);
    pieces.push(left.slice(0, space));
    left = indent + left.slice(space + 1);
  }
  return [...pieces, left].map((piece) => ({ kind, text: piece }));
}

export function picture() {
  const lines = previewLines(readFileSync(RECORDED, "utf8")).flatMap(wrapped);
  const [width, height] = [Math.round(COLUMNS * CHARACTER + 2 * MARGIN), lines.length * LINE + 2 * MARGIN];
  const rows = lines.map(
    ({ kind, text }, index) =>
      `  <text x="${String(MARGIN)}" y="${String(MARGIN + (index + 1) * LINE - 6)}" fill="${COLOURS[kind]}" xml:space="preserve">${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${String(width)} ${String(height)}" width="${String(width)}" height="${String(height)}" role="img" aria-label="A preview in a terminal" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
  <rect width="100%" height="100%" rx="10" fill="#131a24"/>
${rows.join("\n")}
</svg>
`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(PICTURE, picture());

// Why Cloudflare's old engine and ours may disagree. Each explanation is verified: if the old engine reads a text as something
// else, ours must agree when given that text.
import { createRequire } from "node:module";
import { FIELDS } from "./generate.mjs";

const require = createRequire(import.meta.url);
const { analyse } = require("../../dist/language/index.js");

const rejected = (judged) => typeof judged !== "string";

function nodesOf(node) {
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  if (typeof node !== "object" || node === null) return [];
  return [node, ...Object.values(node).flatMap(nodesOf)];
}

const fitsInt = (value) => value >= -(2 ** 31) && value < 2 ** 31;

/** Parts of the language that are newer than the old engine. */
const NEWER = [
  ["raw strings", (node) => ["string", "regex"].includes(node.kind) && node.notation === "raw"],
  ["64-bit integers", (node) => node.kind === "integer" && !fitsInt(node.value)],
  ["`true`", (node) => node.kind === "field" && node.name === "true"],
  ["fields that the engine does not know", (node) => node.kind === "field" && !(node.name in FIELDS)],
  ["a field on the right side", (node) => node.kind === "order" && ["field", "call"].includes(node.right.kind)],
  ["lists", (node) => node.kind === "list"],
  ["wildcards", (node) => node.kind === "wildcard"],
];

/** What the old engine reads differently, and how to write its reading for ours. */
const READINGS = [
  [
    "an escape above 127 is a character",
    (text) =>
      text.replace(/\\(\\|"|x[89A-Fa-f][0-9A-Fa-f]|[23][0-7][0-7])/g, (whole, escape) => {
        if (escape === "\\" || escape === '"') return whole;
        const code = escape.startsWith("x") ? parseInt(escape.slice(1), 16) : parseInt(escape, 8);
        return String.fromCodePoint(code);
      }),
  ],
  ["a plus sign counts as a hex digit", (text) => text.replace(/\+(?=[0-9a-fA-F])/g, "0")],
  ["a single pair of hex digits is a string", readPairs],
  [
    "an IPv4 address may have leading zeros and fewer than four parts",
    (text) =>
      atFault(text, /^\d+(?:\.\d+){0,3}(?:\/\d+)?/, (short) => {
        const [address, length] = short.split("/");
        const parts = address.split(".").map(Number);
        const padded = [...parts, "0", "0", "0"].slice(0, 4).join(".");
        return `${padded}/${length ?? 32}`;
      }),
  ],
];

/** Single pairs are strings; in `6261:62`, so is the first pair. */
function readPairs(text) {
  const read = (one) => atFault(one, /^[0-9a-fA-F]{2}(?![:.-])/, (pair) => `"\\x${pair}"`);
  const simple = read(text);
  if (analyse(simple).errors.length === 0) return simple;
  return read(text.replace(/(?<=[{\s"]|[:.-][0-9a-fA-F]{2})[0-9a-fA-F]{2}(?=[0-9a-fA-F]{2}[:.-])/g, '"\\x$&"'));
}

/** Replaces the text at our first error, again and again while there is an error and the pattern matches there. */
function atFault(text, pattern, replace) {
  let now = text;
  for (let round = 0; round < 50; round += 1) {
    const [error] = analyse(now).errors;
    const there = pattern.exec(now.slice(error?.offset))?.[0];
    if (error === undefined || there === undefined) break;
    now = now.slice(0, error.offset) + replace(there) + now.slice(error.offset + there.length);
  }
  return now;
}

/** The name of the difference that explains a disagreement; undefined if nothing does. */
export function explain(text, { their, our, judge }) {
  const { expression, warnings } = analyse(text);
  if (rejected(their) && !rejected(our)) {
    const nodes = nodesOf(expression);
    const newer = NEWER.find(([, is]) => nodes.some(is));
    if (newer !== undefined) return `newer than the engine: ${newer[0]}`;
    if (their.error.includes("regex parse error") && warnings.some(({ check }) => check === "regex")) {
      return "a pattern that the regex crate rejects and ours only warns about";
    }
    return undefined;
  }
  if (couldBe(our, their)) return "a pattern that ours cannot run, and reports as unknown";
  const explains = (read) => read(text) !== text && couldBe(judge(read(text)), their);
  const alone = READINGS.find(([, read]) => explains(read));
  if (alone !== undefined) return alone[0];
  const together = (whole) => READINGS.reduce((one, [, read]) => read(one), whole);
  return explains(together) ? "several of these together" : undefined;
}

/** Whether the engine's results agree with every known result of ours. */
function couldBe(our, their) {
  if (rejected(our) || rejected(their)) return false;
  return Array.from(our).every((one, at) => one === "?" || one === their[at]);
}

// Expressions to parse: those in the repository's tests, pages and examples, and damaged copies of them.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const FOLDERS = ["tests", "docs", "examples", "README.md"];
/** Texts in quotes, in backticks and in YAML. */
const TEXTS = /'((?:[^'\\\n]|\\.){3,400})'|"((?:[^"\\\n]|\\.){3,600})"|`([^`$\n]{3,400})`|expression: ([^\n'"`]{3,400})/g;

/** Every text of the repository that `accepts` takes for an expression. */
export function expressionsOfRepository(accepts) {
  const files = execFileSync("git", ["ls-files", ...FOLDERS], { cwd: ROOT, encoding: "utf8" }).trim().split("\n");
  const texts = files
    .filter((file) => /\.(?:ts|md|ndjson|json|ya?ml|py|go)$/.test(file))
    .flatMap((file) => Array.from(readFileSync(join(ROOT, file), "utf8").matchAll(TEXTS), textOf));
  return [...new Set(texts)].filter((text) => text !== "" && accepts(text));
}

function textOf([, single, double, backtick, yaml]) {
  if (double === undefined) return (single?.replace(/\\(['\\])/g, "$1") ?? backtick ?? yaml).trim();
  try {
    return JSON.parse(`"${double}"`).trim();
  } catch {
    return "";
  }
}

const TOKENS = /"(?:[^"\\]|\\.)*"|r#*"[^"]*"#*|[\w.:/]+|&&|\|\||\^\^|[=!<>]=|\s+|./gsu;
const POOL = [
  ..."and or xor not && || ^^ ! eq ne lt le gt ge == != < <= > >= in contains matches ~ wildcard & strict".split(" "),
  ..."( ) { } [ ] [0] [*] , .. . - $ 0 1 99 -1 80 443 1.2.3.4 10.0.0.0/8 ::1 2001:db8::/32 61:62 true ssl".split(" "),
  ..."http.host http.request.uri.path ip.src cf.bot_management.score example.com http.request.headers any all".split(" "),
  ...["lower", "len", "concat", "starts_with", '"a"', '""', '"*"', 'r"^a"', "$list", " "],
];

/** A copy of one of the expressions with one to three tokens deleted, inserted, swapped, doubled or replaced. */
export function damaged(expressions, random) {
  const any = (list) => list[Math.floor(random() * list.length)];
  const tokens = [...any(expressions).matchAll(TOKENS)].map(([token]) => token);
  for (let times = 1 + Math.floor(random() * 3); times > 0; times -= 1) {
    const at = Math.floor(random() * tokens.length);
    const other = Math.floor(random() * tokens.length);
    const changes = [
      () => tokens.splice(at, 1),
      () => tokens.splice(at, 0, any(POOL), ...(random() < 0.5 ? [" "] : [])),
      () => tokens.splice(at, 0, tokens[at] ?? ""),
      () => tokens.splice(at, 1, any(POOL)),
      () => ([tokens[at], tokens[other]] = [tokens[other] ?? "", tokens[at] ?? ""]),
    ];
    any(changes)();
  }
  return tokens.join("");
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

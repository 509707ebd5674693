/** `const load = createRequire(…)`: from this package, or from the SDK. */
const LOADER = /const (\w+) = createRequire\((?:__filename|require\.resolve\("@pulumi\/pulumi"\))\);/g;

/**
 * A module whose calls of `load("…")` are calls of `require("…")`, which the bundler follows. Each is made once, because the
 * bundler copies the names of the other module every time.
 */
export function withPlainRequire(text) {
  const names = [...text.matchAll(LOADER)].map(([, name]) => name);
  if (names.length === 0) return text;
  const late = [];
  const call = new RegExp(`\\b(?:${names.join("|")})\\(\\s*("[^"]+"),?\\s*\\)`, "g");
  const result = text.replace(LOADER, "").replace(call, (_, path) => {
    late.push(`late${String(late.length)}`);
    return `(${late.at(-1)} ??= require(${path}))`;
  });
  return late.length === 0 ? result : `${result}\nvar ${late.join(", ")};`;
}

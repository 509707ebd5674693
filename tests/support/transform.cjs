// Compiles the sources for the tests, once for all Jest projects. Types are checked by `npm run types`.
const { createHash } = require("node:crypto");
const { readFileSync } = require("node:fs");
const { transformSync, version } = require("esbuild");

/** What tsconfig.json says of the code that is written. */
const OPTIONS = {
  loader: "ts",
  format: "cjs",
  platform: "node",
  target: "es2023",
  // Jest's modules have no `import()`: it becomes `require`.
  supported: { "dynamic-import": false },
  sourcemap: "external",
  sourcesContent: true,
  tsconfigRaw: { compilerOptions: { target: "ES2023", useDefineForClassFields: true } },
};
const KEY = [version, readFileSync(__filename, "utf8")].join();

/** A module is the object that its importers have, and its exports can be replaced, so that a test can count their calls. */
const HELPERS = [
  ["{ get: () => from[key], enumerable:", "{ get: () => from[key], configurable: true, enumerable:"],
  [
    "var __toESM = (mod, isNodeMode, target) => (",
    "var __toESM = (mod, isNodeMode, target) => mod?.__esModule ? mod : (",
  ],
];
const countable = (code) => HELPERS.reduce((text, [from, to]) => text.replace(from, to), code);

module.exports = {
  process(text, path) {
    const { code, map } = transformSync(text, { ...OPTIONS, sourcefile: path });
    return { code: countable(code), map };
  },
  getCacheKey: (text, path) => createHash("sha1").update([KEY, path, text].join("\0")).digest("hex"),
};

// Finds the TypeScript source of an import such as "./rule.js". Jest's moduleNameMapper would do that too, but it searches the
// folders again for every import of every test file; what a resolver finds is kept for all test files of a worker.
const { existsSync } = require("node:fs");
const { join, resolve } = require("node:path");

const ROOT = join(__dirname, "..", "..");
/** Written for the folder of the compiled file, which is one deeper. */
const MANIFEST = /^(?:\.\.\/){3,4}package\.json$/;
const RELATIVE = /^\.{1,2}\/.*(?=\.js$)/;

module.exports = (request, options) => {
  if (MANIFEST.test(request) && options.basedir.startsWith(join(ROOT, "provider"))) return join(ROOT, "package.json");
  const source = RELATIVE.exec(request)?.[0];
  const path = source === undefined ? undefined : `${resolve(options.basedir, source)}.ts`;
  return path !== undefined && existsSync(path) ? path : options.defaultResolver(request, options);
};

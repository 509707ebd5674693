// Jest loads every module again for each test file, and runs it as new code. These packages keep nothing of their callers, so
// each worker loads them once.
const { isDeepStrictEqual } = require("node:util");
const Runtime = require("jest-runtime").default;

const SHARED = new Set([
  ...["ajv", "ajv-formats", "axios", "fast-check", "fastify", "re2js", "typescript", "yaml"],
  ...["prettier/standalone", "prettier/plugins/estree", "prettier/plugins/typescript"],
]);

// Objects of a test are of another realm than the package, which would find no two of them equal.
require("fast-deep-equal");
require.cache[require.resolve("fast-deep-equal")].exports = isDeepStrictEqual;

// To compile the schemas of the emulator takes longer than most test files use them. All files of a worker have the same ones.
const { Ajv } = require("ajv");
const compile = Ajv.prototype.compile;
const compiled = new Map();
Ajv.prototype.compile = function compileOnce(schema, ...rest) {
  // Formats are not in the options.
  if (this.opts.validateFormats) return compile.call(this, schema, ...rest);
  const key = JSON.stringify([this.opts.strict, schema]);
  if (!compiled.has(key)) compiled.set(key, compile.call(this, schema, ...rest));
  return compiled.get(key);
};

// Jest kills a worker that has not ended after half a second, and says that it leaks. To free the memory of a whole run takes longer
// on a busy machine, so a worker leaves that to the operating system.
if (process.send !== undefined) process.on("exit", (code) => process.reallyExit(code));

/** Other packages may need other versions of them. */
const isOurs = (path) => !path.includes("/node_modules/");

module.exports = class extends Runtime {
  requireModule(from, name, ...rest) {
    return SHARED.has(name) && isOurs(from) ? require(name) : super.requireModule(from, name, ...rest);
  }
};

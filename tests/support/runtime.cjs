// Jest loads every module again for each test file, and runs it as new code. These packages keep nothing of their callers, so
// each worker loads them once.
const Runtime = require("jest-runtime").default;

const SHARED = new Set([
  ...["ajv", "ajv-formats", "axios", "fast-check", "fastify", "re2js", "typescript", "yaml"],
  ...["prettier/standalone", "prettier/plugins/estree", "prettier/plugins/typescript"],
]);

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

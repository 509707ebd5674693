// Preloaded by every Node process of a test. The SDK loads the TypeScript compiler, npm's dependency resolver and more when it
// starts, and the programs and resources of the tests do not use them: each is loaded when something of it is used.
const Module = require("node:module");
const { join } = require("node:path");

const SELDOM_USED = new Set([
  ...["@npmcli/arborist", "normalize-package-data", "typescript"],
  ...["./automation", "semver"],
  ...["@opentelemetry/api", "form-data"],
]);
/** What the SDK's runners load or call when they start: traces that nobody reads, maps of the SDK, a debugger for captured functions. */
const STAND_INS = new Map([
  ["./tracing", { newSpan: () => ({ setAttribute() {}, end() {} }) }],
  ["source-map-support/register", {}],
  ["../../runtime/closure/v8Hooks", { isInitializedAsync: async () => {} }],
]);
const RUNNERS = join("@pulumi", "pulumi", "cmd");

// The engine kills its plugins, and Node keeps the code that it has compiled only at the end of a process.
setTimeout(() => Module.flushCompileCache?.(), 1000).unref();

const load = Module._load;
Module._load = function loadLate(request, ...rest) {
  if (STAND_INS.has(request) && rest[0]?.path.includes(RUNNERS)) return STAND_INS.get(request);
  if (!SELDOM_USED.has(request)) return load.call(this, request, ...rest);
  let loaded;
  const get = () => (loaded ??= load.call(this, request, ...rest));
  return new Proxy(() => undefined, {
    // Compiled imports read `__esModule` when they load, and do not copy the module if it is set.
    get: (_, name) => (name === "__esModule" ? true : name === "default" ? get() : Reflect.get(get(), name)),
    apply: (_, self, values) => Reflect.apply(get(), self, values),
  });
};

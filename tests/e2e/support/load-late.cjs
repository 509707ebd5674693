// Preloaded by every Node process of a test. The SDK loads the TypeScript compiler, npm's dependency resolver and more when it
// starts, and the programs and resources of the tests do not use them: each is loaded when something of it is used.
const Module = require("node:module");

const SELDOM_USED = new Set([
  ...["@npmcli/arborist", "normalize-package-data", "typescript"],
  ...["./automation", "semver"],
  "@opentelemetry/api",
]);

// The engine kills its plugins, and Node keeps the code that it has compiled only at the end of a process.
setTimeout(() => Module.flushCompileCache?.(), 1000).unref();

const load = Module._load;
Module._load = function loadLate(request, ...rest) {
  if (!SELDOM_USED.has(request)) return load.call(this, request, ...rest);
  let loaded;
  const get = () => (loaded ??= load.call(this, request, ...rest));
  return new Proxy(() => undefined, {
    // Compiled imports read `__esModule` when they load, and do not copy the module if it is set.
    get: (_, name) => (name === "__esModule" ? true : name === "default" ? get() : Reflect.get(get(), name)),
    apply: (_, self, values) => Reflect.apply(get(), self, values),
  });
};

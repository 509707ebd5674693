// Preloaded by every Node process that the engine starts (NODE_OPTIONS). The SDK loads npm's arborist and TypeScript to
// serialize functions; this delays both until something is serialized. No test program does that, and loading them takes
// two thirds of the start-up time of a provider process.
const Module = require("node:module");

const serializing = new Set(["@npmcli/arborist", "typescript"]);
const load = Module._load;

Module._load = function loadModule(request, ...rest) {
  return serializing.has(request)
    ? whenUsed(() => load.call(this, request, ...rest))
    : load.call(this, request, ...rest);
};

function whenUsed(loadIt) {
  let loaded;
  const get = () => (loaded ??= loadIt());
  return new Proxy(Object.create(null), {
    get(_, name) {
      // Compiled imports read this when they load, and do not copy the module if it is set.
      if (name === "__esModule") return true;
      return name === "default" ? get() : get()[name];
    },
  });
}

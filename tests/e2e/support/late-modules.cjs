// Loaded into every Node that the engine starts (NODE_OPTIONS): puts off what the SDK loads to serialize functions, npm's
// arborist and TypeScript, until something is serialized. Nothing is here, and it is two thirds of what it takes to start
// the provider process.
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
      // Asked by compiled imports when they load: a module of its own kind is taken as it is, and not copied.
      if (name === "__esModule") return true;
      return name === "default" ? get() : get()[name];
    },
  });
}

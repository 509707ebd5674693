import Module from "node:module";

/** What the SDK loads when it starts, and uses only to serialize functions, in its Automation API, or to trace. */
const SELDOM_USED = new Set([
  ...["@npmcli/arborist", "normalize-package-data", "typescript"],
  ...["./automation", "semver"],
  "@opentelemetry/api",
]);

type Load = (request: string, ...rest: readonly unknown[]) => unknown;
type Callable = (...values: readonly unknown[]) => unknown;
/** Node has no public hook that covers `require` in version 22.0; require-in-the-middle and pirates replace the same function. */
const loader = Module as unknown as { _load: Load };
const load = loader._load;

/**
 * The SDK loads the TypeScript compiler, npm's dependency resolver and more when it starts, and a host of dynamic resources
 * uses them only to serialize functions. They take more than half of its memory and of its time to start. This delays each
 * until something of it is used.
 */
loader._load = function loadLate(this: unknown, request, ...rest) {
  if (!SELDOM_USED.has(request)) return load.call(this, request, ...rest);
  return whenUsed(() => load.call(this, request, ...rest) as Callable);
};

/** Stands for a module: an object of exports, or a function. */
function whenUsed(loadIt: () => Callable): Callable {
  let loaded: Callable | undefined;
  const get = (): Callable => (loaded ??= loadIt());
  return new Proxy<Callable>(() => undefined, {
    get(_, name) {
      // Compiled imports read this when they load, and do not copy the module if it is set.
      if (name === "__esModule") return true;
      return name === "default" ? get() : (Reflect.get(get(), name) as unknown);
    },
    apply: (_, self, values) => Reflect.apply(get(), self, values),
  });
}

import Module from "node:module";

/** What the SDK loads to serialize functions. */
const SERIALIZER = new Set(["@npmcli/arborist", "typescript"]);

type Load = (request: string, ...rest: readonly unknown[]) => unknown;
/** Node has no public hook that covers `require` in version 22.0; require-in-the-middle and pirates replace the same function. */
const loader = Module as unknown as { _load: Load };
const load = loader._load;

/**
 * The SDK loads the TypeScript compiler and npm's dependency resolver when it starts, in order to serialize functions. They
 * take more than half of the memory of a host and of its time to start. This delays each until something of it is used, which
 * is never if no function is serialized.
 */
loader._load = function loadLate(this: unknown, request, ...rest) {
  if (!SERIALIZER.has(request)) return load.call(this, request, ...rest);
  return whenUsed(() => load.call(this, request, ...rest) as object);
};

function whenUsed(loadIt: () => object): object {
  let loaded: object | undefined;
  const get = (): object => (loaded ??= loadIt());
  return new Proxy(Object.create(null) as object, {
    get(_, name) {
      // Compiled imports read this when they load, and do not copy the module if it is set.
      if (name === "__esModule") return true;
      return name === "default" ? get() : (Reflect.get(get(), name) as unknown);
    },
  });
}

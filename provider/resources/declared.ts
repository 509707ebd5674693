import * as pulumi from "@pulumi/pulumi";

/** Number of resources so far, by connection to the engine and by provider, because each provider runs in its own process. */
const counts = new WeakMap<object, Map<object | undefined, number>>();

/**
 * Counts a resource of the program. Resolves to the number of resources declared so far for the same provider, after the part
 * of the program that is running now: the engine does not know how many resources will follow.
 */
export function countDeclared(provider: object | undefined): Promise<number> | undefined {
  const run = pulumi.runtime.getMonitor() as object | undefined;
  if (run === undefined) return undefined;
  const byProvider = counts.get(run) ?? new Map<object | undefined, number>();
  counts.set(run, byProvider);
  const count = (): number => byProvider.get(provider) ?? 0;
  byProvider.set(provider, count() + 1);
  return new Promise((resolve) => {
    setImmediate(() => {
      resolve(count());
    });
  });
}

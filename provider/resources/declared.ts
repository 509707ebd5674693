import * as pulumi from "@pulumi/pulumi";

/** Resources of this package so far, by the connection to the engine and by provider: each has a process of its own. */
const counts = new WeakMap<object, Map<object | undefined, number>>();

/**
 * Counts a resource of the program. Answers with how many it declares for the same provider, once the part of the program
 * that runs now is through: nobody but the program knows before the end how many there will be.
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

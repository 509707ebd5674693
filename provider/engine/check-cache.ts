import { createHash } from "node:crypto";

/** More than the lists of rules that a program declares, each once. */
const MOST = 1_000;

/**
 * What checks found, kept for the run: programs for many zones declare the same rules in each of them, and what is wrong with
 * them does not depend on the zone.
 */
export class CheckCache {
  private readonly results = new Map<string, unknown>();

  /** The result of a check that depends on `input` alone. It runs unless it has already run with an equal input. */
  get<T>(check: string, input: unknown, run: () => T): T {
    const key = `${check} ${digest(input)}`;
    if (this.results.has(key)) return this.results.get(key) as T;
    const result = run();
    const [oldest] = this.results.keys();
    if (this.results.size >= MOST && oldest !== undefined) this.results.delete(oldest);
    this.results.set(key, result);
    return result;
  }
}

/** `session.part(checkedOnce)`. */
export function checkCache(): CheckCache {
  return new CheckCache();
}

/** A short text for a value, so that no copy of the rules, or of a secret in them, stays in memory. */
function digest(value: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([value], withoutLoss))
    .digest("base64");
}

/** JSON has no `undefined` and no symbols, and writes NaN as null, but checks tell them apart. */
function withoutLoss(_key: string, value: unknown): unknown {
  if (value === undefined || typeof value === "symbol") return `\u0000${String(value)}`;
  return typeof value === "number" && !Number.isFinite(value) ? `\u0000${String(value)}` : value;
}

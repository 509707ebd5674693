import { perRun } from "./session.js";
import { hash } from "node:crypto";

/** More than the lists of rules that a program declares, each once. */
const MOST = 1_000;

/**
 * What checks found, kept for the run: programs for many zones declare the same rules in each of them, and what is wrong with
 * them does not depend on the zone.
 */
export class CheckCache {
  private readonly results = new Map<string, unknown>();
  /** Several checks of a resource get the same lists of rules. */
  private readonly digests = new WeakMap<object, string>();

  /** The result of a check that depends on its inputs alone. It runs unless it has already run with equal ones. */
  get<T>(check: string, inputs: readonly unknown[], run: () => T): T {
    const key = digest([check, ...inputs.map((input) => this.digestOf(input))]);
    if (this.results.has(key)) return this.results.get(key) as T;
    const result = run();
    const [oldest] = this.results.keys();
    if (this.results.size >= MOST && oldest !== undefined) this.results.delete(oldest);
    this.results.set(key, result);
    return result;
  }

  /** The digest of an object, in a list so that it equals no other value; any other value itself. */
  private digestOf(input: unknown): unknown {
    if (typeof input !== "object" || input === null) return input;
    const known = this.digests.get(input) ?? digest(input);
    this.digests.set(input, known);
    return [known];
  }
}

/** The cache of this run, as a part of the session. */
export const checkCache = perRun(() => new CheckCache());

/** A short text for a value, so that no copy of the rules, or of a secret in them, stays in memory. */
function digest(value: unknown): string {
  return hash("sha256", exactText(value), "base64");
}

/** The engine passes the properties of an object in an order that changes from call to call. */
function exactText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(exactText).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
    return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${exactText(item)}`).join(",")}}`;
  }
  // JSON has no `undefined` and no symbols, and writes NaN as null, but checks tell them apart.
  const isUnlikeJson = value === undefined || typeof value === "symbol" || typeof value === "number";
  return isUnlikeJson ? String(value) : JSON.stringify(value);
}

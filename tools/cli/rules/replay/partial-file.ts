import { createHash } from "node:crypto";
import { isList, isObject, parseJson } from "../../../../core/model/json.js";
import { ReplayResult } from "./result.js";

/** What a result of a part of a log is about. Only results with the same one can be added. */
export interface PartialHead {
  readonly version: string;
  /** A digest of both versions of the rules, and of the options that outcomes depend on. */
  readonly rules: string;
  /** The runs that it counts, by an ID of each, so that none is counted twice. */
  readonly runs: readonly string[];
}

interface Partial extends PartialHead {
  readonly result: unknown;
}

/** A digest of what outcomes depend on, apart from the requests. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

/** A line of JSON with a result. */
export function writePartial({ version, rules, runs }: PartialHead, result: ReplayResult): string {
  return JSON.stringify({ replay: 1, version, rules, runs, result } satisfies Partial & { readonly replay: 1 });
}

/** Adds up the results in texts, each of which has a line for each of them. @throws Error that names the text */
export function mergePartials(
  texts: Iterable<{ readonly name: string; readonly text: string }>,
): PartialHead & { readonly result: ReplayResult } {
  const result = new ReplayResult();
  const runs = new Map<string, string>();
  let first: (PartialHead & { readonly name: string }) | undefined;
  for (const { name, text } of texts) {
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const partial = partialOf(line, name);
      first ??= { name, ...partial };
      checkSame(first, { ...partial, name });
      for (const run of partial.runs) countOnce(run, name, runs);
      naming(name, () => {
        result.add(partial.result);
      });
    }
  }
  if (first === undefined) throw new Error("there is no result to merge: the files are empty");
  return { version: first.version, rules: first.rules, runs: [...runs.keys()], result };
}

function partialOf(line: string, name: string): Partial {
  const plain = parseJson(line);
  if (isObject(plain) && plain.replay === 1 && isList(plain.runs)) {
    const { version, rules, runs, result } = plain;
    const ids = runs.filter((run) => typeof run === "string");
    if (typeof version === "string" && typeof rules === "string" && ids.length > 0)
      return { version, rules, runs: ids, result };
  }
  throw new Error(`${name} is not a result that \`rules replay --partial\` wrote`);
}

function checkSame(first: PartialHead & { name: string }, other: PartialHead & { name: string }): void {
  if (first.version !== other.version)
    throw new Error(
      `${first.name} was written by version ${first.version}, and ${other.name} by ${other.version}. ` +
        "To continue: replay all parts with the same version",
    );
  if (first.rules !== other.rules)
    throw new Error(
      `${first.name} and ${other.name} have different rules or options. ` +
        "To continue: replay all parts with the same --before, --after, --zone, --ip, --country and --field",
    );
}

function countOnce(run: string, name: string, runs: Map<string, string>): void {
  const known = runs.get(run);
  if (known !== undefined)
    throw new Error(
      `${known === name ? `${name} contains the result of one run twice` : `${known} and ${name} contain the result of the same run`}, ` +
        "whose requests would be counted twice. To continue: leave out the copy",
    );
  runs.set(run, name);
}

function naming(name: string, add: () => void): void {
  try {
    add();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${name} ${error.message}`, { cause: error });
  }
}

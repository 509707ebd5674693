import { createHash } from "node:crypto";
import { isObject, parseJson } from "../../../provider/model/json.js";
import { ReplayResult } from "./result.js";

/** What a result of a part of a log is about. Only results with the same one can be added. */
export interface PartialHead {
  readonly version: string;
  /** A digest of both versions of the rules, and of the options that outcomes depend on. */
  readonly rules: string;
}

interface Partial extends PartialHead {
  readonly result: unknown;
}

/** A digest of what outcomes depend on, apart from the requests. */
export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, 32);
}

/** A line of JSON with a result. */
export function writePartial({ version, rules }: PartialHead, result: ReplayResult): string {
  return JSON.stringify({ replay: 1, version, rules, result } satisfies Partial & { readonly replay: 1 });
}

/** Adds up the results in texts, each of which has a line for each of them. @throws Error that names the text */
export function mergePartials(
  texts: Iterable<{ readonly name: string; readonly text: string }>,
): PartialHead & { readonly result: ReplayResult } {
  const result = new ReplayResult();
  let first: (PartialHead & { readonly name: string }) | undefined;
  for (const { name, text } of texts) {
    for (const line of text.split("\n")) {
      if (line.trim() === "") continue;
      const partial = partialOf(line, name);
      first ??= { name, version: partial.version, rules: partial.rules };
      checkSame(first, { ...partial, name });
      naming(name, () => {
        result.add(partial.result);
      });
    }
  }
  if (first === undefined) throw new Error("there is no result to merge: the files are empty");
  return { version: first.version, rules: first.rules, result };
}

function partialOf(line: string, name: string): Partial {
  const plain = parseJson(line);
  if (isObject(plain) && plain.replay === 1 && typeof plain.version === "string" && typeof plain.rules === "string")
    return { version: plain.version, rules: plain.rules, result: plain.result };
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
      `${first.name} and ${other.name} are about other rules or options. ` +
        "To continue: replay all parts with the same --before, --after, --zone, --ip, --country and --field",
    );
}

function naming(name: string, add: () => void): void {
  try {
    add();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new Error(`${name} ${error.message}`, { cause: error });
  }
}

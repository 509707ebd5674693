import type { Client } from "../../../provider/client/index.js";
import type { RulesetInput } from "../../../simulator/index.js";
import { readOne } from "./one.js";
import type { ProgramOptions } from "./program.js";

/** Two versions of the rules: of paths, or of what is deployed in a zone and a path. */
export interface PairSource extends ProgramOptions {
  /** Before: what is deployed in this zone, by ID or name, unless a path is given. */
  readonly zone?: string;
}

export interface Pair {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
  /** A text without the secrets of both. */
  readonly hide: (text: string) => string;
}

/** Reads both versions. Without `before`, it is what is deployed in the zone. */
export async function readPair(
  before: string | undefined,
  after: string,
  options: PairSource,
  connect: () => Client,
): Promise<Pair> {
  if (before === undefined && options.zone === undefined) {
    throw new Error("what to compare with is missing: name two paths, or with --zone a zone and one path");
  }
  const old = await readOne(before, before === undefined ? options : { ...options, zone: undefined }, connect);
  const fresh = await readOne(after, { ...options, zone: undefined }, connect);
  const zone = old.loaded.zone?.id;
  const inputs = (rulesets: readonly { readonly input: RulesetInput }[]): readonly RulesetInput[] =>
    rulesets
      .map(({ input }) => input)
      .filter(({ zoneId }) => zone === undefined || zoneId === undefined || zoneId === zone);
  return {
    before: inputs(old.loaded.rulesets),
    after: inputs(fresh.loaded.rulesets),
    hide: (text) => fresh.loaded.hide(old.loaded.hide(text)),
  };
}

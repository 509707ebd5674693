import type { Client } from "../../../provider/client/index.js";
import type { RulesetInput } from "../../../simulator/index.js";
import { readRules } from "./rules.js";
import type { ProgramOptions } from "./program.js";

/** Two versions of the rules: from two paths, or deployed in a zone and from a path. */
export interface PairSource extends ProgramOptions {
  /** Unless `before` is given, the rules deployed in this zone (ID or name) are the first version. */
  readonly zone?: string;
}

export interface Pair {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
  /** Replaces the secrets of both versions in a text. */
  readonly hide: (text: string) => string;
}

/** Reads both versions. Without `before`, the first version is what is deployed in the zone. */
export async function readPair(
  before: string | undefined,
  after: string,
  options: PairSource,
  connect: () => Client,
): Promise<Pair> {
  if (before === undefined && options.zone === undefined) {
    throw new Error("two versions are required: name two paths, or a zone with --zone and one path");
  }
  const old = await readRules(before, before === undefined ? options : { ...options, zone: undefined }, connect);
  const fresh = await readRules(after, { ...options, zone: undefined }, connect);
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

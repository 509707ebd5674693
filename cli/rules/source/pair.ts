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
    throw new Error("two versions are required: pass two paths, or --zone and one path");
  }
  const oldRules = await readRules(before, before === undefined ? options : { ...options, zone: undefined }, connect);
  const newRules = await readRules(after, { ...options, zone: undefined }, connect);
  const zone = oldRules.loaded.zone?.id;
  const inputs = (rulesets: readonly { readonly input: RulesetInput }[]): readonly RulesetInput[] =>
    rulesets
      .map(({ input }) => input)
      .filter(({ zoneId }) => zone === undefined || zoneId === undefined || zoneId === zone);
  return {
    before: inputs(oldRules.loaded.rulesets),
    after: inputs(newRules.loaded.rulesets),
    hide: (text) => newRules.loaded.hide(oldRules.loaded.hide(text)),
  };
}

import type { JsonObject } from "../model/json.js";
import type { ListsInput } from "../simulator/index.js";
import type { OldRule } from "./old-rules.js";

/** A rule that replaces old ones, in a program's notation. */
export interface NewRule {
  readonly phase: string;
  readonly ref: string;
  readonly description: string;
  readonly action: string;
  readonly expression: string;
  readonly actionParameters?: JsonObject;
  readonly ratelimit?: JsonObject;
  /** The old rules that it replaces, by ID. */
  readonly from: readonly string[];
}

/** A list of addresses that new rules use. */
export interface NewList {
  readonly name: string;
  readonly addresses: readonly string[];
}

/** What a reader has to know of an old rule. */
export interface Note {
  readonly rule: OldRule;
  readonly text: string;
  /**
   * `left`: the rule is not converted. `lacks`: a part of it has no counterpart, or is not known to be the same.
   * `obsolete`: it never applied.
   */
  readonly kind: "left" | "lacks" | "obsolete";
}

/** Why old rules are left alone, by ID. */
export type Left = ReadonlyMap<string, string>;

export interface Conversion {
  /** By phase, in the order in which they have to run. */
  readonly rules: readonly NewRule[];
  readonly lists: readonly NewList[];
  readonly notes: readonly Note[];
}

/** Options of {@link convert}. */
export interface ConvertOptions {
  /** The plan of the zone, if it is known: it decides which periods of rate limits exist. */
  readonly plan?: string;
  /** What ends the names of new lists, so that those of two zones differ; without it, as for a comparison, no lists are made, and conditions have any length. */
  readonly listSuffix?: string;
  /** Why a new rule cannot be written. */
  readonly refusalOf?: (rule: NewRule) => string | undefined;
}

/** The prefix of the refs of all new rules, by which they are found again. */
export const REF_PREFIX = "legacy-";

/** https://developers.cloudflare.com/ruleset-engine/rules-language/expressions/ */
export const MAX_EXPRESSION = 4096;

/** The rules with the addresses of their lists written out. */
export function withoutLists({ rules, lists }: Conversion): NewRule[] {
  return rules.map((rule) => ({
    ...rule,
    expression: lists.reduce(
      (text, { name, addresses }) => text.replaceAll(`in $${name}`, () => `in {${addresses.join(" ")}}`),
      rule.expression,
    ),
  }));
}

/** The lists as the simulator and the analysis take them. */
export function listsOf(lists: readonly NewList[]): ListsInput {
  return Object.fromEntries(lists.map(({ name, addresses }) => [name, { kind: "ip", items: addresses }]));
}

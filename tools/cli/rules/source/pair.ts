import { NoAnswer } from "../../../rules-files/no-answer.js";
import type { Client } from "../../../../client/index.js";
import { omit } from "../../../../core/model/json.js";
import type { RulesetInput } from "../../../../core/simulator/index.js";
import { requireKnownZones } from "../../../../core/simulator/unknown-zone.js";
import {
  cureOf,
  rulesetsOf,
  hidingSecretsOf,
  notesOn,
  unknownNotesOn,
  type LoadedRules,
  type SourceFailure,
  type ProgramOptions,
} from "../../../rules-files/loaded.js";
import { readRules } from "./rules.js";

/** Two versions of the rules: from two paths, or deployed in a zone and from a path. */
export interface PairSource extends ProgramOptions {
  /** Unless `before` is given, the rules deployed in this zone (ID or name) are the first version. */
  readonly zone?: string;
}

export interface Pair {
  readonly before: readonly RulesetInput[];
  readonly after: readonly RulesetInput[];
  /** What could not be read of them, and what that means. */
  readonly notes: readonly string[];
  /** Rules that could not be read and are left out. */
  readonly unread: readonly SourceFailure[];
  /** Replaces the secrets of both versions in a text. */
  readonly hide: (text: string) => string;
}

/** @throws NoAnswer if rules are missing, for what is read where nobody would see that */
export function requireWhole(pair: Pair): Pair {
  const [part] = pair.unread;
  if (part === undefined) return pair;
  throw new NoAnswer(
    `${part.label} could not be read, which a saved result would not show: ${part.failure}. To continue: use ${cureOf(part)}`,
  );
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
  const declared = omit(options, ["zone"]);
  const { loaded: old } = await readRules(before, before === undefined ? options : declared, connect);
  const { loaded: latest } = await readRules(after, declared, connect);
  const both = [old, latest];
  for (const { rulesets } of both) requireKnownZones(new Set(rulesets.flatMap(({ input }) => input.zoneId ?? [])));
  const zone = old.zone?.id;
  const inputs = (loaded: LoadedRules): readonly RulesetInput[] =>
    rulesetsOf(loaded).filter(({ zoneId }) => zone === undefined || zoneId === undefined || zoneId === zone);
  // Lists that the program does not declare stay as they are.
  const lists = zone === undefined ? undefined : old.rulesets[0]?.input.lists;
  return {
    before: inputs(old),
    after: inputs(latest).map((one) => (lists === undefined ? one : { ...one, lists: { ...lists, ...one.lists } })),
    notes: Array.from(new Set(both.flatMap((one) => [...notesOn(one), ...unknownNotesOn(one)]))),
    unread: both.flatMap(({ unread = [] }) => unread),
    hide: hidingSecretsOf(...both),
  };
}

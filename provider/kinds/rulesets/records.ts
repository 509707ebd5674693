import type { Props } from "../../engine/lifecycle.js";
import { fromText } from "../../engine/stored-as-json.js";
import { internalType } from "../../engine/named-type.js";
import type { KeysOf } from "../../engine/predecessors.js";
import { isAbsentRule, isObserved } from "../../model/ruleset.js";
import { isList, isObject, textOf, type JsonObject } from "../../model/json.js";
import type { Ownership } from "../../model/options.js";
import { isPathList, type Path } from "../../model/path.js";
import type { OperationsOf, RecordedState } from "../../engine/description.js";
import type { PlannedRequest } from "../../engine/preview-plan.js";
import { knownText } from "../../model/unknown.js";

/** What runs of every kind of rulesets ask and send. */
export const OPERATIONS: readonly OperationsOf[] = [
  {
    path: "/rulesets",
    hasDryRun: true,
    probe: { subject: "list of rulesets", read: ({ rulesets }, scope) => rulesets.list(scope) },
  },
];

/** A rule that a resource released for another resource of the program, which had not written it by then. */
export type ReleasedRule = {
  readonly id: string;
  readonly ref: string;
  /** Its version when the stack last read it. */
  readonly version: string;
  /** URN of the resource that it was released for. */
  readonly to: string;
  /** Whether a run has reported that it has no owner. @default false */
  readonly reported?: boolean;
  /** The paths of the program's secrets in it, which messages hide. @default none */
  readonly secretPaths?: readonly Path[];
  /** Its ruleset, if the resource has been replaced in another one since. @default that of the resource */
  readonly rulesetId?: string;
};

function isReleasedRule(value: unknown): value is ReleasedRule {
  if (!isObject(value)) return false;
  const { id, ref, version, to, reported = false, secretPaths = [], rulesetId = "" } = value;
  const areTexts = [id, ref, version, to, rulesetId].every((each) => typeof each === "string");
  return areTexts && typeof reported === "boolean" && isPathList(secretPaths);
}

/** The output in which a state records such rules. */
export const RELEASED_RULES = {
  type: { list: internalType<ReleasedRule>("ReleasedRule", isReleasedRule) },
  text:
    "Rules that this resource released for another one of the program, which had not written them by then, also in a " +
    "ruleset that it was in before it was replaced. Unless that one has them since, they still belong to the stack.",
} as const;

/** The argument with which a resource only observes, and the output in which its state records what it observed. */
export const MANAGE = {
  type: "boolean",
  text:
    "Whether it writes. With `false` it only observes: previews, updates and refreshes say how the service differs, nothing is " +
    "written or deleted, and other resources may have what it observes.",
  default: true,
  change: "record",
} as const;
export const DIFFERENCES = {
  type: { list: "string" },
  text: "With `manage: false`, how the service differs from what is declared, one text for each rule; empty if it does not.",
  output: true,
} as const;

/** Finds states by the rulesets that they record. */
export const byRuleset: KeysOf = (state) => [
  state.rulesetId,
  ...releasedIn(state).flatMap(({ rulesetId }) => rulesetId ?? []),
];

/** The rules that a state records as released. */
export function releasedIn({ __released: rules }: Props): ReleasedRule[] {
  return isList(rules) ? rules.filter(isReleasedRule) : [];
}

/** Those of released rules that are in the ruleset of the resource that released them. */
export function releasedHere(rules: readonly ReleasedRule[] = []): readonly ReleasedRule[] {
  return rules.filter(({ rulesetId }) => rulesetId === undefined);
}

/** Those that are in a ruleset. */
export function releasedFrom(state: JsonObject, rulesetId: string): readonly ReleasedRule[] {
  return releasedIn(state).filter((rule) => (rule.rulesetId ?? state.rulesetId) === rulesetId);
}

/** A released rule with its ruleset. */
export type ReleasedElsewhere = ReleasedRule & { readonly rulesetId: string };

/** Those that are in a ruleset that the resource was in before it was replaced. */
export function releasedElsewhere(rules: readonly ReleasedRule[] = []): readonly ReleasedElsewhere[] {
  return rules.flatMap((rule) => (rule.rulesetId === undefined ? [] : [{ ...rule, rulesetId: rule.rulesetId }]));
}

/** What the state of one resource of the stack says about one ruleset. */
export interface RulesetRecord {
  readonly urn: string;
  /** Which object of the resource it is; undefined where that is no longer in the ruleset. */
  readonly identity: Identity | undefined;
  /** IDs of the rules that deleting the resource would delete. */
  readonly owned: ReadonlySet<string>;
  /** Rules that it released, and that another resource may not have yet. */
  readonly released: readonly ReleasedRule[];
  /** By ID, the versions that rules had when the state was written. */
  readonly versions: ReadonlyMap<string, string>;
  /** How a resource with a list manages the ruleset; undefined for a single rule, and where it no longer manages it. */
  readonly list: Ownership | undefined;
  /** Whether it only took over what was equal. */
  readonly isTakenOver: boolean;
}

/** What a state says about a ruleset: its own, or the one that its resource was in before; undefined if it is another one. */
export function recordOf(state: JsonObject, rulesetId: string): RulesetRecord | undefined {
  const { __urn: urn } = state;
  if (typeof urn !== "string" || isObserved(state)) return undefined;
  const released = releasedFrom(state, rulesetId);
  if (state.rulesetId !== rulesetId && released.length === 0) return undefined;
  const here = state.rulesetId === rulesetId ? state : {};
  return {
    urn,
    identity: here === state ? identityOf(state) : undefined,
    owned: new Set(ownedIds(here)),
    released,
    versions: new Map([...deployedIn(here), ...released].map(({ id, version }) => [id, version])),
    list: here !== state || typeof state.ruleId === "string" ? undefined : ownershipOf(state),
    isTakenOver: here.__takenOver === true,
  };
}

function ownershipOf({ ownership }: JsonObject): Ownership {
  return ownership === "shared" ? "shared" : "exclusive";
}

/** Tells the objects of a resource apart: one that is replaced has two until the engine has deleted the old one. */
type Identity = readonly unknown[];

/** The same of the state of a single rule, and of that as a list. */
export function identityOf(state: JsonObject): Identity {
  const { rulesetId, version, ruleIds, ref, ruleId, __rulesetVersion = "" } = state;
  if (isObject(ruleIds)) return [rulesetId, version, ruleIds];
  return [rulesetId, __rulesetVersion, isAbsentRule(state) ? {} : { [textOf(ref)]: ruleId }];
}

/** IDs of the rules that deleting a resource would delete. */
export function ownedIds(state: JsonObject): string[] {
  const { ruleIds, ruleId, __takenOver: whole, __takenOverRules: taken } = state;
  if (whole === true || isAbsentRule(state) || isObserved(state)) return [];
  if (typeof ruleId === "string") return [ruleId];
  const equal = new Set(isList(taken) ? taken : []);
  return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
    typeof id !== "string" || equal.has(ref) ? [] : [id],
  );
}

/** The same, and the rules that a resource released for another one, which may not have them yet. */
export function heldIds(state: JsonObject): string[] {
  return [...ownedIds(state), ...releasedIn(state).map(({ id }) => id)];
}

/** A deployed rule, as far as every state records it. */
type RecordedRule = Pick<ReleasedRule, "id" | "ref" | "version">;

/** The rules at the service that a state of the engine records: all of its ruleset, or the one of a single rule. */
export function deployedIn(state: JsonObject): readonly RecordedRule[] {
  const { deployedRules, ruleId: id, ref, version } = state;
  if (isAbsentRule(state) || isObserved(state)) return [];
  const rules = fromText(deployedRules);
  return (isList(rules) ? rules : [{ id, ref, version }]).filter(isRecordedRule);
}

function isRecordedRule(value: unknown): value is RecordedRule {
  return isObject(value) && typeof value.id === "string" && typeof value.version === "string";
}

/* What deletes send, from what the states of a preview show. */

/** The request that deletes a ruleset or its rules. */
export function plannedRulesetDelete(
  { inputs, outputs, released }: RecordedState,
  defaultOnDelete: "delete" | "empty",
): readonly PlannedRequest[] {
  const onDelete = knownText(inputs.onDelete) || defaultOnDelete;
  if (onDelete === "keep" || isObserved(inputs)) return [];
  const { ruleIds, __takenOver: isTakenOver, __takenOverRules: takenOver } = outputs;
  if (inputs.ownership === "shared") {
    const isTaken = (ref: string): boolean =>
      isTakenOver === true || (Array.isArray(takenOver) && takenOver.includes(ref));
    return Object.entries(isObject(ruleIds) ? ruleIds : {}).flatMap(([ref, id]) =>
      released.has(ref) || isTaken(ref) ? [] : [{ call: `DELETE ${pathIn(inputs, outputs)}/rules/${knownText(id)}` }],
    );
  }
  const { rules } = inputs;
  const refs = Object.keys(isObject(rules) ? rules : {});
  if (isTakenOver === true || (released.size > 0 && refs.every((ref) => released.has(ref)))) return [];
  return [{ call: `${onDelete === "empty" ? "PUT" : "DELETE"} ${pathIn(inputs, outputs)}` }];
}

/** The request that deletes a single rule. */
export function plannedRuleDelete({ inputs, outputs, released }: RecordedState): readonly PlannedRequest[] {
  const stays =
    knownText(inputs.onDelete) === "keep" ||
    outputs.__takenOver === true ||
    isAbsentRule(outputs) ||
    isObserved(inputs) ||
    released.has(knownText(inputs.ref));
  return stays ? [] : [{ call: `DELETE ${pathIn(inputs, outputs)}/rules/${knownText(outputs.ruleId) || "<rule>"}` }];
}

function pathIn({ zoneId, accountId, rulesetId: given }: JsonObject, { rulesetId }: JsonObject): string {
  const scope = knownText(zoneId) === "" ? `accounts/${knownText(accountId)}` : `zones/${knownText(zoneId)}`;
  return `/${scope}/rulesets/${knownText(rulesetId) || knownText(given) || "<id>"}`;
}

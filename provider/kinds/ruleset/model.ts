import { assignRefs } from "../../rules/assign-refs.js";
import { mapFrom, omit, pick, type JsonObject } from "../../model/json.js";
import { phaseResourceId, rulesetResourceId, scopeWords, type Scope } from "../../model/ids.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { OnConflict, OnDelete, OnExisting } from "../../model/options.js";
import type { Path } from "../../model/path.js";
import type { DeployedRuleInfo, KeyedRules } from "../../model/ruleset.js";
import { isUnknown } from "../../model/unknown.js";

/** The two faces of a ruleset: any ruleset by its id, or the entry point of a phase by the phase's name. */
export type ResourceKind = "Ruleset" | "PhaseEntrypoint";

/** Inputs as `check` hands them on: rules by ref under the name of the argument, and their order as a text, a ref a line. */
export interface CheckedInputs {
  readonly zoneId?: string;
  readonly accountId?: string;
  readonly phase: string;
  /** `Ruleset` only. */
  readonly kind?: string;
  readonly name?: string;
  readonly description?: string;
  /** By ref; the unknown marker while the whole list is not known. */
  readonly rules: Readonly<Record<string, RulesetRule>>;
  /** Refs in the order the rules run in, one a line. */
  readonly order: string;
  /** How many of the rules run: what a preview of a removal shows to stop working. */
  readonly rulesInForce?: number;
  readonly onExisting?: OnExisting;
  readonly onConflict?: OnConflict;
  readonly onDelete?: OnDelete;
  /** A ruleset to take over by its id. `Ruleset` only. Internal. */
  readonly __adopt?: string;
  /** By ref, where in the rule secrets stand. Internal. */
  readonly __secretPaths?: Readonly<Record<string, readonly Path[]>>;
  /** Other arguments that are secrets, by name. Internal. */
  readonly __secretArgs?: readonly string[];
  /**
   * By ref, the fingerprint of what the program declared before somebody changed the rule at the service: so it is
   * known again however much was changed. From `read`; goes when nothing is left to repair. Internal.
   */
  readonly __declared?: Readonly<Record<string, string>>;
  /** For messages. Internal. */
  readonly __urn?: string;
}

/** The whole state: the checked inputs, and what the service answered. */
export interface RulesetState extends CheckedInputs {
  readonly version: string;
  readonly lastUpdated: string;
  readonly rulesetId: string;
  /** Every rule in order, those of others included. */
  readonly deployedRules: readonly DeployedRuleInfo[];
  /**
   * By id, what the service answered, where that is not what `rules` says: rules of others, and fields the service
   * added. Internal; with `rules` it is what drift is measured against.
   */
  readonly __answers?: Readonly<Record<string, JsonObject>>;
  /** Ref to id, for the rules of this stack. */
  readonly ruleIds: Readonly<Record<string, string>>;
  /** The name the service knows, where the program names none. Internal. */
  readonly __serviceName?: string;
  /** The description the service holds, where the program gives none. Internal. */
  readonly __serviceDescription?: string;
  /** True after a write of which nobody knows whether it landed. Internal. */
  readonly __incomplete?: boolean;
  /** Beside `__incomplete`, after a refresh: the version that the write was to replace. Internal. */
  readonly __lostOver?: string;
  /**
   * True where this stack took the ruleset over because it was equal, and has neither written to it since nor been told
   * to own it: a delete leaves it. Missing in states of earlier versions, which mostly wrote what they hold and delete it.
   * Internal.
   */
  readonly __takenOver?: boolean;
}

/** Inputs that are told to the engine; the rest of a state is outputs. */
export const INPUT_NAMES = [
  "zoneId",
  "accountId",
  "phase",
  "kind",
  "name",
  "description",
  "rules",
  "order",
  "rulesInForce",
  "onExisting",
  "onConflict",
  "onDelete",
  "__adopt",
  "__secretPaths",
  "__secretArgs",
  "__urn",
] as const;

/** What a ruleset is and where it lives. */
export interface Target {
  readonly scope: Scope;
  readonly phase: string;
  readonly kind: string;
  readonly entrypoint: boolean;
}

export function targetOf(inputs: CheckedInputs): Target {
  const scope: Scope =
    inputs.zoneId === undefined
      ? { level: "accounts", id: inputs.accountId ?? "" }
      : { level: "zones", id: inputs.zoneId };
  const entryKind = scope.level === "zones" ? "zone" : "root";
  const kind = inputs.kind ?? entryKind;
  return { scope, phase: inputs.phase, kind, entrypoint: kind !== "custom" };
}

/** The names under which one object at the service is known to a run: its phase, its id, or both. */
export function objectKeys(target: Target, rulesetId: string | undefined): string[] {
  const phase = target.entrypoint ? [phaseResourceId(target.scope, target.phase)] : [];
  return rulesetId === undefined ? phase : [...phase, rulesetResourceId(target.scope, rulesetId)];
}

/** Whether the program says that what stands there is its own from now on, whoever made it. */
export function isAskedFor({ onExisting, __adopt }: Pick<CheckedInputs, "onExisting" | "__adopt">): boolean {
  return __adopt !== undefined || onExisting === "adopt" || onExisting === "replace" || onExisting === "empty";
}

/** Whether a target is known well enough to ask the service about it. */
export function isKnownTarget(target: Target): boolean {
  return ![target.scope.id, target.phase, target.kind].some(isUnknown);
}

export function resourceIdOf(kind: ResourceKind, target: Target, rulesetId: string): string {
  return kind === "PhaseEntrypoint"
    ? phaseResourceId(target.scope, target.phase)
    : rulesetResourceId(target.scope, rulesetId);
}

/** A ruleset in words: `http_ratelimit of zone 0123…`. */
export function targetWords(target: Target, name?: string): string {
  const what = target.entrypoint ? target.phase : `custom ruleset ${JSON.stringify(name ?? "")}`;
  return `${what} of ${scopeWords(target.scope)}`;
}

/** Rules and order of inputs or of a state; states of the vendor's own package hold a list. */
export function keyedRules(inputs: { readonly rules?: unknown; readonly order?: unknown } | undefined): KeyedRules {
  const rules = inputs?.rules;
  if (Array.isArray(rules)) {
    const list = rules as RulesetRule[];
    const order = assignRefs([], list).refs;
    return { rules: mapFrom(order.map((ref, index) => [ref, list[index] ?? ({} as RulesetRule)] as const)), order };
  }
  if (typeof rules !== "object" || rules === null) return { rules: {}, order: [] };
  const map = rules as Readonly<Record<string, RulesetRule>>;
  const known = new Set(Object.keys(map).filter((ref) => ref !== "__defaults"));
  const named = new Set(typeof inputs?.order === "string" ? inputs.order.split("\n") : []);
  const order = [...[...named].filter((ref) => known.has(ref)), ...[...known].filter((ref) => !named.has(ref))];
  // Without a prototype: a ref such as `constructor` is only a ref.
  return { rules: mapFrom(order.map((ref) => [ref, map[ref] ?? ({} as RulesetRule)] as const)), order };
}

/** Every ref ends its line, the last one too: so an addition at the end is one line in a diff of texts. */
export function orderText(order: readonly string[]): string {
  return order.map((ref) => `${ref}\n`).join("");
}

/** How many rules run; one of which that is not known yet counts. */
export function rulesInForce(rules: Readonly<Record<string, RulesetRule>>): number {
  return Object.values(rules).filter((rule) => (rule as Partial<RulesetRule>).enabled !== false).length;
}

/** Whether which rules there will be is not known yet. */
export function isPending(inputs: CheckedInputs): boolean {
  return isUnknown(inputs.rules) || isUnknown(inputs.order);
}

/** The declared inputs inside a state, exactly as `check` returned them. */
export function inputsOf(state: CheckedInputs): CheckedInputs {
  return pick(state, INPUT_NAMES);
}

/** What a state holds beside its inputs: the service's answers. */
export function outputsOf(state: RulesetState): Omit<RulesetState, keyof CheckedInputs> {
  return omit(state, INPUT_NAMES);
}

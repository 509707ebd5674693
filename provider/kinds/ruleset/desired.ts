import type { SecretPlaces } from "../../engine/shown.js";
import { phaseResourceId, rulesetResourceId, scopeWords, type Scope } from "../../model/ids.js";
import type { OnConflict, OnDelete, OnExisting, Ownership } from "../../model/options.js";
import { isUnknown, known, NOT_KNOWN, UNKNOWN, type NotKnown, type Pending } from "../../model/unknown.js";
import { keyedRules, type KeyedRules } from "../../rules/keyed.js";
import type { RulesetInputs } from "./description.js";

/** What a ruleset is and where it lives. */
export interface Target {
  readonly scope: Scope;
  readonly phase: string;
  readonly kind: string;
  readonly entrypoint: boolean;
}

/** How a program wants others to be dealt with. */
export interface Policy {
  readonly ownership: Ownership;
  readonly onExisting?: OnExisting;
  readonly onConflict?: OnConflict;
  readonly onDelete: OnDelete;
  /** Id of a ruleset to take over. */
  readonly adopts?: string;
  /** Share of the rules there, in percent, that a run may take away. */
  readonly maxRemovedPercent?: number;
}

/** What a program wants of a ruleset, read from its inputs once. */
export interface Desired {
  readonly target: Target;
  /** The ruleset in words, for messages. */
  readonly where: string;
  readonly urn: string | undefined;
  /** Undefined while it is not known which rules there will be. */
  readonly rules: KeyedRules | undefined;
  readonly name: string | NotKnown | undefined;
  readonly description: string | NotKnown | undefined;
  readonly policy: Policy;
  /** Where in it secrets stand. */
  readonly secrets: Omit<SecretPlaces, "ruleIds">;
}

export function desiredFrom(inputs: Pending<RulesetInputs>): Desired {
  const {
    name,
    rules,
    order,
    description,
    __urn,
    ownership,
    onExisting,
    onConflict,
    onDelete,
    maxRemovedPercent,
    __adopt,
  } = inputs;
  const target = targetOf(inputs);
  return {
    target,
    where: targetWords(target, known(name)),
    urn: known(__urn),
    rules: rules === NOT_KNOWN || order === NOT_KNOWN ? undefined : keyedRules(rules, order),
    name,
    description,
    policy: {
      ownership: known(ownership) ?? "exclusive",
      onExisting: known(onExisting),
      onConflict: known(onConflict),
      onDelete: known(onDelete) ?? (target.entrypoint || ownership === "shared" ? "empty" : "delete"),
      adopts: known(__adopt),
      maxRemovedPercent: known(maxRemovedPercent),
    },
    secrets: { __secretPaths: known(inputs.__secretPaths), __secretArgs: known(inputs.__secretArgs) },
  };
}

/** Where a ruleset lives and what it is, as arguments, inputs or a state tell it; what is not known yet as its marker. */
export function targetOf(inputs: {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
  readonly kind?: unknown;
}): Target {
  const scope = scopeIn(inputs);
  const entryKind = scope.level === "zones" ? "zone" : "root";
  const kind = inputs.kind === undefined ? entryKind : textOf(inputs.kind);
  return { scope, phase: textOf(inputs.phase), kind, entrypoint: kind !== "custom" };
}

/** The zone or account that arguments, inputs or a state name. */
export function scopeIn({ zoneId, accountId }: { readonly zoneId?: unknown; readonly accountId?: unknown }): Scope {
  return zoneId === undefined ? { level: "accounts", id: textOf(accountId) } : { level: "zones", id: textOf(zoneId) };
}

/** A text as it came in; what is not known yet as its marker. */
export function textOf(value: unknown): string {
  if (isUnknown(value)) return UNKNOWN;
  return typeof value === "string" ? value : "";
}

/** The names under which one object at the service is known to a run: its phase, its id, or both. */
export function objectKeys(target: Target, rulesetId: string | undefined): string[] {
  const phase = target.entrypoint ? [phaseResourceId(target.scope, target.phase)] : [];
  return rulesetId === undefined || rulesetId === "" ? phase : [...phase, rulesetResourceId(target.scope, rulesetId)];
}

/** The names under which a run knows rules of a ruleset, by their refs and ids. */
export function ruleKeys(target: Target, rulesetId: string | undefined, names: Iterable<string>): string[] {
  const rulesets = objectKeys(target, rulesetId);
  return [...names].flatMap((name) => rulesets.map((ruleset) => `${ruleset}/rules/${name}`));
}

/** The id under which the engine knows a ruleset. */
export function resourceIdOf(
  type: "PhaseEntrypoint" | "Ruleset",
  { scope, phase }: Pick<Target, "scope" | "phase">,
  rulesetId: string,
): string {
  return type === "PhaseEntrypoint" ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
}

/** Whether the program says that what stands there is its own from now on, whoever made it. */
export function isAskedFor({ onExisting, adopts }: Pick<Policy, "onExisting" | "adopts">): boolean {
  return adopts !== undefined || onExisting === "adopt" || onExisting === "replace" || onExisting === "empty";
}

/** Whether a target is known well enough to ask the service about it. */
export function isKnownTarget(target: Target): boolean {
  return ![target.scope.id, target.phase, target.kind].some(isUnknown);
}

/** A ruleset in words: `http_ratelimit of zone 0123…`. */
export function targetWords(target: Target, name?: string): string {
  const what = target.entrypoint ? target.phase : `custom ruleset ${JSON.stringify(name ?? "")}`;
  return `${what} of ${scopeWords(target.scope)}`;
}

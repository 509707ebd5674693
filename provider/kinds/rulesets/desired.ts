import {
  entrypointKind,
  phaseResourceId,
  ruleResourceId,
  rulesetResourceId,
  type Scope,
  scopeArguments,
  scopeWords,
} from "../../../core/model/ids.js";
import { type JsonObject, textOf } from "../../../core/model/json.js";
import { rulesetName } from "../../../core/model/names.js";
import type { OnConflict, OnDelete, OnExisting } from "../../../core/model/options.js";
import type { Position } from "../../../core/model/position.js";
import type { Ruleset } from "../../../core/model/ruleset.js";
import {
  isComplete,
  isUnknown,
  NOT_KNOWN,
  type NotKnown,
  type Pending,
  UNKNOWN,
  valueIfKnown,
} from "../../../core/model/unknown.js";
import { keyedRules, type KeyedRules } from "../../../core/rules/keyed.js";
import type { SecretPlaces } from "../../engine/display.js";
import { type Reach, reachOf } from "../../ownership/reach.js";
import { ruleInWords, type Words } from "../../ownership/words.js";
import type { RulesetInputs, RulesetState } from "./description.js";

/** What a ruleset is and where it lives. */
export interface Target {
  readonly scope: Scope;
  readonly phase: string;
  readonly kind: string;
  readonly entrypoint: boolean;
  /** Whether the program names it by its phase, so that it is the same ruleset also after somebody has created it again. */
  readonly byPhase: boolean;
  /** Set for a rule of a ruleset that the program gives by its ID: its phase and kind are known once it was read. */
  readonly rulesetId?: string;
}

/** What a program wants done about others' rules and changes. */
export interface Policy {
  readonly onExisting?: OnExisting;
  readonly onConflict?: OnConflict;
  readonly onDelete: OnDelete;
  /** ID of a ruleset to take over. */
  readonly adopts?: string;
  /** Percentage of the existing rules that a run may remove. */
  readonly maxRemovedPercent?: number;
}

/** What a program wants of a ruleset, parsed once from its inputs. */
export interface Desired {
  readonly target: Target;
  /** The ruleset, as messages name it. */
  readonly where: string;
  /** What the resource manages there, and what follows from that. */
  readonly reach: Reach;
  /** How messages speak of it. */
  readonly words: Words;
  readonly urn: string | undefined;
  /** Undefined while the rules are unknown. */
  readonly rules: KeyedRules | undefined;
  /** By ref, the requested positions of rules among all those of the ruleset, as far as they are known. */
  readonly positions: ReadonlyMap<string, Position>;
  /** Rules of others, in inputs that a refresh has read. */
  readonly foreignRules: JsonObject;
  readonly name: string | NotKnown | undefined;
  readonly description: string | NotKnown | undefined;
  readonly policy: Policy;
  /** Where it contains secrets. */
  readonly secrets: Omit<SecretPlaces, "ruleIds">;
}

/**
 * Parses inputs.
 * @param rules the rules in them, if they are already parsed
 */
export function desiredFrom(inputs: Pending<RulesetInputs>, rules: KeyedRules | undefined = rulesIn(inputs)): Desired {
  const { name, description, ref, __urn } = inputs;
  const target = targetOf(inputs);
  const policy = policyOf(inputs);
  const where = targetWords(target, { name: valueIfKnown(name), id: policy.adopts });
  const reach = reachOf(inputs);
  const subject = ref === undefined ? where : ruleInWords(textOrMarker(ref), where);
  return {
    target,
    where,
    reach,
    words: { ...reach.texts, subject },
    urn: valueIfKnown(__urn),
    rules,
    positions: positionsIn(inputs),
    foreignRules: valueIfKnown(inputs.foreignRules) ?? {},
    name,
    description,
    policy,
    secrets: { __secretPaths: valueIfKnown(inputs.__secretPaths), __secretArgs: valueIfKnown(inputs.__secretArgs) },
  };
}

/** By ref, the positions in inputs or a state, as far as they are known. */
export function positionsIn({
  positions = {},
}: Pick<Pending<RulesetInputs>, "positions">): ReadonlyMap<string, Position> {
  if (positions === NOT_KNOWN) return new Map();
  const known = Object.entries(positions).flatMap(([ref, position]) =>
    position !== UNKNOWN && isComplete<Position>(position) ? [[ref, position] as const] : [],
  );
  return new Map(known);
}

function rulesIn({ rules, order }: Pending<RulesetInputs>): KeyedRules | undefined {
  return rules === NOT_KNOWN || order === NOT_KNOWN ? undefined : keyedRules(rules, order);
}

/** What inputs or a state say about others' rules and changes. */
export function policyOf(inputs: Partial<Omit<Pending<RulesetInputs>, "rules">>): Policy {
  const { onExisting, onConflict, onDelete, maxRemovedPercent, __adopt } = inputs;
  return {
    onExisting: valueIfKnown(onExisting),
    onConflict: valueIfKnown(onConflict),
    onDelete: valueIfKnown(onDelete) ?? (targetOf(inputs).entrypoint ? "empty" : "delete"),
    adopts: valueIfKnown(__adopt),
    maxRemovedPercent: valueIfKnown(maxRemovedPercent),
  };
}

/** Where a ruleset is and of which kind, from arguments, inputs or a state. Unknown values become their marker. */
export function targetOf(inputs: {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
  readonly kind?: unknown;
  readonly rulesetId?: unknown;
  readonly __kind?: unknown;
}): Target {
  const scope = scopeIn(inputs);
  const phase = textOrMarker(inputs.phase);
  if (inputs.__kind !== undefined) {
    const { __kind, rulesetId } = inputs;
    const kind = textOf(__kind) || "custom";
    return { scope, phase, kind, entrypoint: kind !== "custom", byPhase: false, rulesetId: textOrMarker(rulesetId) };
  }
  const byPhase = inputs.kind === undefined;
  const kind = byPhase ? entrypointKind(scope) : textOrMarker(inputs.kind);
  return { scope, phase, kind, entrypoint: kind !== "custom", byPhase };
}

/** The zone or account in arguments, inputs or a state. */
export function scopeIn({ zoneId, accountId }: { readonly zoneId?: unknown; readonly accountId?: unknown }): Scope {
  return zoneId === undefined
    ? { level: "accounts", id: textOrMarker(accountId) }
    : { level: "zones", id: textOrMarker(zoneId) };
}

/** A string as passed in; an unknown value becomes its marker. */
export function textOrMarker(value: unknown): string {
  if (isUnknown(value)) return UNKNOWN;
  return textOf(value);
}

/** The keys of a ruleset within a run: its phase, its ID, or both. */
export function objectKeys(target: Target, rulesetId: string | undefined = target.rulesetId): string[] {
  const phase = target.entrypoint ? [phaseResourceId(target.scope, target.phase)] : [];
  return rulesetId === undefined || rulesetId === "" ? phase : [...phase, rulesetResourceId(target.scope, rulesetId)];
}

/** The keys of rules of a ruleset within a run, by their refs and IDs. */
export function ruleKeys(target: Target, rulesetId: string | undefined, names: Iterable<string>): string[] {
  return ruleKeysIn(objectKeys(target, rulesetId), [...names]);
}

/** The keys of rules within a run, in rulesets by their keys. Names that are not known yet have none. */
export function ruleKeysIn(rulesets: readonly string[], names: readonly (string | undefined)[]): string[] {
  const known = names.filter((name) => name !== undefined && name !== "" && !isUnknown(name));
  return rulesets.flatMap((ruleset) => known.map((name) => ruleResourceId(ruleset, name ?? "")));
}

/** A ruleset that does not exist yet. */
export function nothingAt({ phase, kind }: Target): Ruleset {
  return { id: "", name: "", description: "", kind, phase, version: "", rules: [] };
}

/** The ID in the engine of a ruleset, which is known by its phase, or by its ID. */
export function placeId({ scope, phase, byPhase, ...target }: Target, rulesetId = target.rulesetId ?? ""): string {
  return byPhase ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
}

/** Whether the program asks to own the existing ruleset from now on, whoever created it. */
export function isOwnershipRequested({ onExisting, adopts }: Pick<Policy, "onExisting" | "adopts">): boolean {
  return adopts !== undefined || onExisting === "adopt" || onExisting === "replace" || onExisting === "empty";
}

/** Whether enough of a target is known to query the service. */
export function isKnownTarget({ scope, phase, kind, rulesetId }: Target): boolean {
  return ![scope.id, ...(rulesetId === undefined ? [phase, kind] : [rulesetId])].some(isUnknown);
}

/** A ruleset as messages name it: `http_ratelimit of zone 0123…`. A custom ruleset has a name, an ID, or both. */
export function targetWords(
  { scope, phase, kind, entrypoint, rulesetId }: Target,
  known: { readonly name?: string | undefined; readonly id?: string | undefined } = {},
): string {
  if (rulesetId !== undefined) return `ruleset ${rulesetId} of ${scopeWords(scope)}`;
  return rulesetName({ ...(entrypoint ? {} : known), kind, phase, ...scopeArguments(scope) });
}

/** A resource that was created: its ID in the engine, and its state. */
export interface Created {
  readonly id: string;
  readonly state: RulesetState;
}

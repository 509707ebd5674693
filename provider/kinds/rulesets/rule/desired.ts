import type { Position } from "../../../client/index.js";
import { entrypointKind, phaseResourceId, rulesetResourceId, scopeWords, type Scope } from "../../../model/ids.js";
import type { RulesetRule } from "../../../model/generated/rule.js";
import { pick } from "../../../model/json.js";
import type { OnConflict } from "../../../model/options.js";
import { parsePendingFields } from "../../../model/parse-rule.js";
import type { Path } from "../../../model/path.js";
import { isComplete, isUnknown, valueIfKnown, NOT_KNOWN, UNKNOWN, type Pending } from "../../../model/unknown.js";
import type { PendingFields } from "../../../rules/keyed.js";
import { Rule } from "../../../rules/rule.js";
import { scopeIn, textOrMarker, type Target } from "../desired.js";
import { RULE_FIELDS, type RuleInputs } from "./description.js";
import { createHash } from "node:crypto";
import { slug } from "../../../rules/derive-ref.js";

/** The ruleset that a rule is in: the entry point of a phase, or any ruleset by its ID. */
export interface RuleTarget {
  readonly scope: Scope;
  readonly phase: string;
  /** The kind of the entry point; undefined if an ID is given. */
  readonly kind: string | undefined;
  readonly rulesetId?: string;
}

/** What a program wants of a rule, parsed once from its inputs. */
export interface Desired {
  readonly target: RuleTarget;
  /** The ruleset, as messages name it. */
  readonly where: string;
  readonly urn: string | undefined;
  readonly ref: string;
  /** Unknown values in it are markers. */
  readonly rule: Rule<PendingFields>;
  /** Undefined if any place will do, or while it is unknown. */
  readonly position: Position | undefined;
  readonly policy: {
    readonly onExisting: "fail" | "adopt" | undefined;
    readonly onConflict: OnConflict | undefined;
    readonly onDelete: "delete" | "keep";
    /** ID of a rule to take over. */
    readonly adopts: string | undefined;
  };
  readonly secretPaths: readonly Path[];
}

export function desiredFrom(inputs: Pending<RuleInputs>): Desired {
  const { onExisting, onConflict, onDelete, position, ref, __urn, __adopt, __secretPaths } = inputs;
  const target = targetOf(inputs);
  return {
    target,
    where: targetWords(target),
    urn: valueIfKnown(__urn),
    ref: textOrMarker(ref),
    rule: Rule.of(ruleIn(inputs)),
    position: position !== undefined && position !== NOT_KNOWN && isComplete<Position>(position) ? position : undefined,
    policy: {
      onExisting: valueIfKnown(onExisting),
      onConflict: valueIfKnown(onConflict),
      onDelete: valueIfKnown(onDelete) ?? "delete",
      adopts: valueIfKnown(__adopt),
    },
    secretPaths: valueIfKnown(__secretPaths) ?? [],
  };
}

const FIELDS = Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[];

/** The rule in inputs or a state. */
export function ruleIn(inputs: Partial<RuleInputs>): RulesetRule;
export function ruleIn(inputs: Pending<Partial<RuleInputs>>): PendingFields;
export function ruleIn(inputs: Pending<Partial<RuleInputs>>): PendingFields {
  const fields = Object.entries(pick(inputs, FIELDS)).map(
    ([name, value]) => [name, value === NOT_KNOWN ? UNKNOWN : value] as const,
  );
  // `check` has made sure that action and expression are present.
  return parsePendingFields(Object.fromEntries(fields));
}

/** The ruleset of a rule, from arguments, inputs or a state. Unknown values become their marker. */
export function targetOf(inputs: {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
  readonly rulesetId?: unknown;
  readonly __byId?: unknown;
}): RuleTarget {
  const scope = scopeIn(inputs);
  const phase = textOrMarker(inputs.phase);
  if (inputs.__byId === true) return { scope, phase, kind: undefined, rulesetId: textOrMarker(inputs.rulesetId) };
  return { scope, phase, kind: entrypointKind(scope) };
}

/** Whether it is known which ruleset it is. */
export function isKnownTarget({ scope, phase, rulesetId }: RuleTarget): boolean {
  return !isUnknown(scope.id) && !isUnknown(rulesetId ?? phase);
}

/**
 * The same ruleset, as the target of a resource for rulesets.
 * @param known its kind, if it was read
 */
export function rulesetTarget(target: RuleTarget, known: string | undefined): Target {
  const { scope, phase } = target;
  const kind = known ?? target.kind ?? "custom";
  return { scope, phase, kind, entrypoint: kind !== "custom" };
}

/** The ID of the ruleset as used in resource IDs. */
export function targetId({ scope, phase, rulesetId }: RuleTarget): string {
  return rulesetId === undefined ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
}

function targetWords({ scope, phase, rulesetId }: RuleTarget): string {
  return `${rulesetId === undefined ? phase : `ruleset ${rulesetId}`} of ${scopeWords(scope)}`;
}

/** The keys of a rule's ruleset within a run, as far as they are known. */
export function rulesetKeys(
  target: RuleTarget,
  found: { readonly id: string; readonly kind: string } | undefined,
): string[] {
  if (!isKnownTarget(target)) return [];
  const { scope, phase } = target;
  const byId = found === undefined || found.id === "" ? [] : [rulesetResourceId(scope, found.id)];
  const byPhase =
    found === undefined || found.kind === "custom" || isUnknown(phase) ? [] : [phaseResourceId(scope, phase)];
  return [...new Set([targetId(target), ...byId, ...byPhase])];
}

/** Rules of many stacks share a ruleset, and each stack chooses refs without knowing the others. */
const HASH_LENGTH = 8;

/**
 * The ref of a rule for which the program sets none: the resource's name and a short hash of its URN, which contains
 * the project and the stack. It is therefore known before anything else of the rule is, and no other stack derives the
 * same one.
 */
export function refOf(urn: string): string {
  const name = urn.split("::").at(-1) ?? "";
  const hash = createHash("sha256").update(urn).digest("hex").slice(0, HASH_LENGTH);
  return `${slug(name) || "rule"}-${hash}`;
}

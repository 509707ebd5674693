import type { Position } from "../../client/index.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { phaseResourceId, ruleResourceId, rulesetResourceId, scopeWords, type Scope } from "../../model/ids.js";
import { pick } from "../../model/json.js";
import type { OnConflict } from "../../model/options.js";
import type { Path } from "../../model/path.js";
import { hasUnknown, isUnknown, known, NOT_KNOWN, UNKNOWN, type Pending } from "../../model/unknown.js";
import { Rule } from "../../rules/rule.js";
import { scopeIn, textOf } from "../ruleset/desired.js";
import { RULE_FIELDS, type RuleInputs } from "./description.js";

/** The ruleset that a rule is in: the entry point of a phase, or any by its id. */
export interface RuleTarget {
  readonly scope: Scope;
  readonly phase: string;
  /** The entry point's kind, where no id is given. */
  readonly kind: string | undefined;
  readonly rulesetId?: string;
}

/** What a program wants of a rule, read from its inputs once. */
export interface Desired {
  readonly target: RuleTarget;
  /** The ruleset in words, for messages. */
  readonly where: string;
  readonly urn: string | undefined;
  readonly ref: string;
  /** What is not known yet stands in it as its marker. */
  readonly rule: Rule<RulesetRule>;
  /** Undefined where any place will do, and while it is not known which. */
  readonly position: Position | undefined;
  readonly policy: {
    readonly onExisting: "fail" | "adopt" | undefined;
    readonly onConflict: OnConflict | undefined;
    readonly onDelete: "delete" | "keep";
    /** Id of a rule to take over. */
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
    urn: known(__urn),
    ref: textOf(ref),
    rule: new Rule(ruleIn(inputs)),
    position: position === undefined || position === NOT_KNOWN || hasUnknown(position) ? undefined : position,
    policy: {
      onExisting: known(onExisting),
      onConflict: known(onConflict),
      onDelete: known(onDelete) ?? "delete",
      adopts: known(__adopt),
    },
    secretPaths: known(__secretPaths) ?? [],
  };
}

const FIELDS = Object.keys(RULE_FIELDS) as (keyof typeof RULE_FIELDS)[];

/** The rule inside of inputs or a state. */
export function ruleIn(inputs: Pending<Partial<RuleInputs>>): RulesetRule {
  const fields = Object.entries(pick(inputs, FIELDS)).map(
    ([name, value]) => [name, value === NOT_KNOWN ? UNKNOWN : value] as const,
  );
  // Of a program: `check` has seen that action and expression are there.
  return Object.fromEntries(fields) as unknown as RulesetRule;
}

/** Where a rule lives, as arguments, inputs or a state tell it; what is not known yet as its marker. */
export function targetOf(inputs: {
  readonly zoneId?: unknown;
  readonly accountId?: unknown;
  readonly phase?: unknown;
  readonly rulesetId?: unknown;
  readonly __byId?: unknown;
}): RuleTarget {
  const scope = scopeIn(inputs);
  const phase = textOf(inputs.phase);
  if (inputs.__byId === true) return { scope, phase, kind: undefined, rulesetId: textOf(inputs.rulesetId) };
  return { scope, phase, kind: scope.level === "zones" ? "zone" : "root" };
}

/** Whether it is known which ruleset it is. */
export function isKnownTarget({ scope, phase, rulesetId }: RuleTarget): boolean {
  return !isUnknown(scope.id) && !isUnknown(rulesetId ?? phase);
}

/** The ruleset as ids of resources name it. */
export function targetId({ scope, phase, rulesetId }: RuleTarget): string {
  return rulesetId === undefined ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
}

function targetWords({ scope, phase, rulesetId }: RuleTarget): string {
  return `${rulesetId === undefined ? phase : `ruleset ${rulesetId}`} of ${scopeWords(scope)}`;
}

/** The names under which a run knows the ruleset of a rule, as far as they are known. */
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

/** The names under which a run knows a rule: by its ref, and by its id. */
export function ruleKeys(rulesets: readonly string[], names: readonly (string | undefined)[]): string[] {
  const known = names.filter((name) => name !== undefined && name !== "" && !isUnknown(name));
  return rulesets.flatMap((ruleset) => known.map((name) => ruleResourceId(ruleset, name ?? "")));
}

import { createHash } from "node:crypto";
import { entrypointKind, phaseResourceId, rulesetResourceId, type Scope } from "../../../model/ids.js";
import { isUnknown } from "../../../model/unknown.js";
import { slug } from "../../../rules/derive-ref.js";
import { scopeIn, textOrMarker } from "../desired.js";

/** The ruleset that a rule is in: the entry point of a phase, or any ruleset by its ID. */
export interface RuleTarget {
  readonly scope: Scope;
  readonly phase: string;
  /** The kind of the entry point; undefined if an ID is given. */
  readonly kind: string | undefined;
  readonly rulesetId?: string;
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

/** The ID of the ruleset as used in resource IDs. */
export function targetId({ scope, phase, rulesetId }: RuleTarget): string {
  return rulesetId === undefined ? phaseResourceId(scope, phase) : rulesetResourceId(scope, rulesetId);
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

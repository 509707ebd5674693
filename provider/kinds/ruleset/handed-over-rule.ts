import { internalType } from "../../engine/named-type.js";
import type { KeysOf } from "../../engine/predecessors.js";
import { isObject, type JsonObject } from "../../model/json.js";
import { isPathList, type Path } from "../../model/path.js";

/** A rule that a resource gave up for another resource of the program, which had not written it by then. */
export type HandedOverRule = {
  readonly id: string;
  readonly ref: string;
  /** Its version when the stack last read it. */
  readonly version: string;
  /** URN of the resource that was to have it. */
  readonly to: string;
  /** Whether a run has reported that it has no owner. @default false */
  readonly reported?: boolean;
  /** The paths of the program's secrets in it, which messages hide. @default none */
  readonly secretPaths?: readonly Path[];
};

/** The same of a resource that was replaced in another ruleset. */
export type LeftRule = HandedOverRule & {
  /** The ruleset that it was in before. */
  readonly rulesetId: string;
};

/** Rules that a resource gave up, and that no other one of the stack has or is known to be about to have. */
export interface AbandonedRules {
  /** By ID, those whose new owner exists without them: they are this resource's to delete. */
  readonly mine: ReadonlyMap<string, HandedOverRule>;
  /**
   * Those whose new owner does not exist: it may never have been created, or it had the rule and was removed while the rule
   * stayed. Nobody deletes them.
   */
  readonly unclear: readonly HandedOverRule[];
}

export const NOTHING_ABANDONED: AbandonedRules = { mine: new Map(), unclear: [] };

function isHandedOverRule(value: unknown): value is HandedOverRule {
  if (!isObject(value)) return false;
  const { id, ref, version, to, reported = false, secretPaths = [] } = value;
  const areTexts = [id, ref, version, to].every((each) => typeof each === "string");
  return areTexts && typeof reported === "boolean" && isPathList(secretPaths);
}

/** The output in which a state records such rules. */
export const HANDED_OVER_RULES = {
  type: { list: internalType<HandedOverRule>("HandedOverRule", isHandedOverRule) },
  text:
    "Rules that this resource gave up for another one of the program, which had not written them by then. Unless that " +
    "one has them since, they still belong to the stack.",
} as const;

function isLeftRule(value: unknown): value is LeftRule {
  return isHandedOverRule(value) && typeof (value as Partial<LeftRule>).rulesetId === "string";
}

/** The output in which a state records the rules that its resource left in another ruleset. */
export const LEFT_RULES = {
  type: { list: internalType<LeftRule>("LeftRule", isLeftRule) },
  text:
    "Rules in the ruleset that this resource was in before it was replaced, which another one of the program was to have and " +
    "had not written by then.",
} as const;

/** Finds states by the rulesets that they record. */
export const byRuleset: KeysOf = (state) => [state.rulesetId, ...leftIn(state).map(({ rulesetId }) => rulesetId)];

/** The rules that a state records as left in another ruleset. */
export function leftIn({ __leftRules: rules }: JsonObject): readonly LeftRule[] {
  return Array.isArray(rules) ? (rules as readonly unknown[]).filter(isLeftRule) : [];
}

/** What a state records of a ruleset: its own, or the one that its resource was in before; undefined if it is another one. */
export function recordOf(state: JsonObject, rulesetId: string): JsonObject | undefined {
  const here = leftIn(state).filter((rule) => rule.rulesetId === rulesetId);
  if (state.rulesetId === rulesetId)
    return here.length === 0 ? state : { ...state, __handedOver: [...handedOverIn(state), ...here] };
  const { __urn } = state;
  return here.length === 0 || __urn === undefined ? undefined : { __urn, rulesetId, __handedOver: here };
}

/** The rules that a state records as handed over. */
export function handedOverIn({ __handedOver: rules }: JsonObject): readonly HandedOverRule[] {
  return Array.isArray(rules) ? (rules as readonly unknown[]).filter(isHandedOverRule) : [];
}

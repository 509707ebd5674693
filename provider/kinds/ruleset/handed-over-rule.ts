import { internalType } from "../../engine/named-type.js";
import { isObject, type JsonObject } from "../../model/json.js";

/** A rule that a resource gave up for another resource of the program, which had not written it by then. */
export type HandedOverRule = {
  readonly id: string;
  readonly ref: string;
  /** Its version when the stack last read it. */
  readonly version: string;
  /** URN of the resource that was to have it. */
  readonly to: string;
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
  return isObject(value) && [value.id, value.ref, value.version, value.to].every((each) => typeof each === "string");
}

/** The output in which a state records such rules. */
export const HANDED_OVER_RULES = {
  type: { list: internalType<HandedOverRule>("HandedOverRule", isHandedOverRule) },
  text:
    "Rules that this resource gave up for another one of the program, which had not written them by then. Unless that " +
    "one has them since, they still belong to the stack.",
} as const;

/** The rules that a state records as handed over. */
export function handedOverIn({ __handedOver: rules }: JsonObject): readonly HandedOverRule[] {
  return Array.isArray(rules) ? (rules as readonly unknown[]).filter(isHandedOverRule) : [];
}

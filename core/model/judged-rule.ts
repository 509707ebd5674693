import type { RuleInput } from "../simulator/ruleset-input.js";
import { isList, isObject, omit, type Json, type JsonObject } from "./json.js";
import { withTypedFields } from "./unchecked.js";
import { HIDDEN, secretInState } from "./secret.js";
import { hasUnknown, isUnknown } from "./unknown.js";

/** An action that no analysis knows: the rule may do anything, or nothing. */
const ANY_ACTION = "unknown";

/** What decides whether and when a rule acts. */
const DECIDING = ["action", "enabled", "ratelimit", "exposedCredentialCheck"] as const;

/**
 * A rule as the analysis takes it. What is secret or not known yet is left out, or replaced where it is one of several values,
 * and what is known of the rule is still judged.
 * @param part stands for what is left out: equal for rules in which it is the same
 * @param ref the rule's own one by default
 */
export function judgedRule(rule: unknown, part: string, ref = refOf(rule)): RuleInput {
  if (!isObject(rule)) return { ref, action: ANY_ACTION, opaque: part };
  const typed = withTypedFields(rule);
  const known = withRawParts(isHidden(typed.description) ? omit(typed, ["description"]) : typed, part);
  const isNoText = known.expression !== undefined && typeof known.expression !== "string";
  if (!isHidden(known) && !isNoText) return { ...(known as JsonObject & { action: string }), ref };
  const { expression, ...rest } = known;
  const isDoubtful = DECIDING.some((name) => isHidden(known[name])) || hidesTarget(known);
  return {
    ...(isDoubtful
      ? { action: ANY_ACTION, description: textIfAny(rest.description) }
      : (rest as JsonObject & { action: string })),
    ...(typeof expression === "string" && !isHidden(expression) ? { expression } : {}),
    ref,
    opaque: part,
  };
}

/** A rule whose action is secret, or not known yet, decides no request for sure, also one that its expression does not match. */
export function undecided(rule: RuleInput): RuleInput {
  return rule.opaque === undefined || rule.action !== ANY_ACTION ? rule : omit(rule, ["expression"]);
}

/** A rule in which raw fields are equal where what is hidden in them is the same. They decide nothing that is known here. */
function withRawParts(rule: JsonObject, part: string): JsonObject {
  return Object.fromEntries(
    Object.entries(rule).map(([name, value]): [string, Json | undefined] => {
      if (name === "wire" && isHidden(value))
        return [name, isObject(value) ? withPart(value, part) : { wire: { opaque: part } }];
      if (isList(value)) return [name, value.map((item) => (isObject(item) ? withRawParts(item, part) : item))];
      return [name, isObject(value) ? withRawParts(value, part) : value];
    }),
  );
}

function withPart(value: Json, part: string): Json {
  if (isWhollyHidden(value)) return { opaque: part };
  if (isList(value)) return value.map((item) => withPart(item, part));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withPart(item ?? null, part)]));
}

function refOf(rule: unknown): string | undefined {
  return isObject(rule) && !isHidden(rule.ref) ? textIfAny(rule.ref) : undefined;
}

function textIfAny(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** Actions whose parameters do not decide how firmly a rule stops requests. */
const STOPPING: ReadonlySet<Json | undefined> = new Set([
  ...["block", "force_connection_close", "challenge", "js_challenge", "managed_challenge", "log"],
]);

/**
 * What other rules a rule runs or skips is all that it does. Of others, the analysis takes the parameters for known if the
 * expression is not.
 */
function hidesTarget({ action, actionParameters, expression }: JsonObject): boolean {
  if (!isHidden(actionParameters)) return false;
  return action === "execute" || action === "skip" || (isHidden(expression) && !STOPPING.has(action));
}

/** Whether any part of a value is secret or not known yet. */
export function isHidden(value: Json | undefined): boolean {
  if (isWhollyHidden(value)) return true;
  if (isList(value)) return value.some(isHidden);
  return isObject(value) ? Object.values(value).some(isHidden) : hasUnknown(value);
}

/** Whether a value is secret, in messages or as a state has it, or not known yet. */
export function isWhollyHidden(value: Json | undefined): boolean {
  return value === HIDDEN || isUnknown(value) || (value !== undefined && secretInState(value) !== undefined);
}

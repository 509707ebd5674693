import type { Body } from "../call.js";
import { invalidValue, refuse, type ServiceError } from "../failure.js";
import type { Plan } from "../zones/model.js";
import { expressionFault } from "./expression.js";
import { takesAction } from "./phases.js";
import { isKnownAction, schemaFault } from "./schema.js";

export interface RuleContext {
  readonly kind: string;
  readonly phase: string;
  /** Plan of the zone; undefined at account level. */
  readonly plan?: Plan;
  /** Whether a ruleset of this id may be executed here. */
  readonly canExecute: (rulesetId: string) => boolean;
}

const NEEDS_PARAMETERS = new Set([
  "compress_response",
  "execute",
  "log_custom_field",
  "redirect",
  "rewrite",
  "route",
  "score",
  "serve_error",
  "set_cache_control",
  "set_cache_settings",
  "set_cache_tags",
  "set_config",
  "skip",
  "transform_response_html",
]);

/** Refuses a rule as the service would (API facts 1.4, 3). */
export function checkRule(rule: Body, context: RuleContext, pointer: string): void {
  const fault = findFault(rule, context, pointer);
  if (fault !== undefined) throw fault;
}

function findFault(rule: Body, context: RuleContext, pointer: string): ServiceError | undefined {
  const { action, expression } = rule;
  if (typeof action !== "string" || action === "")
    return refuse(400, undefined, "action is required", `${pointer}/action`);
  if (!isKnownAction(action)) {
    return invalidValue(action, "action", "it is not a known action", { pointer: `${pointer}/action` });
  }
  if (!takesAction(context.phase, context.kind, action)) {
    const reason = `it is not possible to use the ${action} action in a ruleset with phase ${context.phase} and kind ${context.kind}`;
    return invalidValue(action, "action", reason, { pointer: `${pointer}/action` });
  }
  if (typeof expression !== "string" || expression.trim() === "") {
    return invalidValue("", "expression", "the expression cannot be blank", {
      code: 20125,
      pointer: `${pointer}/expression`,
    });
  }
  const wrong = expressionFault(expression);
  if (wrong !== undefined) {
    return invalidValue(expression, "expression", wrong, { code: 20127, pointer: `${pointer}/expression` });
  }
  if (NEEDS_PARAMETERS.has(action) && !isFilled(rule.action_parameters)) {
    return refuse(
      400,
      20113,
      `action parameters are required for the ${action} action`,
      `${pointer}/action_parameters`,
    );
  }
  if (rule.logging !== undefined && action !== "skip") {
    return refuse(400, 20018, "logging options only allowed in the skip action", `${pointer}/logging`);
  }
  return schemaFault(rule, action, pointer) ?? entitlement(rule, context, pointer) ?? reference(rule, context, pointer);
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

function entitlement(rule: Body, context: RuleContext, pointer: string): ServiceError | undefined {
  const { plan } = context;
  if (plan === undefined) return undefined;
  const small = plan === "free" || plan === "pro";
  if (small && /\bmatches\b/.test(String(rule.expression).replace(/"(?:\\.|[^"\\])*"/g, '""'))) {
    const text =
      "not entitled: the use of operator Matches is not allowed, a Business plan or a WAF Advanced plan is required";
    return refuse(400, undefined, text, `${pointer}/expression`);
  }
  if (plan !== "enterprise" && rule.action === "log" && context.phase === "http_request_firewall_custom") {
    return refuse(
      400,
      undefined,
      "not entitled: the use of the log action is not allowed, an Enterprise plan is required",
      `${pointer}/action`,
    );
  }
  return undefined;
}

function reference(rule: Body, context: RuleContext, pointer: string): ServiceError | undefined {
  if (rule.action !== "execute") return undefined;
  const { id } = rule.action_parameters as { id?: unknown };
  return typeof id === "string" && context.canExecute(id)
    ? undefined
    : invalidValue(id, "id", `could not find ruleset ${String(id)}`, { pointer: `${pointer}/action_parameters/id` });
}

/** Refs are unique inside a ruleset. */
export function checkRefs(rules: readonly Body[]): void {
  const seen = new Set<unknown>();
  rules.forEach((rule, index) => {
    const { ref } = rule;
    if (ref === undefined || ref === "") return;
    if (seen.has(ref))
      throw invalidValue(ref, "ref", "it is used by another rule of the ruleset", {
        pointer: `/rules/${String(index)}/ref`,
      });
    seen.add(ref);
  });
}

import * as pulumi from "@pulumi/pulumi";
import { RulesetsError } from "../../../core/model/errors.js";
import { MOMENT_FORM, parseMoment, splitFault } from "../../../core/model/rollout.js";
import type { RuleFields, RulesetRule } from "../resources/generated/inputs.js";
import { shareCondition, windowCondition, withCondition } from "../../../core/rules/written/conditions.js";
import { splitExpression } from "../../../core/rules/written/split.js";

/** How far a rule has arrived: it only logs, applies to a share of the matching requests in percent, or to all of them. */
export type RuleStage = "log" | "full" | number;

/**
 * A rule at a stage of its arrival: it first only logs, then applies to a share of the matching requests, then to all of them. With
 * a `ref`, it keeps its ID through all stages.
 *
 * @example
 * ```ts
 * stages({ ref: "no-xmlrpc", action: "block", expression: expression`http.request.uri.path eq ${"/xmlrpc.php"}` }, 5)
 * ```
 */
export function stages(rule: RulesetRule, stage: RuleStage): RulesetRule {
  if (stage === "full") return rule;
  if (stage !== "log") return split(rule, stage);
  const { action: _action, actionParameters: _parameters, logging: _logging, ...rest } = rule;
  return { ...rest, action: "log" };
}

/**
 * A rule that applies to a share of the matching requests. Each request is drawn anew. A rate limit counts all of them.
 * @param percent a whole number from 1 to 99
 */
export function split<R extends RuleFields>(rule: R, percent: number): R {
  if (!Number.isInteger(percent) || percent < 1 || percent > 99)
    throw refusal(`split: the share must be a whole number of percent from 1 to 99, not ${String(percent)}.`);
  const { ratelimit, expression } = rule;
  const limited = pulumi.all([ratelimit, expression]).apply(([limit, own]) => {
    if (limit === undefined) return limit;
    return { ...limit, countingExpression: (limit.countingExpression ?? "") === "" ? own : limit.countingExpression };
  });
  return { ...onlyIf(rule, shareCondition(percent)), ...(ratelimit === undefined ? {} : { ratelimit: limited }) };
}

/**
 * A rule that begins to apply at a time.
 * @param date `2026-12-01`, from its start in UTC, or `2026-12-01T18:00:00Z`
 */
export function from<R extends RuleFields>(rule: R, date: string): R {
  return onlyIf(rule, windowCondition("from", momentOf(date, "from")));
}

/**
 * A rule that ceases to apply at a time: the service itself stops applying it.
 * @param date `2026-12-31`, until its end in UTC, or `2026-12-31T18:00:00Z`
 */
export function until<R extends RuleFields>(rule: R, date: string): R {
  return onlyIf(rule, windowCondition("until", momentOf(date, "until")));
}

/**
 * The rules that one becomes whose expression is too long for the service: divided at its longest `or` or set, each with a ref that
 * begins with that of the rule. A new member changes the part that it belongs to.
 *
 * @example
 * ```ts
 * rules: inParts({ ref: "bad", action: "block", expression: expression`http.request.uri.path in ${paths}` })
 * ```
 */
export function inParts(rule: RulesetRule): pulumi.Output<RulesetRule[]> {
  const fault = splitFault(rule);
  if (fault !== undefined) throw refusal(`inParts: ${fault}.`);
  const known = pulumi.all([rule.expression, rule.ref]);
  return known.apply(([expression, ref = ""]) => {
    // What cannot be divided stays one rule, whose length the preview reports.
    const parts = splitExpression(expression) ?? [{ suffix: "", expression }];
    return parts.map((part) => ({ ...rule, ref: `${ref}${part.suffix}`, expression: part.expression }));
  });
}

function onlyIf<R extends RuleFields>(rule: R, condition: string): R {
  const { expression } = rule;
  const text =
    typeof expression === "string"
      ? withCondition(expression, condition)
      : pulumi.output(expression).apply((known) => withCondition(known, condition));
  return { ...rule, expression: text };
}

function momentOf(date: string, field: "from" | "until"): number {
  const moment = parseMoment(date, field);
  if (moment === undefined) throw refusal(`${field}: ${JSON.stringify(date)} must be ${MOMENT_FORM}.`);
  return moment;
}

function refusal(message: string): RulesetsError {
  return new RulesetsError(message, { code: "ARGUMENTS_INVALID" });
}

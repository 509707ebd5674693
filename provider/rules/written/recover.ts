import type { Comparison, Condition } from "../../../language/ast.js";
import { shareOf } from "../../../language/shares.js";
import { parseExpression } from "../../../language/syntax/index.js";
import { isObject, omit, sameJson, type JsonObject } from "../../model/json.js";
import { momentText } from "../../model/rollout.js";
import { resolveRule, type ResolveOptions } from "./resolve.js";
import { stageOf, windowOf } from "./rollout.js";

/**
 * A deployed rule as a program writes it: with `from`, `until` and `stage` instead of the conditions that they add at the end of
 * the expression. The same rule, unless these fields give exactly the deployed one again.
 */
export function recoverWritten(rule: JsonObject, options: Pick<ResolveOptions, "isSingle"> = {}): JsonObject {
  const { expression } = rule;
  if (typeof expression !== "string" || !/timestamp\.sec|hash_in_range/.test(expression)) return rule;
  const found = candidates(rule, expression).find((candidate) => {
    const resolved = resolveRule(candidate, options);
    return resolved.length === 1 && sameJson(resolved[0], rule);
  });
  return found ?? rule;
}

/** What a program may have written, what says most first. */
function candidates(rule: JsonObject, expression: string): readonly JsonObject[] {
  const parsed = parseExpression(expression);
  if ("fault" in parsed || parsed.expression.kind !== "filter") return [];
  const { condition } = parsed.expression;
  const isJoined = condition.kind === "combination" && condition.op === "and";
  const factors = isJoined ? condition.items : [condition];
  const added = factors.length - 1 - factors.findLastIndex((factor) => !isAdded(factor));
  const { start = 0 } = factors[0]?.span ?? {};
  // A rule can also have a condition on the time of its own: then less of the end is what the fields add.
  return Array.from({ length: added }, (_, index) => factors.length - added + index).flatMap((kept) => {
    const rest = kept === 0 ? "true" : expression.slice(start, factors[kept - 1]?.span.end);
    const end = expression.slice(factors[kept]?.span.start);
    const [only, ...others] = factors.slice(0, kept);
    const texts = only?.kind === "group" && others.length === 0 ? [spanText(expression, only.of), rest] : [rest];
    return texts.flatMap((text) => withFields(rule, text, end));
  });
}

function spanText(expression: string, { span }: Condition): string {
  return expression.slice(span.start, span.end);
}

/** Whether a condition may be one that a field adds. */
function isAdded(condition: Condition): boolean {
  return condition.kind === "comparison" && (isTime(condition) || shareOf(condition.left) !== undefined);
}

function isTime({ left }: Comparison): boolean {
  return left.kind === "field" && left.name === "http.request.timestamp.sec" && left.path.length === 0;
}

/** @param end the conditions that the fields stand for */
function withFields(rule: JsonObject, expression: string, end: string): readonly JsonObject[] {
  const { from, until } = windowOf({ expression: end });
  const stage = stageOf({ expression: end });
  const fields = {
    ...(from === undefined ? {} : { from: momentText(from, "from") }),
    ...(until === undefined ? {} : { until: momentText(until, "until") }),
    ...(stage.kind === "share" ? { stage: `${String(stage.percent)}%` } : {}),
  };
  const written = { ...rule, expression, ...fields };
  const { ratelimit } = rule;
  // A share of a rate limit counts all requests, also if the program does not say so.
  return isObject(ratelimit) && stage.kind === "share" && ratelimit.countingExpression === expression
    ? [{ ...written, ratelimit: omit(ratelimit, ["countingExpression"]) }, written]
    : [written];
}

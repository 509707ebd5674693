import type { Comparison, Condition } from "../../language/ast.js";
import { shareOf } from "../../language/shares.js";
import { parseExpression } from "../../language/syntax/index.js";
import { momentWords, type Stage } from "../../model/rollout.js";
import { isUnknown } from "../../model/unknown.js";
import { SHARE_RANGE } from "./conditions.js";

type Fields = Readonly<Record<string, unknown>>;

/** When a rule applies, in seconds since 1970. */
interface TimeWindow {
  readonly from?: number;
  /** The first second in which it no longer applies. */
  readonly until?: number;
}

const NO_WINDOW: TimeWindow = {};

/** When a rule can match, by conditions on the time of the request that all its matches fulfil, whoever wrote them. */
export function windowOf(rule: Fields): TimeWindow {
  const { expression } = rule;
  if (typeof expression !== "string" || !expression.includes("timestamp.sec")) return NO_WINDOW;
  return requiredBy(expression).reduce<TimeWindow>(
    (window, condition) => narrowed(window, boundOf(condition)),
    NO_WINDOW,
  );
}

function narrowed(window: TimeWindow, bound: TimeWindow): TimeWindow {
  const from = largest(window.from, bound.from);
  const until = smallest(window.until, bound.until);
  return { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) };
}

function largest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.max(a, b);
}

function smallest(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);
}

function boundOf(condition: Comparison): TimeWindow {
  const { left, test } = condition;
  const isTime = left.kind === "field" && left.name === "http.request.timestamp.sec" && left.path.length === 0;
  if (!isTime || test.kind !== "order" || test.right.kind !== "integer") return NO_WINDOW;
  const second = Number(test.right.value);
  switch (test.op) {
    case "lt":
      return { until: second };
    case "le":
      return { until: second + 1 };
    case "ge":
      return { from: second };
    case "gt":
      return { from: second + 1 };
    case "eq":
      return { from: second, until: second + 1 };
    case "ne":
      return NO_WINDOW;
  }
}

/** How far a deployed rule has arrived. */
export function stageOf(rule: Fields): Stage {
  const { action, expression } = rule;
  if (action === "log") return { kind: "log" };
  if (typeof expression !== "string" || !expression.includes("hash_in_range")) return { kind: "full" };
  const shares = requiredBy(expression).flatMap(({ left, test }) => {
    const range = shareOf(left);
    const isOwn = range?.low === SHARE_RANGE.low && range.high === SHARE_RANGE.high;
    return isOwn && test.kind === "order" && test.op === "lt" && test.right.kind === "integer"
      ? [Number(test.right.value)]
      : [];
  });
  return shares.length === 0 ? { kind: "full" } : { kind: "share", percent: Math.min(...shares) };
}

/** The comparisons that every match of an expression fulfils, as far as they are joined by `and`. */
function requiredBy(expression: string): readonly Comparison[] {
  const parsed = parseExpression(expression);
  return "fault" in parsed || parsed.expression.kind !== "filter" ? [] : required(parsed.expression.condition);
}

function required(condition: Condition): readonly Comparison[] {
  if (condition.kind === "comparison") return [condition];
  if (condition.kind === "group") return required(condition.of);
  return condition.kind === "combination" && condition.op === "and" ? condition.items.flatMap(required) : [];
}

/**
 * What a change does to the stage and the time of a rule: `5 % → 25 % of matching requests, until the end of 2026-12-31 (UTC)`.
 * Undefined if it changes neither.
 * @param before undefined for a new rule
 */
export function rolloutWords(before: Fields | undefined, after: Fields): string | undefined {
  if ([before?.expression, before?.action, after.expression, after.action].some(isUnknown)) return undefined;
  const words = [stageWords(before, after), timeWords(before, after)].filter((text) => text !== undefined);
  return words.length === 0 ? undefined : words.join(", ");
}

function stageWords(before: Fields | undefined, after: Fields): string | undefined {
  const stage = stageOf(after);
  if (before === undefined)
    return stage.kind === "share" ? `applies to ${String(stage.percent)} % of matching requests` : undefined;
  const [from, to] = [shareWords(stageOf(before)), shareWords(stage)];
  if (from === to) return undefined;
  // That a rule no longer only logs, or now does, shows in its action.
  if (![stageOf(before), stage].some(({ kind }) => kind === "share")) return undefined;
  const what = { log: "", share: " of matching requests", full: " matching requests" }[stage.kind];
  return `${from} → ${to}${what}`;
}

function shareWords(stage: Stage): string {
  if (stage.kind === "log") return "log only";
  return stage.kind === "full" ? "all" : `${String(stage.percent)} %`;
}

function timeWords(before: Fields | undefined, after: Fields): string | undefined {
  const [old, now] = [before === undefined ? NO_WINDOW : windowOf(before), windowOf(after)];
  if (old.from === now.from && old.until === now.until) return undefined;
  const words = (["from", "until"] as const).flatMap((field) => {
    const at = now[field];
    return at === undefined ? [] : [`${field} ${momentWords(at, field)}`];
  });
  return words.length === 0 ? "at any time" : words.join(", ");
}

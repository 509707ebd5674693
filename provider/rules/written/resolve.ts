import { isObject, omit, type Json, type JsonObject } from "../../model/json.js";
import { parseMoment, parseStage, splitFault, type Stage } from "../../model/rollout.js";
import { getShape } from "../../model/shapes.js";
import { isUnknown, UNKNOWN } from "../../model/unknown.js";
import { stageCondition, windowConditions, withConditions } from "./conditions.js";
import { stageOf, windowOf } from "./rollout.js";
import { splitExpression } from "./split.js";

/** What else decides what becomes of a rule. */
export interface ResolveOptions {
  /** Rules that end before it are left out: seconds since 1970. @default none are */
  readonly expiredAt?: number | undefined;
  /** Whether the rule is a resource of its own, whose name is that of the rule. @default false */
  readonly isSingle?: boolean;
  /** Whether the expression was resolved before, because the engine passes that of the last run. @default false */
  readonly isResolved?: boolean;
}

/**
 * The rules that the service gets for a rule of a program: with conditions for its stage and its time, split into parts, or
 * none if it has expired. A rule whose fields are not valid stays as it is, so that its check names the fault.
 */
export function resolveRule(rule: JsonObject, options: ResolveOptions = {}): readonly JsonObject[] {
  const { ofPrograms } = getShape("RulesetRule");
  if (!ofPrograms.some((name) => rule[name] !== undefined)) return [rule];
  const fields = fieldsOf(rule);
  const isNamed = options.isSingle === true || rule.ref !== undefined || fields?.stage === undefined;
  if (fields === undefined || !isNamed || (fields.split && splitFault(rule) !== undefined)) return [rule];
  const plain = withStage(omit(rule, ofPrograms), fields);
  const { until } = fields;
  if (options.expiredAt !== undefined && until !== undefined && until <= options.expiredAt) return [];
  const { expression } = plain;
  if (options.isResolved === true) return [plain];
  if (fields.isPending && expression !== undefined) return [{ ...plain, expression: UNKNOWN }];
  if (typeof expression !== "string" || isUnknown(expression)) return [plain];
  const conditions = conditionsFor(expression, fields);
  const finish = (text: string): string => withConditions(text, conditions);
  if (!fields.split) return [{ ...plain, expression: finish(expression) }];
  if (isUnknown(plain.ref)) return [{ ...plain, expression: UNKNOWN }];
  const parts = splitExpression(expression, finish);
  // Its length is then reported.
  if (parts === undefined) return [{ ...plain, expression: finish(expression) }];
  const { ref, id, ...others } = plain;
  return parts.map((part) => ({
    ...others,
    expression: part.expression,
    ...(typeof ref === "string" ? { ref: `${ref}${part.suffix}` } : {}),
    ...(id !== undefined && part.suffix === "" ? { id } : {}),
  }));
}

/** The conditions that an expression lacks. An engine passes that of the last run where `ignoreChanges` names it. */
function conditionsFor(expression: string, { stage, from, until }: WrittenFields): string[] {
  const [window, own] = [windowOf({ expression }), stageOf({ expression })];
  const share = own.kind === "share" && stage?.kind === "share" && own.percent === stage.percent;
  return [
    ...windowConditions({
      ...(from === undefined || from === window.from ? {} : { from }),
      ...(until === undefined || until === window.until ? {} : { until }),
    }),
    ...(share ? [] : [stageCondition(stage)].filter((text) => text !== undefined)),
  ];
}

interface WrittenFields {
  readonly stage: Stage | undefined;
  readonly from?: number;
  readonly until?: number;
  readonly split: boolean;
  /** Whether a value that becomes part of the expression is not known yet. */
  readonly isPending: boolean;
  /** Whether the action may become another one. */
  readonly isActionPending: boolean;
}

/** The fields of a rule; undefined if one of them is not valid. */
function fieldsOf(rule: JsonObject): WrittenFields | undefined {
  const { stage, split } = rule;
  const parsed = known(stage, parseStage);
  const from = known(rule.from, (text) => parseMoment(text, "from"));
  const until = known(rule.until, (text) => parseMoment(text, "until"));
  if (parsed === INVALID || from === INVALID || until === INVALID) return undefined;
  if (split !== undefined && split !== null && typeof split !== "boolean" && !isUnknown(split)) return undefined;
  if (from !== undefined && until !== undefined && from >= until) return undefined;
  return {
    stage: parsed,
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    split: split === true,
    isPending: [stage, rule.from, rule.until].some(isUnknown),
    isActionPending: isUnknown(stage),
  };
}

const INVALID = Symbol("not valid");

/** A parsed value; undefined if there is none or it is not known yet. */
function known<T>(value: Json | undefined, parse: (text: string) => T | undefined): T | undefined | typeof INVALID {
  if (value === undefined || value === null || isUnknown(value)) return undefined;
  return (typeof value === "string" ? parse(value) : undefined) ?? INVALID;
}

/** The rule with the action that it has at a stage. */
function withStage(rule: JsonObject, { stage, isActionPending }: WrittenFields): JsonObject {
  if (isActionPending) return { ...rule, action: UNKNOWN };
  if (stage?.kind === "log") return { ...omit(rule, ["actionParameters", "logging"]), action: "log" };
  return stage?.kind === "share" ? countingAll(rule) : rule;
}

/** A limit for a share of the requests counts all of them: the share is of the requests that it would stop. */
function countingAll(rule: JsonObject): JsonObject {
  const { ratelimit, expression } = rule;
  if (!isObject(ratelimit) || typeof expression !== "string") return rule;
  const { countingExpression: own } = ratelimit;
  return own === undefined || own === ""
    ? { ...rule, ratelimit: { ...ratelimit, countingExpression: expression } }
    : rule;
}

import { isList, isObject, omit, pick, textOf, type Json, type JsonObject } from "../model/json.js";
import { valueAt, type Path } from "../model/path.js";
import { momentWords, parseMoment } from "../model/rollout.js";
import { getShape } from "../model/shapes.js";
import { resolveRule, type ResolveOptions } from "../rules/written/resolve.js";
import { joinFindings, NO_FINDINGS, type Failure, type Findings } from "../validation/failure.js";
import type { Description } from "./description.js";
import type { Request } from "./request.js";

/** What only programs say of rules. */
const FIELDS = getShape("RulesetRule").ofPrograms;

/** A request whose rules are those that the service gets. */
interface ResolvedRequest {
  readonly request: Request;
  /** The same findings, with the paths of the program, and what a preview says about rules that are left out. */
  readonly asWritten: (findings: Findings) => Findings;
}

/** Resolves what rules of a program say about their stage, their time and their parts. */
export function resolveRequest({ keyed }: Description, request: Request): ResolvedRequest {
  const { args, ignored, urn, session } = request;
  const resolved = keyed === true ? resolveList(args, session.expiry) : resolveSpread(args, ignored, session.expiry);
  const secretPaths = request.secretPaths.flatMap(resolved.toResolved);
  for (const path of secretPaths) session.secrets.add(valueAt(resolved.args, path), path);
  return {
    request: { ...request, args: resolved.args, secretPaths, isExpired: resolved.isExpired },
    asWritten: (findings) =>
      joinFindings([resolved.asWritten(findings), ...(session.mayBePreview(urn) ? [resolved.leftOut] : [])]),
  };
}

/** Arguments with these rules, and where the program writes them. */
interface ResolvedArguments {
  readonly args: JsonObject;
  /** Converts a path in the arguments of the program to the paths of what it became. */
  readonly toResolved: (path: Path) => readonly Path[];
  readonly asWritten: (findings: Findings) => Findings;
  /** Warnings about rules that are left out because their time is over, with the paths of the program. */
  readonly leftOut: Findings;
  /** Whether the resource is one rule, and it is left out. */
  readonly isExpired: boolean;
}

/** A resource that is one rule stays one: it cannot be split, and keeps its arguments when its rule is left out. */
function resolveSpread(args: JsonObject, ignored: readonly string[], expiry: ResolveOptions): ResolvedArguments {
  // The engine then passes the expression of the last run, which has its conditions.
  const isResolved = ignored.includes("*") || ignored.includes("expression");
  const names = ["action", "actionParameters", "expression", "logging", "ratelimit", ...FIELDS];
  const given = pick(args, names);
  const [rule] = resolveRule(given, { isSingle: true, isResolved });
  const isExpired = resolveRule(given, { isSingle: true, isResolved, ...expiry }).length === 0;
  const written = renamed(args);
  return {
    args: { ...omit(args, names), ...rule },
    toResolved: (path) => [intoExpression(path)],
    asWritten: changePaths((found) => ({ ...found, path: written(found) })),
    leftOut: isExpired ? leftOutFinding(args, []) : NO_FINDINGS,
    isExpired,
  };
}

function resolveList(args: JsonObject, options: ResolveOptions): ResolvedArguments {
  const rules = isList(args.rules) ? args.rules : [];
  const resolved = rules.flatMap((rule, index) => {
    const made = isObject(rule) ? resolveRule(rule, options) : [rule];
    return made.map((one) => ({ rule: one, index }));
  });
  const writtenIn = rules.map((rule) => (isObject(rule) ? renamed(rule) : ({ path }: Failure) => path));
  return {
    args: { ...args, rules: resolved.map(({ rule }) => rule) },
    toResolved: ([list, index, ...rest]) => {
      if (list !== "rules" || typeof index !== "number") return [[list, index, ...rest].filter(isStep)];
      const steps = intoExpression(rest);
      return resolved.flatMap((one, at) => (one.index === index ? [["rules", at, ...steps]] : []));
    },
    isExpired: false,
    leftOut: joinFindings(rules.map((rule, index) => leftOut(rule, index, resolved))),
    asWritten: changePaths((found) => {
      const [list, at, ...rest] = found.path;
      const index = list === "rules" && typeof at === "number" ? resolved[at]?.index : undefined;
      if (index === undefined) return found;
      return { ...found, path: ["rules", index, ...(writtenIn[index]?.({ ...found, path: rest }) ?? rest)] };
    }),
  };
}

function leftOut(rule: Json, at: number, resolved: readonly { readonly index: number }[]): Findings {
  return !isObject(rule) || resolved.some(({ index }) => index === at)
    ? NO_FINDINGS
    : leftOutFinding(rule, ["rules", at]);
}

/** @param path that of the rule */
function leftOutFinding(rule: JsonObject, path: Path): Findings {
  const until = parseMoment(textOf(rule.until), "until") ?? 0;
  const reason = `its time is over since ${momentWords(until, "until")}: it is left out, as rulesets:removeExpired says`;
  const name = typeof rule.ref === "string" ? { rule: JSON.stringify(rule.ref) } : {};
  return { failures: [], warnings: [{ check: "expired", path: [...path, "until"], reason, ...name }] };
}

function isStep(step: string | number | undefined): step is string | number {
  return step !== undefined;
}

/** A secret in what became a condition makes the expression secret. */
function intoExpression(path: Path): Path {
  return FIELDS.some((name) => name === path[0]) ? ["expression"] : path;
}

/** The path in a rule as the program writes it: an action of its own is that of its stage, and its end is what it says. */
function renamed({ stage, until }: JsonObject): (found: Failure) => Path {
  return ({ check, path }) => {
    if (stage === "log" && path.length === 1 && path[0] === "action") return ["stage"];
    return (check === "expired" || check === "expiring") && until !== undefined ? ["until"] : path;
  };
}

function changePaths(change: (found: Failure) => Failure): (findings: Findings) => Findings {
  return ({ failures, warnings }) => ({ failures: failures.map(change), warnings: warnings.map(change) });
}

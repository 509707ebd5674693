import { isList, isObject, sameJson, type Json, type JsonObject, textOf } from "../../provider/model/json.js";
import { managedRulesets, SCORING_RULE } from "../../provider/managed/rulesets.js";
import { valueAt, type Path } from "../../provider/model/path.js";
import { hasUnknown } from "../../provider/model/unknown.js";
import { Rule } from "../../provider/rules/rule.js";
import { checkRule } from "../../provider/validation/index.js";
import {
  block,
  challenge,
  execute,
  jsChallenge,
  log,
  managedChallenge,
  rateLimit,
  skip,
} from "../../provider/writing/firewall.js";
import { owasp, type OwaspOptions } from "../../provider/writing/owasp.js";
import { redirect } from "../../provider/writing/traffic.js";
import { literal, name, type Code, type Member } from "../code/code.js";

type ValueCode = (value: Json, path: Path) => Code;

/** An argument of a factory, and the path of its value in a rule. */
interface Argument {
  readonly key: string;
  readonly path: Path;
  /** The default value of the factory. */
  readonly byDefault?: Json;
}

/** A function of this package that creates rules with one action. */
interface Factory {
  readonly name: string;
  readonly make: (args: never) => object;
  readonly arguments: readonly Argument[];
}

const top = (...keys: readonly string[]): Argument[] => keys.map((key) => ({ key, path: [key] }));
const parameter = (key: string, ...path: readonly string[]): Argument => ({ key, path: ["actionParameters", ...path] });
const parameters = (...keys: readonly string[]): Argument[] => keys.map((key) => parameter(key, key));

const RULE = top("ref", "description", "expression", "enabled", "from", "until");
const response = parameters("response");

const FACTORIES: Readonly<Record<string, Factory>> = {
  block: { name: "block", make: block, arguments: [...RULE, ...response] },
  challenge: { name: "challenge", make: challenge, arguments: RULE },
  js_challenge: { name: "jsChallenge", make: jsChallenge, arguments: RULE },
  managed_challenge: { name: "managedChallenge", make: managedChallenge, arguments: RULE },
  log: { name: "log", make: log, arguments: RULE },
  skip: {
    name: "skip",
    make: skip,
    arguments: [
      ...RULE,
      ...parameters("ruleset", "rulesets", "rules", "phases", "phase", "products"),
      { key: "logging", path: ["logging", "enabled"] },
    ],
  },
  execute: {
    name: "execute",
    make: execute,
    arguments: [
      ...top("ref", "description"),
      parameter("ruleset", "id"),
      { key: "expression", path: ["expression"], byDefault: "true" },
      ...top("enabled", "from", "until"),
      ...parameters("overrides", "matchedData"),
    ],
  },
  redirect: {
    name: "redirect",
    make: redirect,
    arguments: [
      ...RULE,
      parameter("targetUrl", "fromValue", "targetUrl"),
      parameter("statusCode", "fromValue", "statusCode"),
      parameter("preserveQueryString", "fromValue", "preserveQueryString"),
      parameter("fromList", "fromList"),
    ],
  },
};

const RATE_LIMIT: Factory = {
  name: "rateLimit",
  make: rateLimit,
  arguments: [
    ...top("ref", "description", "action", "expression", "enabled", "from", "until"),
    ...response,
    ...[
      "characteristics",
      "period",
      "requestsPerPeriod",
      "scorePerPeriod",
      "scoreResponseHeaderName",
      "mitigationTimeout",
      "countingExpression",
      "requestsToOrigin",
    ].map((key) => ({ key, path: ["ratelimit", key] })),
  ],
};

/** Names that generated files may import from the package, and that variables must not shadow. */
export const FACTORY_NAMES: readonly string[] = [
  "managedRulesets",
  "expression",
  "owasp",
  "staged",
  RATE_LIMIT.name,
  ...Object.values(FACTORIES).map((factory) => factory.name),
];

/** A factory call that creates exactly this rule; undefined if there is none. */
export function factoryCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  return owaspCall(rule, valueCode) ?? actionCall(rule, valueCode);
}

function actionCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  const factory = rule.ratelimit === undefined ? factoryOf(rule.action) : RATE_LIMIT;
  if (factory === undefined || !isKnown(rule)) return undefined;
  const given = factory.arguments.flatMap(({ key, path, byDefault }) => {
    const value = valueAt(rule, path);
    return value === undefined || value === byDefault ? [] : [{ key, path: insideValue(key, path, value), value }];
  });
  const args = Object.fromEntries(given.map(({ key, value }) => [key, plainValue(key, value)]));
  if (!isSame(factory.make(args as never), rule)) return undefined;
  const members = given.map(({ key, path, value }): Member => {
    const { comment, ...code } = valueCode(plainValue(key, value), path);
    return { key, value: code, ...(comment === undefined ? {} : { comment }) };
  });
  return call(factory.name, members);
}

function factoryOf(action: Json | undefined): Factory | undefined {
  return typeof action === "string" && Object.hasOwn(FACTORIES, action) ? FACTORIES[action] : undefined;
}

/** The types of factories are narrower than those of rules: they only allow known values. */
function isKnown(rule: JsonObject): boolean {
  if (hasUnknown(rule)) return false;
  const { failures, warnings } = checkRule(rule, { phase: undefined, kind: undefined }, []);
  return [...failures, ...warnings].every(({ check }) => check !== "shape");
}

/** A fixed redirect target is a string instead of an object that contains it. */
function plainValue(key: string, value: Json): Json {
  return key === "targetUrl" && isObject(value) && typeof value.value === "string" ? value.value : value;
}

function insideValue(key: string, path: Path, value: Json): Path {
  return plainValue(key, value) === value ? path : [...path, "value"];
}

function isSame(made: object, rule: JsonObject): boolean {
  return sameJson(withRef(made), withRef(rule));
}

function withRef(rule: object & { readonly ref?: unknown }): JsonObject {
  return { ref: textOf(rule.ref), ...Rule.of(rule).content };
}

/** A rule at a stage that applies to a share of the requests. */
export function stagedCall(rule: Code, stage: string): Code {
  const share: Code = { kind: "object", members: [{ key: "percent", value: literal(Number(stage.replace("%", ""))) }] };
  const options: Code = { kind: "object", members: [{ key: "stage", value: share }] };
  return { kind: "call", callee: name("staged", "pulumi-rulesets"), args: [rule, options] };
}

function call(callee: string, members: readonly Member[]): Code {
  return { kind: "call", callee: name(callee, "pulumi-rulesets"), args: [{ kind: "object", members }] };
}

const THRESHOLDS: Readonly<Record<number, OwaspOptions["scoreThreshold"]>> = { 60: "low", 40: "medium", 25: "high" };
/** Fields of a rule that `owasp` passes through. */
const PASSED_ON = ["ref", "description", "expression", "enabled"];

function owaspCall(rule: JsonObject, valueCode: ValueCode): Code | undefined {
  const options = owaspOptions(rule);
  if (options === undefined || !isSame({ ...owasp(options) }, rule)) return undefined;
  const members = Object.entries(options).flatMap(([key, value]): Member[] => {
    if (key === "expression" && value === "true") return [];
    return [{ key, value: PASSED_ON.includes(key) ? valueCode(value as Json, [key]) : literal(value as string) }];
  });
  return call("owasp", members);
}

/** Options that might produce the rule; the caller compares the result with the rule. */
function owaspOptions(rule: JsonObject): OwaspOptions | undefined {
  const { actionParameters } = rule;
  if (rule.action !== "execute" || !isObject(actionParameters) || actionParameters.id !== managedRulesets.owaspCore)
    return undefined;
  const overrides = isObject(actionParameters.overrides) ? actionParameters.overrides : {};
  const rules: readonly Json[] = isList(overrides.rules) ? overrides.rules : [];
  const scoring = rules.filter(isObject).find(({ id }) => id === SCORING_RULE);
  if (typeof scoring?.scoreThreshold !== "number") return undefined;
  const above = Array.isArray(overrides.categories) ? overrides.categories.length : 0;
  const passed = Object.fromEntries(PASSED_ON.flatMap((key) => (rule[key] === undefined ? [] : [[key, rule[key]]])));
  return {
    ...passed,
    paranoiaLevel: (4 - above) as OwaspOptions["paranoiaLevel"],
    scoreThreshold: THRESHOLDS[scoring.scoreThreshold] ?? scoring.scoreThreshold,
    action: scoring.action as OwaspOptions["action"],
  };
}

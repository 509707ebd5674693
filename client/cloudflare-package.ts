import { parametersOf } from "../core/model/actions.js";
import { isList, isObject, mapFrom, type Json, type JsonObject, textOf } from "../core/model/json.js";
import type { DeployedRule } from "../core/model/ruleset.js";
import { definitions, getShape, type Field, type FieldType, type Shape, snakeCase } from "../core/model/shapes.js";
import { isUnknown } from "../core/model/unknown.js";
import { ruleFromWire } from "../core/model/codec.js";
import { KEEP_EMPTY } from "../core/rules/without-empty.js";

/** What the service adds to a rule; each is missing if the state does not contain it. */
type Answered = "id" | "ref" | "version" | "lastUpdated";

/** A rule in a state of Cloudflare's own package or provider. */
type PackageRule = Omit<DeployedRule, Answered> & Partial<Pick<DeployedRule, Answered>>;

/**
 * Single blocks that versions 4 and 5 of `@pulumi/cloudflare` (up to 5.49.1, `types/input.d.ts`) give as lists with names in the
 * plural. All its other names are those of this package.
 */
const OLD_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  RulesetRuleActionParameters: { autominifies: "autominify", responses: "response" },
  RulesetRuleActionParametersCacheKeyCustomKeyQueryString: { excludes: "exclude", includes: "include" },
  RulesetRuleActionParametersEdgeTtlStatusCodeTtl: { statusCodeRanges: "statusCodeRange" },
};

/**
 * Reads a rule of a `cloudflare_ruleset` in a state of Terraform, or of a `cloudflare.Ruleset` in a state of Pulumi. The
 * provider has blocks up to version 4, which are lists of one, and attributes since version 5; the Pulumi package has its
 * own spelling of the names. Fields that this package does not know go into `wire`: how the service spells what is in them, a
 * state does not tell.
 */
export function ruleFromPackage(rule: JsonObject): PackageRule {
  const wire = withoutUnset(toWire(rule, getShape("RulesetRule")));
  const { id, ref, version, lastUpdated, categories: _tags, ...content } = ruleFromWire(wire);
  return {
    ...content,
    ...(id === "" ? {} : { id }),
    ...(wire.ref === undefined ? {} : { ref }),
    ...(version === "" ? {} : { version }),
    ...(lastUpdated === undefined ? {} : { lastUpdated }),
  };
}

function toWire(given: JsonObject, shape: Shape): JsonObject {
  const value = withStatus(given, shape);
  const entries = Object.entries(value).flatMap(([key, item]): (readonly [string, Json])[] => {
    const field = fieldNamed(shape, key);
    const name = field?.wire ?? snakeCase(key);
    if (item === undefined || isInternal(key) || isLatestVersion(name, item, shape)) return [];
    if (isNothing(item, name, value) && !isEmptyOnPurpose(value, key, shape)) return [];
    // What this version does not know, or an older one had, such as `origin` of a rewritten URL, and nobody set.
    if (field === undefined && isUnset(item)) return [];
    const made = field === undefined ? item : typeToWire(item, field.type);
    // A block of which nobody set anything.
    const isEmpty = isObject(made) && Object.keys(made).length === 0 && !KEEP_EMPTY.has(field?.name ?? "");
    return made === undefined || isEmpty ? [] : [[name, made]];
  });
  return mapFrom(entries);
}

/** Terraform writes in snake_case also what the service writes with hyphens. */
function fieldNamed({ name, byWire, byName, fields }: Shape, key: string): Field | undefined {
  const renamed = OLD_NAMES[name]?.[key];
  return byWire[key] ?? byName[renamed ?? key] ?? fields.find((field) => snakeCase(field.name) === key);
}

/** Early versions have a status beside a switch that is off if nobody sets it. */
function withStatus(value: JsonObject, { name, byName }: Shape): JsonObject {
  const { status, ...rest } = value;
  if (typeof status !== "string" || byName.enabled === undefined || byName.status !== undefined) return value;
  const { enabled, ...others } = rest;
  if (status !== "") return { ...others, enabled: status === "enabled" };
  // A block that has nothing else is there because somebody set the switch.
  return enabled === true || name === "RulesetRuleLogging" ? rest : others;
}

/**
 * States of version 4 have every parameter of every action; those that the action does not take are zero, empty or off. Before
 * version 4.2, switches that nobody set are off as well: then also one that can only be on.
 */
function withoutUnset({ ratelimit, exposed_credential_check: check, ...others }: JsonObject): JsonObject {
  const rule = {
    ...others,
    ...(isUnset(ratelimit) ? {} : { ratelimit }),
    ...(isUnset(check) ? {} : { exposed_credential_check: check }),
  };
  const { action, action_parameters: parameters }: JsonObject = others;
  const taken = parametersOf(textOf(action));
  if (taken === undefined || !isObject(parameters)) return rule;
  const { byWire } = getShape("RulesetRuleActionParameters");
  const isTaken = (name: string): boolean => taken.includes(byWire[name]?.name ?? "");
  const isEarly = Object.entries(parameters).some(
    ([name, item]) => item === false && ONLY_ON.has(name) && isTaken(name),
  );
  const isKept = (name: string, item: Json | undefined): boolean => isTaken(name) && !(isEarly && item === false);
  const kept = Object.entries(parameters).filter(([name, item]) => isKept(name, item) || !isUnset(item));
  return { ...rule, action_parameters: mapFrom(kept) };
}

const ONLY_ON = new Set(
  Object.entries(definitions.RulesetRuleActionParameters?.properties ?? {}).flatMap(([name, node]) =>
    node.const === true ? [snakeCase(name)] : [],
  ),
);

function isUnset(item: Json | undefined): boolean {
  if (isList(item)) return item.every(isUnset);
  if (isObject(item)) return Object.values(item).every(isUnset);
  return item === undefined || item === null || item === "" || item === 0 || item === false;
}

/** Pulumi records next to the inputs which of them were defaults. */
function isInternal(key: string): boolean {
  return key.startsWith("__");
}

/** The service adds to an executed ruleset that its latest version runs, and no program writes that. */
function isLatestVersion(name: string, item: Json, shape: Shape): boolean {
  return name === "version" && item === "latest" && shape.name !== "RulesetRule";
}

/** A state contains every argument, with null or an empty value if it was never set. */
function isNothing(item: Json, name: string, owner: JsonObject): boolean {
  if (item === null || (Array.isArray(item) && item.length === 0)) return true;
  if (item === 0) return NEVER_ZERO.has(name) || (name === "default" && owner.mode !== "override_origin");
  return item === "";
}

/** A query that is rewritten to an empty one. */
function isEmptyOnPurpose(object: JsonObject, key: string, { name }: Shape): boolean {
  return (
    name.endsWith("UriQuery") &&
    key === "value" &&
    object.value === "" &&
    Object.entries(object).every(
      ([one, item]) => one === key || isInternal(one) || isNothing(item ?? null, one, object),
    )
  );
}

const NEVER_ZERO = new Set([
  "port",
  "status_code",
  "from",
  "to",
  "read_timeout",
  "score_threshold",
  "score_per_period",
  "requests_per_period",
]);

function typeToWire(item: Json, type: FieldType): Json | undefined {
  if (isUnknown(item)) return item;
  switch (type.kind) {
    case "plain":
      return item;
    case "shape": {
      const inside = isList(item) && item.length === 1 && isObject(item[0]) ? item[0] : item;
      return isObject(inside) ? toWire(inside, getShape(type.name)) : inside;
    }
    case "list":
      return isList(item) ? item.map((one) => elementToWire(one, type.of)) : item;
    case "map":
      return mapToWire(item, type.of);
  }
}

/** Names of fields to log are strings in version 4, and objects later. */
function elementToWire(item: Json, type: FieldType): Json {
  if (type.kind === "shape" && typeof item === "string" && !isUnknown(item)) return { name: item };
  return typeToWire(item, type) ?? null;
}

/** In version 4, headers are blocks with a name, and lists of rule IDs are comma-separated strings. */
function mapToWire(item: Json, type: FieldType): Json {
  if (isList(item)) {
    const named = item.filter(isObject);
    return mapFrom(named.map(({ name, ...rest }) => [textOf(name), typeToWire(rest, type) ?? {}] as const));
  }
  if (!isObject(item)) return item;
  return mapFrom(
    Object.entries(item).flatMap(([key, one]) => {
      if (one === undefined || one === null || key === "__defaults") return [];
      const list = type.kind === "list" && typeof one === "string" && !isUnknown(one) ? one.split(/\s*,\s*/) : one;
      return [[key, typeToWire(list, type) ?? null] as const];
    }),
  );
}

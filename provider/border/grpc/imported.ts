import { entrypointKind, orderText, refsIn } from "../../../core/model/ids.js";
import { argumentEffect, internalNames, type Argument, type Description } from "../../engine/description.js";
import { isError } from "../../../core/language/finding.js";
import type { Props } from "../../engine/lifecycle.js";
import {
  isList,
  isObject,
  mapFrom,
  omit,
  pick,
  sameJson,
  type Json,
  type JsonObject,
} from "../../../core/model/json.js";
import { unwrapSecrets } from "../../../core/model/secret.js";
import { withTypedFields } from "../../../core/model/unchecked.js";
import { hasUnknown } from "../../../core/model/unknown.js";
import { definitions } from "../../../core/model/shapes.js";
import { checkRules } from "../../validation/index.js";
import { obstacleOf, withoutChecks, type Obstacle } from "../../validation/unchecked.js";

/*
 * The inputs of an imported resource are what its program should say: Pulumi writes code from them, and compares them with
 * the program's. The inputs of a resource that `check` has seen have another form: rules by ref, for instance.
 */

/** In imported inputs, what the form of `check` has besides or instead of them. */
const IMPORTED = "__imported";

/**
 * Inputs that were read from the service, as a person would write them: without what applies anyway, without names that the
 * service has made, with the end and the stage of a rule instead of its conditions, and one of several arguments that exclude one
 * another.
 * @param id of the resource
 * @param inputs in the form of `check`, secrets in their wire format
 */
export function asArguments(description: Description, id: string, inputs: JsonObject): JsonObject {
  const others = new Set((description.exactlyOneOf ?? []).flatMap((names) => excluded(names, id, inputs)));
  const given = Object.entries<Argument>(description.arguments).flatMap(([name, argument]): [string, Json][] => {
    const value = inputs[name];
    if (value === undefined || value === null || others.has(name) || applies(argument, value)) return [];
    return [[name, argument.written === undefined ? value : argument.written(value, inputs)]];
  });
  const kept = internalNames(description).flatMap((name): [string, Json][] => {
    const value = inputs[name];
    return value === undefined ? [] : [[name, value]];
  });
  const converted = given.map(([name]) => name).filter((name) => description.arguments[name]?.written !== undefined);
  const checked = pick(inputs, [...others, ...converted]);
  const args = Object.fromEntries([...given, ...kept]);
  if (description.arguments.expression !== undefined) return asSingleRule(args, inputs, checked);
  if (description.keyed !== true || !isObject(inputs.rules) || typeof inputs.order !== "string")
    return withImported(args, checked);
  const { rules, order } = inputs;
  const refs = refsIn(order).filter((ref) => rules[ref] !== undefined);
  const written = refs.map((ref) => asWritten(ref, rules[ref] ?? null));
  return withImported(
    { ...args, rules: uncheckedWhereRefused(written, inputs) },
    { ...checked, order: orderText(refs) },
  );
}

/** A resource that is one rule. What of it had to be in `wire` is remembered as it was. */
function asSingleRule(args: JsonObject, inputs: JsonObject, checked: JsonObject): JsonObject {
  const fields = Object.keys(definitions.RulesetRule?.properties ?? {});
  const rule = pick(args, fields);
  const kind = inputs.rulesetId === undefined ? {} : { kind: "custom" };
  const [written = rule] = uncheckedWhereRefused([rule], { ...inputs, ...kind });
  if (!isObject(written) || written === rule) return withImported(args, checked);
  const moved = pick(inputs, [...fields.filter((name) => !sameJson(rule[name], written[name])), "actionParameters"]);
  return withImported({ ...omit(args, fields), ...written }, { ...checked, ...omit(moved, ["wire"]) });
}

/** Rules that a preview takes as they are: what the service has is right. */
function uncheckedWhereRefused(rules: readonly Json[], { phase, kind, zoneId }: JsonObject): readonly Json[] {
  const level = zoneId === undefined ? "accounts" : "zones";
  const place = { phase, kind: kind ?? entrypointKind({ level }), level } as const;
  const refusedIn = (now: readonly JsonObject[]): readonly Obstacle[] =>
    checkRules(unwrapSecrets(now) as JsonObject[], place)
      .filter(isError)
      .map(obstacleOf);
  return rules.every(isObject) ? withoutChecks(rules, refusedIn).rules : rules;
}

function withImported(args: JsonObject, imported: JsonObject): JsonObject {
  return Object.keys(imported).length === 0 ? args : { ...args, [IMPORTED]: imported };
}

/** Inputs as a program declares them: on import, the engine checks those that it has just read. */
export function asDeclared(inputs: JsonObject): JsonObject {
  return omit(inputs, [IMPORTED]);
}

/** The inputs of a resource in the form of `check`, also if it was only imported. Secrets are in clear. */
export function asChecked(inputs: JsonObject): Props {
  const { [IMPORTED]: imported, ...given } = inputs;
  if (!isObject(imported)) return given;
  const { order } = imported;
  if (typeof order !== "string" || !isList(given.rules)) return { ...withTypedFields(given), ...imported };
  const refs = refsIn(order);
  return {
    ...given,
    ...imported,
    rules: mapFrom(
      given.rules.map((rule, index) => [refs[index] ?? String(index), isObject(rule) ? withTypedFields(rule) : rule]),
    ),
  };
}

/**
 * Names of the arguments that say something else than what was imported, where that may have to be written. What is not known
 * says nothing yet.
 * @param before the inputs that were imported, in the form of `check`
 */
export function otherThanImported(description: Description, before: JsonObject, news: JsonObject): readonly string[] {
  const isOther = (name: string): boolean => !hasUnknown(news[name]) && !sameJson(before[name], news[name]);
  const names = Object.keys(description.arguments).filter((name) => {
    const effect = argumentEffect(description, name, news);
    // Of arguments that say where the object is, the program gives one.
    return isOther(name) && (effect === "write" || (effect === "replace" && news[name] !== undefined));
  });
  const isReordered = description.keyed === true && !names.includes("rules") && isOther("order");
  return isReordered ? [...names, "rules"] : names;
}

/** Why a run stops that would change what it imports. */
export function importedText({ type, insteadOfImport }: Description, id: string, names: readonly string[]): string {
  const [instead] = insteadOfImport;
  return (
    `the program declares other values than ${id} has (${names.join(", ")}), and the option import changes nothing. No request was sent. ` +
    "To continue:\n" +
    `  - keep it: declare what exists, as \`pulumi import rulesets:index:${type}\` writes it, run \`pulumi up\`, and change it then;\n` +
    `  - ${instead.charAt(0).toLowerCase()}${instead.slice(1)}`
  );
}

/** Of arguments of which a program gives one, those that it need not give: the ID says which one it is about. */
function excluded(names: readonly string[], id: string, inputs: JsonObject): readonly string[] {
  const given = names.filter((name) => inputs[name] !== undefined);
  const parts: readonly unknown[] = id.split("/");
  const inId = given.find((name) => parts.includes(inputs[name])) ?? given[0];
  return names.filter((name) => name !== inId);
}

function applies({ default: value, implied = [] }: Argument, given: Json): boolean {
  return sameJson(value, given) || implied.some((each) => sameJson(each, given));
}

/** The service's name of a rule without one is its ID. */
const SERVICE_REF = /^[0-9a-f]{32}$/;

function asWritten(ref: string, rule: Json): Json {
  if (!isObject(rule)) return rule;
  const fields = definitions.RulesetRule?.properties ?? {};
  const applied = Object.keys(rule).filter((name) => sameJson(fields[name]?.default, rule[name]));
  return { ...(SERVICE_REF.test(ref) ? {} : { ref }), ...omit(rule, applied) };
}

import { isObject, omit, sameJson, type Json, type JsonObject } from "./json.js";
import { fitsField } from "./parse-rule.js";
import { valueAt, type Path } from "./path.js";
import { getShape, type Field, type FieldType, type Shape } from "./shapes.js";
import { hasUnknown } from "./unknown.js";
import { fieldFromWire } from "./wire.js";

/*
 * A field with a typed name that is in `wire`, of the rule or of its parameters, is sent as it is, and not checked: so a program can
 * declare what the service holds and a preview would refuse. Everything that compares or judges rules takes it for the typed field.
 */

const RULE = getShape("RulesetRule");
const PARAMETERS = getShape("RulesetRuleActionParameters");
/** What says which rule it is, is no part of what it does. */
const IDENTITY = ["id", "ref"];
const PARAMETERS_PATH: Path = ["actionParameters"];

/** A typed field in `wire`. */
export interface UncheckedField {
  /** Its path in the rule with typed fields. */
  readonly path: Path;
  /** Its path in the rule as written. */
  readonly inWire: Path;
  readonly type: FieldType;
  /** Whether the rule has another value for it outside of `wire`. */
  readonly isContradicted: boolean;
}

/** Whether a field of a shape may be in its `wire` although it has a typed name, by the name of the service. */
export function mayBeUnchecked(shape: Shape, wire: string): boolean {
  if (shape === RULE) return shape.byWire[wire] !== undefined && !IDENTITY.includes(wire);
  return shape === PARAMETERS && shape.byWire[wire] !== undefined;
}

/** The typed fields in the `wire` of a rule and of its parameters. */
export function uncheckedFields(rule: JsonObject): readonly UncheckedField[] {
  const of = (value: Json | undefined, shape: Shape, at: Path): readonly UncheckedField[] =>
    typedIn(value, shape).map(({ field: { name, wire, type }, item, given }): UncheckedField => ({
      path: [...at, name],
      inWire: [...at, "wire", wire],
      type,
      isContradicted: given !== undefined && given !== "" && !sameJson(given, item) && !hasUnknown([given, item]),
    }));
  return [...of(rule, RULE, []), ...of(rule.actionParameters, PARAMETERS, PARAMETERS_PATH)];
}

/** The rule with these fields under their typed names; the same rule if it has none. */
export function withTypedFields(rule: JsonObject): JsonObject {
  const { actionParameters: given } = rule;
  const parameters = isObject(given) ? typed(given, PARAMETERS) : given;
  return typed(parameters === given ? rule : { ...rule, actionParameters: parameters }, RULE);
}

function typed(value: JsonObject, shape: Shape): JsonObject {
  const found = typedIn(value, shape).filter(({ fits }) => fits);
  if (found.length === 0 || !isObject(value.wire)) return value;
  const names = found.map(({ field }) => field.wire);
  const raw = omit(value.wire, names);
  return {
    ...omit(value, ["wire"]),
    ...Object.fromEntries(found.map(({ field, item }) => [field.name, item] as const)),
    ...(Object.keys(raw).length === 0 ? {} : { wire: raw }),
  };
}

interface TypedField {
  readonly field: Field;
  readonly item: Json;
  readonly given: Json | undefined;
  /** Whether the field can have the value. If not, it is in `wire` in a response too. */
  readonly fits: boolean;
}

function typedIn(value: Json | undefined, shape: Shape): readonly TypedField[] {
  if (!isObject(value) || !isObject(value.wire)) return [];
  return Object.entries(value.wire).flatMap(([wire, raw]): TypedField[] => {
    const field = shape.byWire[wire];
    if (field === undefined || raw === undefined || raw === null || !mayBeUnchecked(shape, wire)) return [];
    const item = fieldFromWire(raw, field.type, shape.name);
    return [{ field, item, given: value[field.name], fits: shape !== RULE || fitsField(field.name, item) }];
  });
}

/** What of a rule depends on its action. */
const BY_ACTION: readonly unknown[] = ["action", "actionParameters", "logging", "ratelimit"];

/** Whether what is said of a path of the rule with typed fields is said of one that is not checked. */
export function isUnchecked(fields: readonly UncheckedField[], path: Path): boolean {
  const [part = "action"] = path;
  return fields.some((field) => isInside(field.path, path) || (field.path[0] === "action" && BY_ACTION.includes(part)));
}

/** The paths at which a rule has what is at a path of the rule with typed fields. */
export function placesOf(rule: JsonObject, path: Path): readonly Path[] {
  const raw = uncheckedFields(rule)
    .filter((field) => isInside(field.path, path))
    .map(({ path: outer, inWire, type }) => [...inWire, ...wirePath(path.slice(outer.length), type)]);
  return valueAt(rule, path) === undefined ? raw : [path, ...raw];
}

function isInside(outer: Path, path: Path): boolean {
  return outer.every((step, index) => path[index] === step);
}

/** A path with the names of the service. */
function wirePath([step, ...rest]: Path, type: FieldType): Path {
  if (step === undefined) return [];
  if (type.kind === "plain") return [step, ...rest];
  if (type.kind !== "shape") return [step, ...wirePath(rest, type.of)];
  const field = getShape(type.name).byName[step];
  return field === undefined ? [step, ...rest] : [field.wire, ...wirePath(rest, field.type)];
}

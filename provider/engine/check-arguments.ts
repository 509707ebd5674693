import { isList, isObject, mapFrom, type Json, type JsonObject } from "../../core/model/json.js";
import { isWithin, rangeText } from "../../core/model/numbers.js";
import type { Path } from "../../core/model/path.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import { checkAtMostOne, checkExactlyOne } from "../validation/checks/groups.js";
import { checkKnownName, failure, type Findings } from "../../core/model/failure.js";
import { argumentNames, type Constraints, type Description, type Refusal } from "./description.js";
import { findMismatch, partsOf, typeWords, type ValueType } from "./named-type.js";

/** Arguments without the members of described objects that are null: those are not given. What has none is not copied. */
export function withoutNullMembers({ arguments: known }: Description, args: JsonObject): JsonObject {
  const changed = Object.entries(args).flatMap(([name, value]) => {
    const kept = value === undefined ? value : withoutNulls(known[name]?.type ?? "string", value);
    return kept === undefined || kept === value ? [] : [[name, kept] as const];
  });
  return changed.length === 0 ? args : { ...args, ...mapFrom(changed) };
}

function withoutNulls(type: ValueType, value: Json): Json {
  if (typeof type === "string") return value;
  if ("list" in type) {
    const items = isList(value) ? value.map((item) => withoutNulls(type.list, item)) : [];
    return isList(value) && items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = "definition" in type && type.definition.kind === "object" ? type.definition.properties : undefined;
  if ("definition" in type && members === undefined) return value;
  const entries = Object.entries(value).flatMap(([name, item]): [string, Json][] => {
    const of = "map" in type ? type.map : members?.[name]?.type;
    if (item === undefined || (item === null && members !== undefined)) return [];
    return [[name, of === undefined ? item : withoutNulls(of, item)]];
  });
  const isSame = entries.length === Object.keys(value).length && entries.every(([name, item]) => item === value[name]);
  return isSame ? value : mapFrom(entries);
}

/** Finds arguments with unknown names, also inside of objects, values that are not among the choices, and what excludes one another. */
export function checkArguments(description: Description, args: JsonObject): Findings {
  const names = argumentNames(description);
  return [
    checkGiven(description.type, description, args),
    ...names.map((name) => {
      const { choices, among } = description.arguments[name] ?? {};
      return checkChoice(name, args[name], choices ?? among);
    }),
    ...names.map((name) => checkMembers(description.arguments[name]?.type ?? "string", args[name], [name])),
    ...(description.refusals ?? []).map((refusal) => checkRefusal(refusal, args)),
  ].flat();
}

type Given = Readonly<Record<string, unknown>>;

/** What a description says about which arguments there are, and which go together. */
type Described = Pick<Description, "exactlyOneOf" | "atMostOneOf"> & {
  readonly arguments: Readonly<Record<string, Constraints & { readonly required?: boolean | "by programs" }>>;
};

/**
 * Finds arguments with unknown names or refused values, those that are missing, and groups of which too many or too few are given.
 * @param what a kind of resource, or a look-up
 */
export function checkGiven(what: string, { arguments: known, ...groups }: Described, args: Given): Findings {
  const { exactlyOneOf = [], atMostOneOf = [] } = groups;
  const names = Object.keys(known);
  return [
    ...Object.keys(args).map((name) => checkKnownName([name], `${what} has no argument`, name, names)),
    ...exactlyOneOf.map((group) => checkExactlyOne(args, group)),
    ...atMostOneOf.map((group) => checkAtMostOne(args, group)),
    ...Object.entries(known).map(([name, { required, range, check }]) => {
      const value = args[name];
      if (value === undefined) return required === true ? failure([name], "is required") : [];
      if (value === UNKNOWN) return [];
      return range !== undefined && !isWithin(value, range)
        ? failure([name], rangeText(range))
        : (check?.([name], value) ?? []);
    }),
  ].flat();
}

function checkRefusal({ argument, value, beside = {}, without = {}, because }: Refusal, args: JsonObject): Findings {
  const isGiven = value === undefined ? args[argument] !== undefined : args[argument] === value;
  const isRefused =
    Object.entries(beside).every(([name, other]) => args[name] === other) &&
    Object.entries(without).every(([name, needed]) => args[name] !== needed && args[name] !== UNKNOWN);
  return isGiven && isRefused ? failure([argument], because) : [];
}

function checkChoice(name: string, value: unknown, choices: readonly string[] | undefined): Findings {
  if (choices === undefined || value === undefined || value === UNKNOWN) return [];
  if (typeof value === "string" && choices.includes(value)) return [];
  const [only, ...more] = choices;
  return failure(
    [name],
    more.length === 0 ? `must be ${JSON.stringify(only)}` : `must be one of ${choices.join(", ")}`,
  );
}

export function invalidArguments(
  { arguments: args }: Description,
  given: JsonObject,
  names: readonly string[],
): Findings {
  return names
    .map((name) => {
      if (given[name] === undefined) return failure([name], "is required");
      const type = args[name]?.type ?? "string";
      const { path, type: expected } = findMismatch(type, given[name]) ?? { path: [], type };
      return failure([name, ...path], `must be ${typeWords(expected)}`);
    })
    .flat();
}

/** Finds members with unknown names, and those that exclude one another. A value of another type is left to the parser. */
function checkMembers(type: ValueType, value: unknown, path: Path): Findings {
  const definition = typeof type === "object" && "definition" in type ? type.definition : undefined;
  const inside = partsOf(type, value).map(([step, part, item]) => checkMembers(part, item, [...path, step]));
  // What a rule may have depends on its phase and action.
  if (definition?.kind !== "object" || definition.extends !== undefined || !isObject(value)) return inside.flat();
  const names = Object.keys(definition.properties);
  // The engine adds `__defaults` to objects of other providers.
  const own = Object.keys(value).filter((name) => !name.startsWith("__"));
  return [
    ...own.map((name) => checkKnownName([...path, name], "there is no property", name, names)),
    definition.exactlyOneOf === undefined ? [] : checkExactlyOne(value, definition.exactlyOneOf, path),
    ...inside,
  ].flat();
}

import { isList, isObject, mapFrom, omit, pick, type Json } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import { getShape } from "../../core/model/shapes.js";
import { inOurNames, pathInOurNames } from "../../core/model/spelling.js";
import { checkSpelling } from "../validation/checks/spelling.js";
import { type Findings } from "../../core/model/failure.js";
import type { Description } from "./description.js";
import type { Member, NamedType, ValueType } from "./named-type.js";
import type { Request } from "./request.js";

/** Arguments whose rules have the names of this package, however the program spells them. */
type Spelled = Pick<Request, "args" | "secretPaths"> & {
  /** Fields that the program gives with both names. */
  readonly findings: Findings;
};

type Given = Pick<Request, "args" | "ignored" | "secretPaths">;

/**
 * Converts all rules in the arguments of a kind to the names of this package. The description says where rules are.
 * @param olds the last inputs; undefined if the resource is new
 */
export function spellArguments({ arguments: known }: Description, request: Given, olds: object | undefined): Spelled {
  const fields = Object.keys(known).filter((name) => isRuleField(known[name]?.type));
  if (fields.length > 0) return spellFields(fields, request, olds);
  const { args: given, secretPaths } = request;
  const found: Findings[] = [];
  const changed = Object.entries(known).flatMap(([name, { type }]) => {
    const value = given[name];
    const read = value === undefined ? value : spellRules(type, value, [name], found);
    return read === value ? [] : [[name, read] as const];
  });
  if (changed.length === 0) return { args: given, secretPaths, findings: [] };
  return {
    args: { ...given, ...mapFrom(changed) },
    secretPaths: secretPaths.map((path) => {
      const [name = "", ...rest] = path;
      return [...path.slice(0, 1), ...spellPath(known[name]?.type, given[name], rest)];
    }),
    findings: found.flat(),
  };
}

/** Converts a rule whose fields are arguments of the resource itself. */
function spellFields(
  fields: readonly string[],
  { args: given, ignored, secretPaths }: Given,
  olds: object | undefined,
): Spelled {
  const { byName, readOnly } = getShape("RulesetRule");
  const named = [...fields.map((name) => ({ name, wire: byName[name]?.wire ?? name })), ...readOnly];
  // For `ignoreChanges` the engine passes the last inputs, also if they have none, which stand for what the program gives.
  const isKept = (name: string): boolean =>
    (given[name] !== undefined || olds !== undefined) && (ignored.includes("*") || ignored.includes(name));
  const replaced = named.filter(({ name, wire }) => name !== wire && isKept(name)).map(({ wire }) => wire);
  const names = named.flatMap(({ name, wire }) => [name, wire]);
  const own = omit(pick(given, names), replaced);
  const rule = inOurNames(own);
  return {
    args: { ...omit(given, names), ...rule },
    secretPaths: secretPaths.map((path) => (names.includes(String(path[0])) ? pathInOurNames(own, path) : path)),
    findings: checkSpelling(rule, []),
  };
}

/** Reads the rules inside a value. Without any that changes, the value is the same. */
function spellRules(type: ValueType, value: Json, at: Path, found: Findings[]): Json {
  if (typeof type === "string") return value;
  if ("list" in type)
    return isList(value) ? sameOr(value, (item, index) => spellRules(type.list, item, [...at, index], found)) : value;
  if ("map" in type || !isObject(value)) return value;
  if (isRule(type)) {
    const rule = inOurNames(value);
    if (rule !== value) found.push(checkSpelling(rule, at));
    return rule;
  }
  const changed = Object.entries(membersOf(type)).flatMap(([name, member]) => {
    const item = value[name];
    const read = item === undefined ? item : spellRules(member.type, item, [...at, name], found);
    return read === item ? [] : [[name, read] as const];
  });
  return changed.length === 0 ? value : { ...value, ...mapFrom(changed) };
}

/** The path of what is at a path in such a value. */
function spellPath(type: ValueType | undefined, value: Json | undefined, path: Path): Path {
  const [step, ...rest] = path;
  if (type === undefined || typeof type === "string" || "map" in type || step === undefined) return path;
  if ("list" in type) return [step, ...spellPath(type.list, isList(value) ? value[Number(step)] : undefined, rest)];
  if (!isObject(value)) return path;
  return isRule(type)
    ? pathInOurNames(value, path)
    : [step, ...spellPath(membersOf(type)[step]?.type, value[step], rest)];
}

function membersOf({ definition }: NamedType<unknown>): Readonly<Record<string, Member>> {
  return definition.kind === "object" ? definition.properties : {};
}

function isRule({ definition }: NamedType<unknown>): boolean {
  return definition.kind === "rule" && definition.field === undefined;
}

function isRuleField(type: ValueType | undefined): boolean {
  return typeof type === "object" && "definition" in type && type.definition.kind === "rule";
}

function sameOr(list: readonly Json[], change: (item: Json, index: number) => Json): readonly Json[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

import { isList, isObject, mapFrom, omit, pick, type Json, type JsonObject } from "../model/json.js";
import { pathText, type Path } from "../model/path.js";
import { getShape } from "../model/shapes.js";
import { pathInOurNames, pathInServiceNames, readSpelling } from "../model/spelling.js";
import { refuseMixed } from "../validation/checks/spelling.js";
import { joinFindings, type Failure, type Findings } from "../validation/failure.js";
import type { Description } from "./description.js";
import type { NamedType, ValueType } from "./named-type.js";

/** Arguments whose rules have the names of this package, however the program spells them. */
export interface SpelledArguments {
  readonly args: JsonObject;
  /** Rules that mix two spellings. */
  readonly findings: Findings;
  /** Converts a path in the arguments as the program writes them to one in `args`. */
  readonly toOurs: (path: Path) => Path;
  /** The same findings, with the paths that the program writes. */
  readonly asWritten: (findings: Findings) => Findings;
}

/**
 * Converts all rules in the arguments of a kind to the names of this package. The description says where rules are.
 * @param ignored `ignoreChanges`, for which the engine passes old inputs
 */
export function spellArguments(
  description: Description,
  given: JsonObject,
  ignored: readonly string[],
): SpelledArguments {
  const reader = new RuleReader();
  const args = reader.readSpread(description, given, ignored);
  const changed = Object.entries(description.arguments).flatMap(([name, { type }]) => {
    const value = args[name];
    const read = value === undefined ? value : reader.readAll(type, value, [name]);
    return read === value ? [] : [[name, read] as const];
  });
  return {
    args: changed.length === 0 ? args : { ...args, ...mapFrom(changed) },
    findings: joinFindings(reader.findings),
    toOurs: (path) => reader.translate(path, pathInOurNames),
    asWritten: ({ failures, warnings }) => {
      const rename = (found: Failure): Failure => ({
        ...found,
        path: reader.translate(found.path, pathInServiceNames),
      });
      return { failures: failures.map(rename), warnings: warnings.map(rename) };
    },
  };
}

/** Reads rules, and remembers which of them are spelled as the service does. */
class RuleReader {
  readonly findings: Findings[] = [];
  /** The places of these rules. */
  private readonly service = new Set<string>();
  private deepest = 0;
  /** The names of fields that are arguments themselves. */
  private spread: ReadonlySet<string | number> = new Set();

  /** Reads the rules inside an argument. Without any that changes, the value is the same. */
  readAll(type: ValueType, value: Json, at: Path): Json {
    if (typeof type === "string") return value;
    if ("list" in type)
      return isList(value) ? sameOr(value, (item, index) => this.readAll(type.list, item, [...at, index])) : value;
    if ("map" in type || !isObject(value)) return value;
    if (isRule(type)) return this.read(value, at);
    const members = type.definition.kind === "object" ? type.definition.properties : {};
    const changed = Object.entries(members).flatMap(([name, member]) => {
      const item = value[name];
      const read = item === undefined ? item : this.readAll(member.type, item, [...at, name]);
      return read === item ? [] : [[name, read] as const];
    });
    return changed.length === 0 ? value : { ...value, ...mapFrom(changed) };
  }

  /** Reads a rule whose fields are arguments of the resource itself. */
  readSpread({ arguments: args }: Description, given: JsonObject, ignored: readonly string[]): JsonObject {
    const fields = Object.keys(args).filter((name) => isRuleField(args[name]?.type ?? "string"));
    if (fields.length === 0) return given;
    const { byName, readOnly } = getShape("RulesetRule");
    const spelled = [...fields.map((name) => ({ name, wire: byName[name]?.wire ?? name })), ...readOnly];
    const isKept = (name: string): boolean =>
      given[name] !== undefined && (ignored.includes("*") || ignored.includes(name));
    const replaced = spelled.filter(({ name, wire }) => name !== wire && isKept(name)).map(({ wire }) => wire);
    const names = spelled.flatMap(({ name, wire }) => [name, wire]);
    this.spread = new Set(names);
    const rule = this.read(
      pick(
        given,
        names.filter((name) => !replaced.includes(name)),
      ),
      [],
    );
    return { ...omit(given, names), ...rule };
  }

  private read(rule: JsonObject, at: Path): JsonObject {
    const spelled = readSpelling(rule);
    this.findings.push(refuseMixed(spelled.mixed, at));
    if (spelled.isService) {
      this.service.add(pathText(at));
      this.deepest = Math.max(this.deepest, at.length);
    }
    return spelled.rule;
  }

  /** Translates a path into one of these rules; any other stays. */
  translate(path: Path, change: (path: Path) => Path): Path {
    const most = this.service.size === 0 ? -1 : Math.min(this.deepest, path.length);
    for (let length = 0; length <= most; length += 1) {
      const place = path.slice(0, length);
      const isInside = length > 0 || this.spread.has(path[0] ?? "");
      if (isInside && this.service.has(pathText(place))) return [...place, ...change(path.slice(length))];
    }
    return path;
  }
}

function isRule(type: NamedType<unknown>): boolean {
  return type.definition.kind === "rule" && type.definition.field === undefined;
}

function isRuleField(type: ValueType): boolean {
  return typeof type !== "string" && "definition" in type && type.definition.kind === "rule";
}

function sameOr(list: readonly Json[], change: (item: Json, index: number) => Json): readonly Json[] {
  const changed = list.map(change);
  return changed.every((item, index) => item === list[index]) ? list : changed;
}

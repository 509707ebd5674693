import { isObject, type JsonObject } from "../model/json.js";
import { managedName, withManagedName, type NameOf } from "./rulesets.js";
import type { Ruleset, RulesetSummary } from "../model/ruleset.js";

/**
 * Names of managed rulesets and their rules: those of the built-in list, and those in responses that a run has received for
 * other reasons. No request is made for a name. Cloudflare's IDs are the same in every account.
 */
export class ManagedNames {
  private readonly names = new Map<string, string>();

  /** The name of an ID; undefined if the ID is not managed, or its name has not been read. */
  readonly of: NameOf = (id) => managedName(id) ?? this.names.get(id);

  /** Adds the names in a response of the service. */
  learn(ruleset: RulesetSummary | Ruleset): void {
    if (ruleset.kind !== "managed") return;
    this.add(ruleset.id, ruleset.name);
    if (!("rules" in ruleset)) return;
    for (const { id, description } of ruleset.rules) this.add(id, description);
  }

  /** Adds names that another part of the run has read; ignores anything else in the value. */
  learnAll(names: unknown): void {
    if (!isObject(names)) return;
    for (const [id, name] of Object.entries(names)) this.add(id, name);
  }

  /** The names that were read for the IDs in a value, by ID, without those of the built-in list. */
  readIn(value: unknown): Readonly<Record<string, string>> {
    if (this.names.size === 0) return {};
    const ids = [...textsIn(value)].filter((id) => managedName(id) === undefined);
    return Object.fromEntries(
      ids.flatMap((id) => {
        const name = this.names.get(id);
        return name === undefined ? [] : [[id, name]];
      }),
    );
  }

  private add(id: string, name: unknown): void {
    if (ID.test(id) && typeof name === "string" && name.trim() !== "") this.names.set(id, name.trim());
  }
}

const ID = /^[0-9a-f]{32}$/;

/** Maximum number of names in a list. */
const SHOWN = 20;

/** The IDs in values that have a name: `5de7… ("Wordpress - Broken access control"), …`; empty if none has one. */
export function namedIn(values: readonly unknown[], nameOf: NameOf = managedName): string {
  const ids = [...textsIn(values)].filter((id) => nameOf(id) !== undefined);
  const left = ids.length - SHOWN;
  const more = left > 0 ? [`and ${String(left)} more`] : [];
  return [...ids.slice(0, SHOWN).map((id) => withManagedName(id, nameOf)), ...more].join(", ");
}

/** All strings in plain data, including keys, because a skip rule lists rules by their ruleset. */
function textsIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value === "string") found.add(value);
  else if (Array.isArray(value)) for (const item of value) textsIn(item, found);
  else if (isPlain(value))
    for (const key of Object.keys(value)) {
      found.add(key);
      textsIn(value[key], found);
    }
  return found;
}

/** Whether a value is a plain object, and not for example a resource, which refers to many other objects. */
function isPlain(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const PREFIX = "managed rules: ";
const NAMED = /\b([0-9a-f]{32}) \(("(?:[^"\\]|\\.)*")\)/g;

/** The line of a preview that lists the names of managed rules with their IDs. */
export function managedRulesLine(names: Readonly<Record<string, string>>): string {
  return `${PREFIX}${namedIn([Object.keys(names)], (id) => names[id])}`;
}

/** The names in such a line, by ID; undefined for any other text. */
export function namesInLine(text: string): Readonly<Record<string, string>> | undefined {
  if (!text.startsWith(PREFIX)) return undefined;
  return Object.fromEntries(
    [...text.matchAll(NAMED)].map(([, id = "", name = '""']) => [id, JSON.parse(name) as string]),
  );
}

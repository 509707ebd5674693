import { isObject, type JsonObject } from "./json.js";
import { managedName, withManagedName, type NameOf } from "./managed-rulesets.js";
import type { Ruleset, RulesetSummary } from "./ruleset.js";

/**
 * What managed rulesets and their rules are called: the closed list, and what a run has read anyway. Nothing is ever asked
 * for a name. The vendor's ids are the same in every account.
 */
export class ManagedNames {
  private readonly names = new Map<string, string>();

  /** By id; undefined for what is not managed, or was not read. */
  readonly of: NameOf = (id) => managedName(id) ?? this.names.get(id);

  /** Takes the names out of an answer of the service. */
  learn(ruleset: RulesetSummary | Ruleset): void {
    if (ruleset.kind !== "managed") return;
    this.add(ruleset.id, ruleset.name);
    if (!("rules" in ruleset)) return;
    for (const { id, description } of ruleset.rules) this.add(id, description);
  }

  /** Takes over names that another part of the run has read; anything else in it is passed over. */
  learnAll(names: unknown): void {
    if (!isObject(names)) return;
    for (const [id, name] of Object.entries(names)) this.add(id, name);
  }

  /** The names that were read of the ids in a value, by id. What the closed list has is known everywhere. */
  readIn(value: unknown): Readonly<Record<string, string>> {
    if (this.names.size === 0) return {};
    const ids = [...new Set(textsIn(value))].filter((id) => managedName(id) === undefined);
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

/** Names are listed as far as a person reads them. */
const SHOWN = 20;

/** The ids in values that have a name: `5de7… ("Wordpress - Broken access control"), …`; empty where none has. */
export function namedIn(values: readonly unknown[], nameOf: NameOf = managedName): string {
  const ids = [...new Set(values.flatMap(textsIn))].filter((id) => nameOf(id) !== undefined);
  const left = ids.length - SHOWN;
  const more = left > 0 ? [`and ${String(left)} more`] : [];
  return [...ids.slice(0, SHOWN).map((id) => withManagedName(id, nameOf)), ...more].join(", ");
}

/** Every text in plain data; keys, too: a skip rule lists rules by their ruleset. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isPlain(value) ? Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]) : [];
}

/** A program's values may hold resources, which lead anywhere. */
function isPlain(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

const TOLD = "managed rules: ";
const NAMED = /\b([0-9a-f]{32}) \(("(?:[^"\\]|\\.)*")\)/g;

/** The line of a preview that names managed rules beside their ids. */
export function managedRulesLine(names: Readonly<Record<string, string>>): string {
  return `${TOLD}${namedIn([Object.keys(names)], (id) => names[id])}`;
}

/** The names in such a line, by id; undefined for any other text. */
export function namesInLine(text: string): Readonly<Record<string, string>> | undefined {
  if (!text.startsWith(TOLD)) return undefined;
  return Object.fromEntries(
    [...text.matchAll(NAMED)].map(([, id = "", name = '""']) => [id, JSON.parse(name) as string]),
  );
}

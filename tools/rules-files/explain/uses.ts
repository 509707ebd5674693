import { usesOf, type Expression } from "../../../core/language/index.js";
import { findField, findFunction } from "../../../core/language/catalogue/index.js";
import { typeName } from "../../../core/language/type.js";

export interface UsedName {
  readonly name: string;
  /** The type of a field, or the signature of a function. */
  readonly type: string;
  readonly about: string;
  /** Where it is available, under which conditions, and what to write instead. */
  readonly notes: readonly string[];
}

/** The names in an expression with their entries in the catalogue. */
export interface NamesUsed {
  readonly fields: readonly UsedName[];
  readonly functions: readonly UsedName[];
  readonly lists: readonly string[];
}

/** `true`, `any` and `all` are keywords of the language. */
const WORDS: ReadonlySet<string> = new Set(["true", "any", "all"]);

export function namesUsed(expression: Expression): NamesUsed {
  const { fields, functions, lists } = usesOf(expression);
  const own = (names: ReadonlySet<string>): string[] => Array.from(names).filter((name) => !WORDS.has(name));
  return {
    fields: own(fields).map(fieldNamed),
    functions: own(functions).map(functionNamed),
    lists: Array.from(lists),
  };
}

const AVAILABILITY = {
  early: undefined,
  mid: undefined,
  late: "not available in the phases that run first",
  custom: "available from the custom rules phase on",
  response: "only in response phases and counting expressions",
} as const;

/** A field with its entry in the catalogue. */
export function fieldNamed(name: string): UsedName {
  const field = findField(name);
  if (field === undefined) return { name, type: "unknown type", about: "not in the catalogue", notes: [] };
  const { type, about, when, plan, phases, replacement, unsure } = field;
  const candidates = [
    when === undefined ? undefined : AVAILABILITY[when],
    plan === undefined ? undefined : `plan: ${plan}`,
    phases === undefined ? undefined : `phases: ${phases.join(", ")}`,
    replacement === undefined ? undefined : `old name: use ${replacement}`,
    unsure ? "Cloudflare does not document it" : undefined,
  ];
  return { name, type: typeName(type), about, notes: candidates.filter((note) => note !== undefined) };
}

/** A function with its entry in the catalogue. */
export function functionNamed(name: string): UsedName {
  const entry = findFunction(name);
  if (entry === undefined) return { name, type: "unknown", about: "not in the catalogue", notes: [] };
  const { signature, about, plan, phases, slots, maxUses } = entry;
  const candidates = [
    plan === undefined ? undefined : `plan: ${plan}`,
    phases === undefined ? undefined : `phases: ${phases.join(", ")}`,
    slots === undefined ? undefined : `only in: ${slots.join(", ")}`,
    maxUses === undefined ? undefined : `at most ${String(maxUses)} in an expression`,
  ];
  return { name, type: signature, about, notes: candidates.filter((note) => note !== undefined) };
}

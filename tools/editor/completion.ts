import {
  allFields,
  allFunctions,
  findField,
  findFunction,
  type Field,
  type FunctionEntry,
} from "../../core/language/catalogue/index.js";
import { findValues } from "../../core/language/catalogue/values.js";
import { MANAGED_LISTS } from "../../core/language/check/lists.js";
import { phaseFault } from "../../core/language/check/phases.js";
import type { CheckOptions, Span } from "../../core/language/index.js";
import { elementOf, typeName, UNKNOWN, type Type } from "../../core/language/type.js";
import { endOf } from "../../provider/sdk/writing/place.js";
import type { EditedDocument } from "./edited-document.js";
import { embeddedAt, offsetInExpression, spanInDocument } from "./embedded/embedded.js";
import { describeList, describeName } from "./names.js";

/** Something that can be written at a position. */
export interface Completion {
  readonly label: string;
  readonly kind: "field" | "function" | "operator" | "keyword" | "list" | "value";
  readonly detail?: string;
  /** Markdown. */
  readonly about?: string;
  /** Whether it is offered after the others: the phase does not have it, or it has a newer name. */
  readonly isLast?: boolean;
  /** What to write, if that is not the label. `$0` stands for where to go on. */
  readonly snippet?: string;
}

/** What can be written, and the part of the document that it replaces. */
interface Completions {
  readonly span: Span;
  readonly items: readonly Completion[];
}

const NONE: Completions = { span: { start: 0, end: 0 }, items: [] };

/** What can be written at a position of a document. */
export function completionsAt(document: EditedDocument, offset: number): Completions {
  const embedded = embeddedAt(document.expressions, offset);
  const at = embedded === undefined ? undefined : offsetInExpression(embedded, offset);
  if (embedded === undefined || at === undefined) return NONE;
  const lists = (): readonly string[] => listNames(document);
  const { from, items } = completionsIn(embedded.text.slice(0, at), embedded.options, lists);
  const [behind = ""] = /^[\w.]*/.exec(embedded.text.slice(at)) ?? [];
  return { span: spanInDocument(embedded, { start: from, end: at + behind.length }), items };
}

interface Found {
  /** Where the word begins that is being written. */
  readonly from: number;
  readonly items: readonly Completion[];
}

/** Completes the text before the cursor. */
function completionsIn(text: string, options: CheckOptions, lists: () => readonly string[]): Found {
  const { outside, quoteAt } = withoutStrings(text);
  if (quoteAt !== undefined) return { from: quoteAt + 1, items: valuesOf(leftOf(text.slice(0, quoteAt)), "") };
  const [word = ""] = /[\w.]*$/.exec(text) ?? [];
  const from = text.length - word.length;
  const lead = outside.slice(0, outside.length - word.length).trimEnd();
  if (lead.endsWith("$")) return { from, items: lists().map(listItem) };
  return { from, items: itemsAfter(lead, options, lists) };
}

const COMPARED = /([A-Za-z][\w.]*)(?:\[[^\][]*\])*\s*(?:\b(?:eq|ne|in)|[=!]=)\s*(?:\{[^{}]*)?$/;
const OPERAND_EXPECTED = /(?:^|[(,!]|&&|\|\||\^\^|(?<![\w.])(?:and|or|xor|not))$/;
const OPERATOR = /(?:(?<![\w.])(?:eq|ne|lt|le|gt|ge|in|contains|matches|wildcard)|[=!<>]=|[<>~])$/;
/** A name with its indexes, or what a call returns. */
const OPERAND = /(?<![\w.$"])([A-Za-z][\w.]*)((?:\[[^\][]*\])*)$/;

/** What can follow a text that ends outside strings, without its last word. */
function itemsAfter(lead: string, options: CheckOptions, lists: () => readonly string[]): readonly Completion[] {
  if (OPERAND_EXPECTED.test(lead)) return operands(options);
  const field = leftOf(lead);
  if (field !== undefined) {
    const isSet = /\{[^{}]*$/.test(lead);
    const own = valuesOf(field, '"');
    if (isSet) return own;
    if (lead.endsWith("in"))
      return [
        { label: "{…}", kind: "operator", snippet: "{$0}" },
        ...lists().map((name) => ({ ...listItem(name), snippet: `\\$${name}` })),
      ];
    return [...own, ...operands(options, findField(field)?.type)];
  }
  if (OPERATOR.test(lead)) return [];
  const type = typeOf(lead);
  return type === undefined ? JOINING : operatorsFor(type);
}

/** The field that a literal at the end of a text is compared with. */
function leftOf(text: string): string | undefined {
  return COMPARED.exec(text)?.[1];
}

/** The type of the operand that a text ends with; undefined if a condition ends there. */
function typeOf(lead: string): Type | undefined {
  if (lead.endsWith(")")) {
    const open = openingOf(lead);
    const name = /([A-Za-z_]\w*)\s*$/.exec(lead.slice(0, open))?.[1] ?? "";
    return findFunction(name)?.returns;
  }
  const [, name = "", indexes = ""] = OPERAND.exec(lead) ?? [];
  if (/^(?:true|false)$/.test(name)) return undefined;
  if (name === "") return undefined;
  let type: Type | undefined = findField(name)?.type ?? UNKNOWN;
  for (let steps = indexes.split("[").length - 1; steps > 0 && type !== undefined; steps -= 1) type = elementOf(type);
  return type;
}

function openingOf(text: string): number {
  for (let [at, depth] = [text.length - 1, 0]; at >= 0; at -= 1) {
    if (text[at] === ")") depth += 1;
    if (text[at] === "(") depth -= 1;
    if (depth === 0) return at;
  }
  return 0;
}

const JOINING: readonly Completion[] = ["and", "or", "xor"].map((label) => ({ label, kind: "keyword" }));
const OPERATORS: Readonly<Record<Type["kind"], readonly string[]>> = {
  boolean: [],
  integer: ["eq", "ne", "lt", "le", "gt", "ge", "in"],
  string: ["eq", "ne", "contains", "matches", "in", "wildcard", "strict wildcard", "lt", "le", "gt", "ge"],
  ip: ["eq", "ne", "in"],
  unknown: ["eq", "ne", "in", "contains", "matches"],
  array: [],
  map: [],
};

function operatorsFor(type: Type): readonly Completion[] {
  const own = OPERATORS[type.kind].map((label): Completion => ({ label, kind: "operator" }));
  return type.kind === "boolean" || type.kind === "unknown" ? [...own, ...JOINING] : own;
}

/** Fields and functions, those of a type first, and what begins a condition. */
function operands(options: CheckOptions, type?: Type): readonly Completion[] {
  const fields = Array.from(allFields().values(), (field) => fieldItem(field, options, type));
  const functions = Array.from(allFunctions().values(), (entry) => functionItem(entry, options));
  const isValue = options.slot === "value" || type !== undefined;
  const keywords = isValue ? [] : ["not", "any", "all"].map(keywordItem);
  return [...fields, ...functions, ...keywords];
}

function keywordItem(label: string): Completion {
  return label === "not" ? { label, kind: "keyword" } : { label, kind: "function", snippet: `${label}($0)` };
}

function fieldItem(field: Field, options: CheckOptions, type: Type | undefined): Completion {
  const isOdd = phaseFault(field, "field", options) !== undefined || field.replacement !== undefined;
  return {
    label: field.name,
    kind: "field",
    detail: typeName(field.type),
    about: describeName(field.name),
    isLast: isOdd || (type !== undefined && field.type !== type),
  };
}

function functionItem(entry: FunctionEntry, options: CheckOptions): Completion {
  const { name, signature, slots } = entry;
  const isOdd =
    phaseFault(entry, "function", options) !== undefined || slots?.includes(options.slot ?? "filter") === false;
  const about = describeName(name);
  return { label: name, kind: "function", detail: signature, about, isLast: isOdd, snippet: `${name}($0)` };
}

/** The values of a field, with a quote on either side or inside quotes. */
function valuesOf(field: string | undefined, quote: '"' | ""): readonly Completion[] {
  const { values = [] } = (field === undefined ? undefined : findValues(field)) ?? {};
  return values.map((value) => ({ label: `${quote}${value}${quote}`, kind: "value" }));
}

function listItem(name: string): Completion {
  return { label: name, kind: "list", about: describeList(name) };
}

/** The lists that Cloudflare maintains, and those that the expressions of the document name. */
function listNames({ expressions }: EditedDocument): readonly string[] {
  const named = expressions.flatMap(({ text }) =>
    Array.from(text.matchAll(/\$([a-z0-9_]+)(?![\w.])/g), ([, name = ""]) => name),
  );
  return Array.from(new Set([...named, ...MANAGED_LISTS]));
}

/** A text with its strings emptied, and where a string begins that is still open. */
function withoutStrings(text: string): { readonly outside: string; readonly quoteAt?: number } {
  let outside = "";
  for (let from = 0; ;) {
    const start = text.indexOf('"', from);
    if (start < 0) return { outside: outside + text.slice(from) };
    const hashes = /(?<!\w)r(#*)$/.exec(text.slice(from, start))?.[1];
    const end = hashes === undefined ? endOfQuoted(text, start + 1) : endOf(text, `"${hashes}`, start + 1);
    if (end < 0) return { outside, quoteAt: start };
    outside += `${text.slice(from, start)}""`;
    from = end;
  }
}

function endOfQuoted(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1;
    if (text[at] === "\\") at += 1;
  }
  return -1;
}

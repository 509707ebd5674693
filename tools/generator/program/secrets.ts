import type { Span } from "../../../core/language/ast.js";
import { parseExpression } from "../../../core/language/index.js";
import { expressionsOf } from "../../../core/model/expressions.js";
import { isList, isObject, type Json, type JsonObject } from "../../../core/model/json.js";
import type { Path } from "../../../core/model/path.js";
import { placesOf, withTypedFields } from "../../../core/model/unchecked.js";

/** A part of a text that must not be written to the program. */
export interface SecretPart {
  readonly value: string;
  /** What it belongs to, such as the name of a header. */
  readonly fieldName: string;
  /** Which of several values it is, or what else is in it: `2 of 3`. */
  readonly hint?: string;
}

/** A string in a rule that is or contains a secret. */
export interface SecretText {
  readonly path: Path;
  readonly parts: readonly (string | SecretPart)[];
  /** The same parts of an expression, without the quotes around the secrets. */
  readonly unquoted?: readonly (string | SecretPart)[];
}

/** Headers, cookies and body members whose values are secret. */
const SECRET_NAME =
  /authorization|^(set-)?cookie$|token|secret|passw|api[-_]?key|access[-_]?key|private[-_]?key|credential|signature|session|jwt|[cx]srf|(^|[-_.])(auth|key|sid|sess)([-_]|$)/i;
/** A value with its name, as in cookies and queries. */
const NAMED_VALUE = /(?:^|[?&;\s])([\w.-]+)=([^;&"*\s]+)/g;
/** Values of headers, cookies and arguments that nobody writes by hand. */
const RANDOM_VALUE = /^(?=.*\d)(?=.*[a-z])[\w+/=~-]{24,}$/i;
/** Values that are secret wherever they occur. */
const SECRET_VALUE = /^(?:bearer|basic)\s+\S{8,}|^eyJ[\w-]{8,}\.[\w-]{8,}/i;
/** Values that are not secret even when compared with a secret header. */
const PUBLIC_VALUE = /^\s*(?:true|false|yes|no|none|null|bearer|basic|digest|apikey|token)?\s*$/i;
const SHORTEST = 4;

/**
 * What looks like a secret in a rule: values that it sets for headers such as `Authorization`, and values that it compares with
 * such headers.
 */
export function secretsOf(rule: JsonObject): SecretText[] {
  const typed = withTypedFields(rule);
  const found = secretsIn(typed);
  return typed === rule ? found : found.flatMap((one) => placesOf(rule, one.path).map((path) => ({ ...one, path })));
}

function secretsIn(rule: JsonObject): SecretText[] {
  const headers = secretHeaders(rule);
  const inside = headers.map(({ path }) => path.join("\0"));
  const compared = expressionsOf(rule).flatMap(({ text, path, options }): SecretText[] => {
    if (inside.includes(path.join("\0"))) return [];
    const parts = secretLiterals(text, options.slot === "value" ? "value" : "filter");
    return parts.length === 1 ? [] : [{ path, parts, unquoted: parts.map(withoutQuotes) }];
  });
  const { wire, actionParameters } = rule;
  const raw = isObject(actionParameters) ? actionParameters.wire : undefined;
  return [...headers, ...compared, ...secretFields(wire, ["wire"]), ...secretFields(raw, ["actionParameters", "wire"])];
}

/** Texts in fields that this version does not know: secret by the name of the field, or as they are. */
function secretFields(value: Json | undefined, path: Path): SecretText[] {
  if (isList(value)) return value.flatMap((item, index) => secretFields(item, [...path, index]));
  if (isObject(value)) return Object.entries(value).flatMap(([key, item]) => secretFields(item, [...path, key]));
  if (typeof value !== "string") return [];
  const fieldName = String(path.findLast((step) => typeof step === "string"));
  const isSecret = SECRET_NAME.test(fieldName) && isSecretText(value);
  return isSecret || SECRET_VALUE.test(value) ? [{ path, parts: [{ value, fieldName }] }] : [];
}

function secretHeaders({ actionParameters }: JsonObject): SecretText[] {
  const headers = isObject(actionParameters) && isObject(actionParameters.headers) ? actionParameters.headers : {};
  return Object.entries(headers).flatMap(([name, change]) => {
    if (!isObject(change)) return [];
    const { value, expression } = change;
    const path = (key: string): Path => ["actionParameters", "headers", name, key];
    const isSecret = SECRET_NAME.test(name);
    if (typeof value === "string" && ((isSecret && isSecretText(value)) || SECRET_VALUE.test(value)))
      return [{ path: path("value"), parts: [{ value, fieldName: name }] }];
    if (typeof expression === "string" && isSecret && literalsIn(expression).some(({ text }) => isSecretText(text)))
      return [{ path: path("expression"), parts: [{ value: expression, fieldName: name }] }];
    return [];
  });
}

/** A quoted string in an expression, with its position without the quotes. */
interface Quoted {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const QUOTED = /r(#*)"(?<raw>[\s\S]*?)"\1|"(?<plain>(?:[^"\\]|\\[\s\S])*)"/g;

function literalsIn(text: string, offset = 0): Quoted[] {
  return [...text.matchAll(QUOTED)].map((match) => {
    const inside = match.groups?.raw ?? match.groups?.plain ?? "";
    const start = offset + match.index + match[0].indexOf('"') + 1;
    return { start, end: start + inside.length, text: inside };
  });
}

/** Whether a value that belongs to a secret name is one: `Exposed-Credential-Check: 1` is not. */
function isSecretText(text: string): boolean {
  return text.length >= SHORTEST && !PUBLIC_VALUE.test(text);
}

/** A literal that is a secret, and what it belongs to. */
interface FoundSecret extends Quoted {
  readonly fieldName: string;
  readonly hint?: string;
}

/** Splits an expression into plain text and values that look like secrets. */
function secretLiterals(text: string, slot: "filter" | "value"): (string | SecretPart)[] {
  const found = new Map<number, FoundSecret>();
  for (const { left, right } of comparisons(text, slot)) {
    const names = literalsIn(text.slice(...left)).map((name) => name.text);
    const fieldName = names.find((name) => SECRET_NAME.test(name));
    const [anyName] = names;
    for (const one of literalsIn(text.slice(...right), right[0])) {
      const named = fieldName ?? (RANDOM_VALUE.test(one.text) ? anyName : undefined);
      if (named !== undefined && isSecretText(one.text)) found.set(one.start, { ...one, fieldName: named });
    }
  }
  for (const one of literalsIn(text)) {
    const pair = secretPair(one);
    if (SECRET_VALUE.test(one.text)) found.set(one.start, { ...one, fieldName: "authorization" });
    else if (pair !== undefined) found.set(one.start, { ...one, fieldName: pair, hint: `with the name, ${pair}=…` });
  }
  const all = numbered([...found.values()].sort((a, b) => a.start - b.start));
  const parts: (string | SecretPart)[] = [];
  let at = 0;
  for (const { start, end, text: value, fieldName, hint } of all) {
    parts.push(text.slice(at, start), { value, fieldName, ...(hint === undefined ? {} : { hint }) });
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** The name in a literal such as `session=…`, if its value is likely a secret. */
function secretPair({ text }: Quoted): string | undefined {
  for (const [, name = "", value = ""] of text.matchAll(NAMED_VALUE)) {
    const isNamed = SECRET_NAME.test(name) && value.length >= SHORTEST && !PUBLIC_VALUE.test(value);
    if (isNamed || RANDOM_VALUE.test(value)) return name;
  }
  return undefined;
}

/** Tells values of the same name apart, such as those of one set. */
function numbered(found: readonly FoundSecret[]): readonly FoundSecret[] {
  return found.map((one) => {
    const same = found.filter(({ fieldName }) => fieldName === one.fieldName);
    if (new Set(same.map(({ text }) => text)).size < 2) return one;
    const number = `${String(same.indexOf(one) + 1)} of ${String(same.length)}`;
    return { ...one, hint: one.hint === undefined ? number : `${number}, ${one.hint}` };
  });
}

/**
 * Drops the quotes of the secrets before and after a text. The value of a secret has none, and no escapes: the program writes
 * them.
 */
function withoutQuotes(part: string | SecretPart, index: number, parts: readonly unknown[]): string | SecretPart {
  if (typeof part !== "string") {
    const before = parts[index - 1];
    const isRaw = typeof before === "string" && /r#*"$/.test(before);
    return isRaw ? part : { ...part, value: part.value.replace(/\\(["\\])/g, "$1") };
  }
  const begun = index === 0 ? part : part.replace(/^"#*/, "");
  return index === parts.length - 1 ? begun : begun.replace(/(?:r#*)?"$/, "");
}

type Range = readonly [start: number, end: number];

/** Every comparison in an expression, with the ranges of its operand and its right side. */
function comparisons(text: string, slot: "filter" | "value"): { readonly left: Range; readonly right: Range }[] {
  const parsed = parseExpression(text, slot);
  // If the expression cannot be parsed, every string is treated as compared with every name.
  if ("fault" in parsed) return [{ left: [0, text.length], right: [0, text.length] }];
  const found: { readonly left: Range; readonly right: Range }[] = [];
  const walk = (node: unknown): void => {
    if (Array.isArray(node)) for (const item of node) walk(item);
    else if (typeof node === "object" && node !== null) {
      const { kind: what, left, span } = node as { kind?: string; left?: { span: Span }; span?: Span };
      if (what === "comparison" && left !== undefined && span !== undefined)
        found.push({ left: [left.span.start, left.span.end], right: [left.span.end, span.end] });
      for (const item of Object.values(node)) walk(item);
    }
  };
  walk(parsed.expression);
  return found;
}

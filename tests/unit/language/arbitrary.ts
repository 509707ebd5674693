import type { PlainValue } from "../../../core/language/index";
import { fc } from "../../support/properties.js";

// Valid expressions with every part of the language, and contexts for their fields.

export const FIELDS = {
  string: ["http.host", "http.request.uri.path", "http.user_agent", "cf.ray_id"],
  integer: ["cf.bot_management.score", "http.request.timestamp.sec", "cf.waf.score"],
  ip: ["ip.src", "cf.edge.server_ip"],
  boolean: ["ssl", "cf.client.bot"],
  texts: ["http.request.headers.names", "http.request.uri.args.values", 'http.request.headers["x-a"]'],
  nested: ["http.request.headers", "http.request.uri.args"],
} as const;

const word = fc.stringMatching(/^[a-c/.%é"\\]{0,4}$/);
const integer = fc.oneof(
  fc.integer({ min: -3, max: 60 }),
  fc.constantFrom(9007199254740993n, -9223372036854775808n, 9223372036854775807n),
);
const address = fc.constantFrom("10.0.0.1", "10.0.0.2", "10.0.1.0", "::1", "2001:db8::1", "::ffff:10.0.0.1");

/** A string literal in one of its notations. */
const text = word.chain((value) => fc.constantFrom(...notations(value)));

function notations(value: string): string[] {
  const quoted = `"${value.replace(/["\\]/g, "\\$&")}"`;
  const bytes = Array.from(Buffer.from(value), (byte) => byte.toString(16).padStart(2, "0"));
  const hex = `"${bytes.map((byte) => `\\x${byte}`).join("")}"`;
  return [quoted, `r##"${value}"##`, hex, ...(bytes.length > 1 ? [bytes.join(":")] : [])];
}

const number = integer.chain((value) =>
  fc.constantFrom(String(value), ...(value >= 0 ? [`0x${value.toString(16)}`, `0${value.toString(8)}`] : [])),
);
const pattern = fc.constantFrom(
  '"^/a"',
  'r"a|b"',
  '"[\\"]"',
  'r#"[^/]+"#',
  '"(?i)A{2,3}?"',
  '"é"',
  'r"\\d+$"',
  '"a.c"',
  'r"(?u)^.$"',
);
const wildcard = fc.constantFrom('"*a*"', 'r"a\\*"', '"a*"', '"A*c"', '"*"', '"\\\\*"');

const stringOperand: fc.Arbitrary<string> = fc.letrec((tie) => ({
  operand: fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom(...FIELDS.string, 'http.request.headers["x-a"][0]', "http.request.uri.args.values[1]"),
    tie("operand").map((inner) => `lower(${String(inner)})`),
    fc.tuple(tie("operand"), text).map(([inner, more]) => `concat(${String(inner)}, ${quoteBytes(more)})`),
    fc.tuple(tie("operand"), fc.integer({ min: -3, max: 3 })).map(([a, b]) => `substring(${String(a)}, ${String(b)})`),
    tie("operand").map((inner) => `coalesce(${String(inner)}, "a")`),
    tie("operand").map((inner) => `url_decode(${String(inner)}, "r")`),
  ),
})).operand;

/** Byte literals can be arguments too, but a short run of digits might be an integer there. */
function quoteBytes(literal: string): string {
  return /^[0-9a-f]/.test(literal) ? '"ab"' : literal;
}

const integerOperand = fc.oneof(
  fc.constantFrom(...FIELDS.integer),
  stringOperand.map((operand) => `len(${operand})`),
  fc.constant("len(http.request.headers.names)"),
);
const ipOperand = fc.oneof(fc.constantFrom(...FIELDS.ip), fc.constant("cidr(ip.src, 24, 64)"));

const order = fc.constantFrom("eq", "ne", "lt", "le", "gt", "ge", "==", "!=", "<", "<=", ">", ">=");
const set = (item: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.array(item, { maxLength: 4 }).map((all) => `{${all.join(" ")}}`);
const addressItem = fc.oneof(
  address,
  fc.constantFrom("10.0.0.0/24", "10.0.0.1..10.0.0.9", "::/64", "0.0.0.0/0", "::1..::9"),
);
const numberItem = fc.oneof(
  number,
  fc
    .tuple(fc.integer({ min: -5, max: 20 }), fc.nat({ max: 10 }))
    .map(([a, more]) => `${String(a)}..${String(a + more)}`),
);

function stringTest(operand: string): fc.Arbitrary<string> {
  return fc.oneof(
    fc.tuple(order, text).map(([op, right]) => `${operand} ${op} ${right}`),
    fc.tuple(order, stringOperand).map(([op, right]) => `${operand} ${op} ${right}`),
    text.map((right) => `${operand} contains ${right}`),
    fc.tuple(fc.constantFrom("matches", "~"), pattern).map(([op, right]) => `${operand} ${op} ${right}`),
    fc
      .tuple(fc.constantFrom("wildcard", "strict wildcard"), wildcard)
      .map(([op, right]) => `${operand} ${op} ${right}`),
    set(text).map((right) => `${operand} in ${right}`),
    fc.constant(`${operand} in $hosts`),
  );
}

const comparison: fc.Arbitrary<string> = fc.oneof(
  stringOperand.chain(stringTest),
  fc.tuple(integerOperand, order, number).map(([left, op, right]) => `${left} ${op} ${right}`),
  fc.tuple(integerOperand, order, integerOperand).map(([left, op, right]) => `${left} ${op} ${right}`),
  fc.tuple(integerOperand, set(numberItem)).map(([left, right]) => `${left} in ${right}`),
  fc.tuple(integerOperand, fc.constantFrom("&", "bitwise_and"), number).map((all) => all.join(" ")),
  fc.tuple(ipOperand, fc.constantFrom("eq", "ne", "==", "!="), address).map((all) => all.join(" ")),
  fc.tuple(ipOperand, set(addressItem)).map(([left, right]) => `${left} in ${right}`),
  fc.constantFrom("ip.src in $bad", "cf.bot_management.score in $numbers"),
  fc.constantFrom(...FIELDS.boolean, "true"),
  fc.tuple(stringOperand, text).map(([operand, start]) => `starts_with(${operand}, ${quoteBytes(start)})`),
  fc.constantFrom('has_key(http.request.headers, "x-a")', 'has_value(http.request.headers.names, "a")'),
);

/** A condition on the elements of an array, as `any` and `all` take it. */
const elements: fc.Arbitrary<string> = fc.constantFrom(
  ...FIELDS.texts.map((array) => `${array}[*]`),
  ...FIELDS.nested.flatMap((map) => [`${map}[*][*]`, `${map}[*][1]`]),
  "lower(http.request.headers.names[*])[*]",
);
const many: fc.Arbitrary<string> = fc.letrec((tie) => ({
  one: fc.oneof(
    { maxDepth: 3 },
    elements.chain(stringTest),
    fc.tuple(elements, fc.constantFrom("a", "x")).map(([array, start]) => `(starts_with(${array}, "${start}"))`),
    tie("one").map((inner) => `not ${String(inner)}`),
    fc
      .tuple(tie("one"), fc.constantFrom("and", "or", "xor", "&&", "||", "^^"), tie("one"))
      .map((all) => `(${all.join(" ")})`),
  ),
})).one;
const quantified = fc.tuple(
  fc.constantFrom("any", "all"),
  fc.oneof(
    many,
    elements.map((array) => `starts_with(${array}, "a")`),
  ),
);

/** A filter expression. */
export const filterText: fc.Arbitrary<string> = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    comparison,
    quantified.map(([name, of]) => `${name}(${of})`),
    tie("condition").map((inner) => `(${String(inner)})`),
    tie("condition").map((inner) => `not ${String(inner)}`),
    tie("condition").map((inner) => `!!${String(inner)}`),
    fc
      .tuple(tie("condition"), fc.constantFrom("and", "or", "xor", "&&", "||", "^^"), tie("condition"))
      .map((all) => all.join(" ")),
  ),
})).condition;

/** A value expression. */
export const valueText: fc.Arbitrary<string> = fc.oneof(
  stringOperand,
  fc.tuple(stringOperand, pattern).map(([operand, regex]) => `regex_replace(${operand}, ${plain(regex)}, "<\${1}>")`),
  stringOperand.map((operand) => `wildcard_replace(${operand}, "*a*", "\${2}")`),
);

/** As an argument a pattern is an ordinary string. */
function plain(regex: string): string {
  return regex.startsWith("r") ? regex : regex.includes("\\") ? '"a"' : regex;
}

const texts = fc.array(word, { maxLength: 3 });
const maps = fc.dictionary(fc.constantFrom("x-a", "b", "c"), texts, { maxKeys: 3 });
const maybe = <T extends PlainValue>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null | undefined> =>
  fc.option(fc.option(value, { nil: null, freq: 5 }), { nil: undefined, freq: 6 });

/** Values for the fields; a field that is left out is unknown, `null` is nil. */
export const contextFields: fc.Arbitrary<Record<string, PlainValue>> = fc
  .tuple(
    ...FIELDS.string.map((name) => entry(name, maybe(word))),
    ...FIELDS.integer.map((name) => entry(name, maybe(integer))),
    ...FIELDS.ip.map((name) => entry(name, maybe(address))),
    ...FIELDS.boolean.map((name) => entry(name, maybe(fc.boolean()))),
    ...["http.request.headers.names", "http.request.uri.args.values"].map((name) => entry(name, maybe(texts))),
    ...FIELDS.nested.map((name) => entry(name, maybe(maps))),
  )
  .map((entries) => Object.fromEntries(entries.flat()));

function entry(name: string, value: fc.Arbitrary<PlainValue | undefined>): fc.Arbitrary<[string, PlainValue][]> {
  return value.map((one) => (one === undefined ? [] : [[name, one]]));
}

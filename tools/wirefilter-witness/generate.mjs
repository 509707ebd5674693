// Expressions in the part of the language that Cloudflare's old engine knows, in every notation, with contexts for which they
// may be true or false. Everything is derived from one seed.
import fc from "fast-check";

/** Fields of the catalogue, with the engine's names of their types. */
export const FIELDS = {
  "http.host": "Bytes",
  "http.request.uri.path": "Bytes",
  "http.user_agent": "Bytes",
  "cf.bot_management.score": "Int",
  "tcp.dstport": "Int",
  "ip.src": "Ip",
  "cf.edge.server_ip": "Ip",
  ssl: "Bool",
  "cf.client.bot": "Bool",
};
const named = (type) => fc.constantFrom(...Object.keys(FIELDS).filter((name) => FIELDS[name] === type));

const often = (weight, arbitrary) => ({ weight, arbitrary });
const joined = (...parts) => fc.tuple(...parts).map((all) => all.join(""));

// Strings are lists of characters (code points) or single bytes. They come from small sets, so that matches are likely.
const character = fc.oneof(
  often(6, fc.constantFrom("a", "b", "c")),
  often(2, fc.constantFrom("A", "B", "/", ".", "-", "_", "0", "1", " ")),
  often(1, fc.constantFrom('"', "\\", "\n", "\t", "\r", "{", "}", "é", "😀", "ſ", "K", "\u0000", "\u007f")),
);
const characters = fc.array(character, { maxLength: 6 });
const value = fc.oneof(
  often(6, characters.map((all) => Buffer.from(all.join("")))),
  often(1, fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes))),
).map((bytes) => bytes.toString("hex"));

const SMALL = { min: -5, max: 70 };
const EDGES = [-2147483648, -2147483647, 2147483646, 2147483647, 0];
const integer = fc.oneof(often(6, fc.integer(SMALL)), often(1, fc.constantFrom(...EDGES)));

const V4 = ["10.0.0.0", "10.0.0.1", "10.0.0.9", "10.0.0.255", "10.0.1.0", "0.0.0.0", "255.255.255.255"];
const V6 = ["::", "::1", "::9", "2001:db8::", "2001:db8::1", "2001:DB8:0:0:1::", "::ffff:10.0.0.1", "::10.0.0.1"];
const LAST = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff";
const address = fc.constantFrom(...V4, ...V6, LAST);

const VALUES = { Bytes: value, Int: integer, Ip: address, Bool: fc.boolean() };
const context = fc.record(Object.fromEntries(Object.entries(FIELDS).map(([name, type]) => [name, VALUES[type]])));

// White space, including none, even if two words then run together.
const space = fc.oneof(
  often(12, fc.constant(" ")),
  often(3, fc.constant("")),
  often(1, fc.constantFrom("  ", "\n", "\r\n", " \n ")),
);
const gap = fc.oneof(often(6, fc.constant("")), often(1, fc.constantFrom(" ", "\n")));

const hex2 = (byte, upper) => (upper ? byte.toString(16).toUpperCase() : byte.toString(16)).padStart(2, "0");
const quotedCharacter = (one) => {
  const plain = one === '"' || one === "\\" ? `\\${one}` : one;
  const code = one.codePointAt(0);
  const escapes = code < 128 ? [`\\x${hex2(code)}`, `\\x${hex2(code, true)}`, `\\${code.toString(8).padStart(3, "0")}`] : [];
  return fc.oneof(often(12, fc.constant(plain)), ...escapes.map((escape) => often(1, fc.constant(escape))));
};
const quoted = characters.chain((all) => fc.tuple(...all.map(quotedCharacter))).map((all) => `"${all.join("")}"`);
const byteString = fc
  .array(fc.tuple(fc.oneof(fc.integer({ min: 97, max: 99 }), fc.integer({ min: 0, max: 255 })), fc.boolean(), fc.constantFrom(":", "-", ".")), {
    minLength: 2,
    maxLength: 4,
  })
  .map((all) => all.map(([byte, upper, separator], at) => (at === 0 ? "" : separator) + hex2(byte, upper)).join(""));
/** Bytes above 127 as escapes, which the old engine reads as characters. */
const highEscape = fc.integer({ min: 128, max: 255 }).chain((byte) =>
  fc.constantFrom(`"\\x${hex2(byte)}"`, `"a\\${byte.toString(8)}"`),
);
const text = fc.oneof(often(40, quoted), often(12, byteString), often(1, highEscape));

const notations = (number) =>
  number < 0
    ? [String(number), `-0${String(-number)}`]
    : [String(number), `0x${number.toString(16)}`, `0x0${number.toString(16).toUpperCase()}`, `0${number.toString(8)}`];
const number = integer.chain((one) => fc.oneof(often(3, fc.constant(String(one))), often(1, fc.constantFrom(...notations(one)))));
const numberItem = fc.oneof(
  often(2, number),
  often(
    1,
    fc
      .tuple(fc.integer(SMALL), fc.nat({ max: 20 }))
      .chain(([first, more]) => fc.tuple(fc.constantFrom(...notations(first)), fc.constantFrom(...notations(first + more))))
      .map((ends) => ends.join("..")),
  ),
);
const addressItem = fc.oneof(
  often(3, address),
  often(3, fc.constantFrom("10.0.0.0/24", "10.0.0.0/30", "10.0.0.8/29", "10.0.0.1/32", "0.0.0.0/0", "128.0.0.0/1")),
  often(2, fc.constantFrom("::/0", "::/64", "2001:db8::/32", "::1/128", "::ffff:0:0/96", "2001:db8:0:0:1::/80")),
  often(2, fc.constantFrom("10.0.0.1..10.0.0.9", "10.0.0.1..10.0.0.1", "::1..::9", "::..2001:db8::", "10.0.0.5..10.0.1.0")),
);
const setOf = (item) =>
  fc.tuple(fc.array(fc.tuple(gap, item), { maxLength: 5 }), gap).map(([items, end]) => {
    const inner = items.map(([before, one], at) => before + (at > 0 && before === "" ? " " : "") + one).join("");
    return `{${inner}${end}}`;
  });
/** Strings need no space between them. */
const textSet = fc
  .tuple(fc.array(fc.tuple(gap, text), { maxLength: 5 }), gap)
  .map(([items, end]) => `{${items.map((item) => item.join("")).join("")}${end}}`);

// Regular expressions in the usual shapes, and with the corner cases in which engines differ.
const repeated = fc.constantFrom("", "", "", "?", "*", "+", "{2}", "{1,}", "{0,2}", "??", "*?", "+?", "{1,2}?");
const classItem = fc.oneof(
  often(4, fc.constantFrom("a", "b", "c", "a-c", "A-Z", "0-9", "/", ".", "_", "\\-", "\\]", "\\\\", "^", "-")),
  often(1, fc.constantFrom("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "[:alpha:]", "[:^digit:]", "[:punct:]", "[:word:]")),
  often(1, fc.constantFrom('"', "\\x61", "\\x{62}", "\\n", "\\xff", "\\x00-\\x7f", "é", "[a-b]", "&&[^b]", "--b", "~~[a-c]", "&", "[^a]")),
);
const regexClass = fc
  .tuple(fc.constantFrom("", "", "^"), fc.array(classItem, { minLength: 1, maxLength: 4 }))
  .map(([not, items]) => `[${not}${items.join("")}]`);
const atom = fc.oneof(
  often(10, fc.constantFrom("a", "b", "c", "A", "/", "0", "-", " ", "é", "_")),
  often(3, fc.constantFrom(".", ".", "\\.", "\\/", "\\-", "\\\\", "\\*", "\\?", "\\[", '\\"', "\\(", "\\{", "\\_", "\\@", "\\ ", "\\é")),
  often(3, fc.constantFrom("\\d", "\\D", "\\w", "\\W", "\\s", "\\S", "\\x61", "\\x{e9}", "\\xff", "\\u0061", "\\U00000062", "\\n", "\\t", "\\a", "\\v", "\\0", "\\1", "\\pL", "\\p{Greek}")),
  often(2, fc.constantFrom("^", "$", "\\A", "\\z", "\\Z", "\\b", "\\B", "\\b{start}", "\\<", "\\>", "\\b{end-half}")),
  often(4, regexClass),
);
const FLAGS = ["(?i)", "(?s)", "(?m)", "(?x)", "(?U)", "(?u)", "(?-u)", "(?R)", "(?is)", "(?i-s)", "(?iu)", "(?z)", "(?)"];
const pattern = fc.letrec((tie) => ({
  alternatives: fc.array(tie("sequence"), { minLength: 1, maxLength: 2 }).map((all) => all.join("|")),
  sequence: fc.array(tie("piece"), { maxLength: 4 }).map((all) => all.join("")),
  piece: fc.oneof(
    { maxDepth: 2 },
    often(8, joined(atom, repeated)),
    often(1, fc.constantFrom(...FLAGS)),
    often(
      2,
      fc
        .tuple(fc.constantFrom("(", "(", "(?:", "(?i:", "(?s-i:", "(?u:", "(?-u:", "(?P<n>", "(?<m>", "(?=", "(?x: "), tie("alternatives"), repeated)
        .map(([open, inner, times]) => `${open}${inner})${times}`),
    ),
  ),
})).alternatives;
/** The pattern as written after `matches`: outside a class a quote is escaped. */
const regex = pattern.map((one) => `"${one}"`);

const order = {
  words: ["eq", "ne", "lt", "le", "gt", "ge"],
  signs: ["==", "!=", "<", "<=", ">", ">="],
};
const operator = (words, signs) =>
  fc.oneof(
    often(3, joined(space, fc.constantFrom(...words), space)),
    ...(signs.length === 0 ? [] : [often(2, joined(gap, fc.constantFrom(...signs), gap))]),
  );
const ordering = operator(order.words, order.signs);
const member = operator(["in"], []);

const comparison = fc.oneof(
  often(4, joined(named("Bytes"), ordering, text)),
  often(2, joined(named("Bytes"), operator(["contains"], []), text)),
  often(4, joined(named("Bytes"), operator(["matches"], ["~"]), regex)),
  often(3, joined(named("Bytes"), member, textSet)),
  often(3, joined(named("Int"), ordering, number)),
  often(1, joined(named("Int"), operator(["bitwise_and"], ["&"]), number)),
  often(3, joined(named("Int"), member, setOf(numberItem))),
  often(3, joined(named("Ip"), ordering, address)),
  often(4, joined(named("Ip"), member, setOf(addressItem))),
  often(3, named("Bool")),
);
const logical = operator(["and", "or", "xor"], ["&&", "||", "^^"]);
const negation = fc.oneof(joined(fc.constant("not"), space), joined(fc.constant("!"), gap));

/** A filter expression that the old engine supports. */
export const expression = fc.letrec((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4 },
    often(5, comparison),
    often(2, joined(fc.constant("("), gap, tie("condition"), gap, fc.constant(")"))),
    often(2, joined(negation, tie("condition"))),
    often(5, joined(tie("condition"), logical, tie("condition"))),
  ),
})).condition;

const PIECES = [
  ...['"', "(", ")", "{", "}", "[", "]", "\\", " ", "\t", "\n", ",", "=", "..", "/", ":", "-", "+", "0", "x", "0x", "$", "#", "*", "?"],
  ...["not ", "and", "or", "xor", "in", "eq", "é", "\u0000", "\u00a0", "\u2028", "😀", "^", "&", "|", "!", "a", "f", "7", "8", ".", "ssl", "true"],
];
const mutation = fc.record({ at: fc.nat({ max: 1000 }), length: fc.nat({ max: 3 }), insert: fc.oneof(fc.constant(""), fc.constantFrom(...PIECES)) });

/** An expression with a few characters inserted, removed or replaced. */
export const mutated = fc.tuple(expression, fc.array(mutation, { minLength: 1, maxLength: 2 })).map(([whole, mutations]) =>
  mutations.reduce((one, { at, length, insert }) => {
    const place = at % (one.length + 1);
    return one.slice(0, place) + insert + one.slice(place + length);
  }, whole).toWellFormed(),
);

/** Generates `count` different values. */
export function sample(arbitrary, { count, seed }) {
  const seen = new Set();
  for (let round = 0; seen.size < count; round += 1) {
    for (const one of fc.sample(arbitrary, { numRuns: count, seed: seed + round })) {
      if (seen.size < count) seen.add(one);
    }
  }
  return Array.from(seen);
}

export function sampleContexts({ count, seed }) {
  return fc.sample(context, { numRuns: count, seed });
}

import type { Code } from "../../../tools/generator/code/code.js";
import { printCode } from "../../../tools/generator/code/print.js";
import { inComment, quoted, templatePart } from "../../../tools/generator/code/text.js";
import { formatted } from "../../support/typescript.js";
import { anyText, fc, runs } from "../../support/properties.js";

const evaluate = (text: string): unknown => new Function(`"use strict"; return (${text});`)() as unknown;
const AWKWARD = [
  'it\'s "so"',
  "back\\slash \\n \\u0041",
  "`tick` ${x} $ {",
  "日本語 العربية עברית ไทย ü",
  "\u2028\u2029\u202e\u200b\ufeff\u00a0",
  "\r\n\t\b\0",
  "\ud800 half",
  "😀 👨‍👩‍👧",
];

describe("texts", () => {
  test.each(AWKWARD)("%j round-trips", (text) => {
    expect(evaluate(quoted(text))).toBe(text);
    expect(evaluate(`\`${templatePart(text)}\``)).toBe(text);
  });

  test("any text round-trips, on one line and as a template", () => {
    const texts = fc.oneof(anyText(), fc.string({ unit: "grapheme" }), fc.stringMatching(/^[\\`$"'{\n]*$/));
    fc.assert(
      fc.property(texts, (text) => evaluate(quoted(text)) === text && evaluate(`\`${templatePart(text)}\``) === text),
    );
  });

  test("use the quotes that need fewer escapes", () => {
    expect(quoted("plain")).toBe('"plain"');
    expect(quoted('path eq "/a"')).toBe("'path eq \"/a\"'");
    expect(quoted(`it's "a"`)).toBe(`'it\\'s "a"'`);
    expect(quoted(`it's 1"`)).toBe(`"it's 1\\""`);
  });

  test("make invisible characters visible", () => {
    expect(quoted("a\u202eb\u200bc\u{e0041}")).toBe('"a\\u202eb\\u200bc\\u{e0041}"');
  });

  test("stay within a one-line comment", () => {
    expect(inComment("a\nb\u2028 c */ \u202e d")).toBe("a b c */ \\u202e d");
  });
});

const words = fc.oneof(
  fc.string(),
  fc.constantFrom(...AWKWARD, "two\nlines", 'http.request.uri.path eq "/a" and '.repeat(4), "日本語".repeat(20)),
  fc.string({ minLength: 60, maxLength: 140 }),
);
const keys = fc.oneof(
  fc.constantFrom("id", "name", "expression", "actionParameters", "x-a", "__proto__", "constructor", "1a", "12"),
  fc.stringMatching(/^[a-z0-9-]{0,8}$/),
);
const literal = (value: string | number | boolean): Code => ({ kind: "literal", value });
const { object } = fc.letrec<{ code: Code; object: Code }>((tie) => ({
  code: fc.oneof(
    { depthSize: "small" },
    words.map(literal),
    fc.oneof(fc.integer(), fc.boolean(), fc.double({ noNaN: true, noDefaultInfinity: true })).map(literal),
    fc.array(tie("code"), { maxLength: 6 }).map((items): Code => ({ kind: "list", items })),
    fc
      .array(fc.integer(), { minLength: 2, maxLength: 40 })
      .map((all): Code => ({ kind: "list", items: all.map(literal) })),
    tie("object"),
    fc.tuple(fc.stringMatching(/^[a-z "]{0,90}$/), tie("object"), fc.boolean()).map(([first, second, isNew]): Code => {
      return { kind: "call", isNew, callee: { kind: "name", text: "Listed" }, args: [literal(first), second] };
    }),
  ),
  object: fc
    .tuple(
      fc.uniqueArray(fc.tuple(keys, tie("code")), { minLength: 1, maxLength: 6, selector: ([key]) => key }),
      fc.boolean(),
    )
    .map(([members, open]): Code => ({
      kind: "object",
      open,
      members: members.map(([key, value]) => ({ key, value })),
    })),
}));

/** The value of the code, computed without the printer. */
function valueOf(code: Code): unknown {
  switch (code.kind) {
    case "literal":
      return code.value;
    case "list":
      return code.items.map(valueOf);
    case "object":
      return Object.fromEntries(code.members.map(({ key, value }) => [key as string, valueOf(value)]));
    case "call":
      return code.args.map(valueOf);
    default:
      throw new Error(code.kind);
  }
}

test("printed code evaluates to its input, and Prettier leaves it unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(object, async (code) => {
      const text = `const code = ${printCode(code, "const code = ")};\n`;
      expect(await formatted(text)).toBe(text);
      const listed = "function Listed(...all) { return all; }";
      const back = new Function(`${listed}\n${text}return JSON.stringify(code);`)() as string;
      expect(JSON.parse(back)).toEqual(JSON.parse(JSON.stringify(valueOf(code))));
    }),
    { numRuns: runs(200) },
  );
});

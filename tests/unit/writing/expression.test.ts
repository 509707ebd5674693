import * as pulumi from "@pulumi/pulumi";
import {
  checkExpression,
  compileExpression,
  isError,
  makeContext,
  parseExpression,
  type Condition,
} from "../../../core/language/index.js";
import { toBytes } from "../../../core/language/bytes.js";
import { and, expression, not, or, RulesetsError, type ExpressionValue } from "../../../provider/index.js";
import { anyText, fc } from "../../support/properties.js";

const text = (output: pulumi.Output<string>): Promise<string> =>
  (output as unknown as { promise(): Promise<string> }).promise();
const bad = (value: unknown): ExpressionValue => value as ExpressionValue;

function condition(source: string): Condition {
  const parsed = parseExpression(source);
  if ("fault" in parsed || parsed.expression.kind !== "filter") throw new Error(`cannot parse ${source}`);
  return parsed.expression.condition;
}

/** The right side of an expression that is a single comparison. */
function rightSide(source: string): unknown {
  const found = condition(source);
  if (found.kind !== "comparison" || !("right" in found.test)) throw new Error(`${source} is no comparison`);
  return found.test.right;
}

describe("values, written as a person would write them", () => {
  const list = ["192.0.2.0/24", "2001:db8::1"];
  test.each<[string, pulumi.Output<string>, string]>([
    ["a string", expression`http.host eq ${"shop.example.com"}`, 'http.host eq "shop.example.com"'],
    ["a quote", expression`http.host eq ${'a"b'}`, 'http.host eq "a\\"b"'],
    ["a backslash", expression`http.host eq ${"C:\\dir"}`, 'http.host eq r"C:\\dir"'],
    ["control characters", expression`http.host eq ${"a\n\\"}`, 'http.host eq "a\\x0A\\\\"'],
    ["any script", expression`http.host eq ${"žluťoučký 猫 🐈"}`, 'http.host eq "žluťoučký 猫 🐈"'],
    ["an empty string", expression`http.referer eq ${""}`, 'http.referer eq ""'],
    ["a number", expression`cf.bot_management.score lt ${30}`, "cf.bot_management.score lt 30"],
    ["a negative number", expression`cf.threat_score gt ${-1}`, "cf.threat_score gt -1"],
    ["a bigint", expression`cf.threat_score gt ${2n ** 63n - 1n}`, "cf.threat_score gt 9223372036854775807"],
    ["a boolean", expression`${true}`, "true"],
    ["a set of strings", expression`http.host in ${["a", "b c"]}`, 'http.host in {"a" "b c"}'],
    ["a set of numbers", expression`ip.src.asnum in ${[64496, 64511]}`, "ip.src.asnum in {64496 64511}"],
    ["addresses", expression`ip.src in ${list}`, "ip.src in {192.0.2.0/24 2001:db8::1}"],
    ["an address", expression`ip.src == ${"192.0.2.1"}`, "ip.src == 192.0.2.1"],
    ["a range of addresses", expression`ip.src in ${["192.0.2.1..192.0.2.9"]}`, "ip.src in {192.0.2.1..192.0.2.9}"],
    [
      "items of a set",
      expression`ip.src in {${"192.0.2.1"} 10.0.0.0/8 ${"192.0.2.3"}} and http.host in {"}" ${"a"}}`,
      'ip.src in {192.0.2.1 10.0.0.0/8 192.0.2.3} and http.host in {"}" "a"}',
    ],
    ["the name of a list", expression`ip.src in $${"office_network"}`, "ip.src in $office_network"],
    ["a key", expression`http.request.headers[${"x-a"}][0] eq ${"b"}`, 'http.request.headers["x-a"][0] eq "b"'],
    ["a pattern", expression`http.user_agent matches ${"^curl/"}`, 'http.user_agent matches "^curl/"'],
    [
      "a pattern with special characters",
      expression`http.user_agent ~ ${'["\\d]+"'}`,
      'http.user_agent ~ r#"["\\d]+""#',
    ],
    [
      "a pattern written as a literal",
      expression`http.user_agent matches "[\"]\d" and ssl`,
      'http.user_agent matches "[\\"]\\d" and ssl',
    ],
    [
      "lines",
      expression`
      http.host eq ${"a"}
      and ssl
    `,
      'http.host eq "a"\n      and ssl',
    ],
  ])("%s", async (_what, output, written) => {
    expect(await text(output)).toBe(written);
    expect(checkExpression(written).filter(isError)).toEqual([]);
  });

  test.each<[string, () => pulumi.Output<string>, string]>([
    [
      "NaN",
      () => expression`cf.threat_score gt ${NaN}`,
      "expression: value 1, after `cf.threat_score gt`, is NaN; the language has whole numbers only.",
    ],
    ["infinite", () => expression`a gt ${Infinity}`, "is infinite"],
    ["a fraction", () => expression`a gt ${1.5}`, "is a fraction; the language has whole numbers only"],
    ["a number that lost precision", () => expression`a gt ${2 ** 60}`, "write it as a bigint"],
    ["65 bits", () => expression`a gt ${2n ** 63n}`, "does not fit in 64 bits"],
    ["undefined", () => expression`a eq ${bad(undefined)}`, "is undefined; it must be a string"],
    ["null", () => expression`a eq ${bad(null)}`, "is null"],
    ["an object", () => expression`ssl and a eq ${bad({})}`, "after `ssl and a eq`, is an object"],
    ["a date", () => expression`a eq ${bad(new Date(0))}`, "is a Date"],
    ["an empty list", () => expression`http.host in ${[]}`, "is an empty list, but the language has no empty set"],
    ["mixed types", () => expression`http.host in ${["a", 1]}`, "mixes strings and numbers (item 2)"],
    ["a nested list", () => expression`http.host in ${bad([["a"]])}`, "contains a list (item 1)"],
    ["a boolean in a list", () => expression`http.host in ${bad([true])}`, "contains a boolean (item 1)"],
    ["half of a surrogate pair", () => expression`http.host eq ${"\ud800"}`, "lone surrogate"],
    ["not an address", () => expression`ip.src eq ${"localhost"}`, "is not an IP address, a prefix"],
    [
      "a prefix with bits after it",
      () => expression`ip.src in ${["192.0.2.1/24"]}`,
      "bits set beyond the prefix length",
    ],
    ["not a list name", () => expression`ip.src in $${"Office Network"}`, "is not the name of a list"],
    [
      "quotes around it",
      () => expression`ssl and http.host eq "${"a"}"`,
      'after `ssl and http.host eq "`, is inside quotes',
    ],
    ["a pattern around it", () => expression`a matches "[\"]${"a"}"`, "is inside quotes"],
    ["a raw string around it", () => expression`a eq r#"b" ${"a"}"#`, "is inside quotes"],
    [
      "an expression as a pattern",
      () => expression`a matches ${expression`ssl`}`,
      "is an expression, but a string is needed here",
    ],
    ["an expression in a list", () => expression`a in ${[expression`ssl`]}`, "contains an expression"],
    ["a call", () => expression("ssl" as never), "write expression`…`"],
    ["no conditions", () => and(), "and() needs at least one condition"],
    ["a blank condition", () => or("ssl", " "), "or, condition 2 is blank"],
    ["an absent condition", () => not(undefined as never), "not must be a string in the rules language"],
  ])("%s is refused with its position", (_what, make, message) => {
    expect(make).toThrow(RulesetsError);
    expect(make).toThrow(message);
  });

  test("an error shows no value, which may be secret", () => {
    const make = () => expression`ip.src eq ${"hunter2"}`;
    expect(make).toThrow(/^(?!.*hunter2).*value 1, after `ip.src eq`, is not an IP address/);
  });
});

describe("any value", () => {
  // Every kind of character, and more of those with a meaning.
  const quotableText = fc.oneof(
    anyText(),
    fc.string({ unit: fc.constantFrom('"', "\\", "#", "r", "[", "]", "{", "}", "$", "\n", "\0", "x", "é", " ") }),
  );

  test("a string is the same after parsing", () =>
    fc.assert(
      fc.asyncProperty(quotableText, async (value) => {
        expect(rightSide(await text(expression`http.host eq ${value}`))).toMatchObject({ value: toBytes(value) });
      }),
    ));

  test("a pattern is the same after parsing", () =>
    fc.assert(
      fc.asyncProperty(quotableText, async (value) => {
        expect(rightSide(await text(expression`http.host matches ${value}`))).toMatchObject({ pattern: value });
      }),
    ));

  test("a set contains the same strings or numbers", () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(quotableText, { minLength: 1 }).map((items) => ({ items, field: "http.host" })),
          fc
            .array(fc.oneof(fc.maxSafeInteger(), fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n)), { minLength: 1 })
            .map((items) => ({ items, field: "cf.threat_score" })),
        ),
        async ({ items, field }) => {
          const written = await text(expression`${expression.raw(field)} in ${items}`);
          const set = rightSide(written) as { items: readonly { value: unknown }[] };
          const plain = (item: unknown): unknown => (typeof item === "string" ? toBytes(item) : BigInt(item as number));
          expect(set.items.map(({ value }) => (typeof value === "string" ? value : BigInt(value as number)))).toEqual(
            items.map(plain),
          );
        },
      ),
    ));

  test("only a request with that exact string matches", () =>
    fc.assert(
      fc.asyncProperty(quotableText, quotableText, async (one, other) => {
        const condition = compileExpression(await text(expression`http.user_agent eq ${one}`));
        const on = (agent: string) => condition.matches(makeContext({ fields: { "http.user_agent": agent } }));
        expect([on(one), on(other)]).toEqual([true, one === other]);
      }),
    ));

  test("nested conditions keep their meaning, with no more parentheses than needed", () => {
    const leaf = fc.constantFrom("ssl", "cf.client.bot", 'http.host eq "a and b"', "(ssl)", "not ssl");
    const tree: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        leaf.map((of) => ({ of })),
        fc.record({
          op: fc.constantFrom("and" as const, "or" as const, "template" as const, "not" as const),
          items: fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
        }),
      ),
    })).tree;
    return fc.assert(
      fc.asyncProperty(tree, async (one) => {
        const written = await text(built(one));
        for (const [ssl, bot, host] of [
          [true, true, true],
          [true, false, false],
          [false, true, false],
          [false, false, true],
          [true, false, true],
          [false, true, true],
        ] as const) {
          const given = { "cf.client.bot": bot, ssl, "http.host": host ? "a and b" : "c" };
          const context = makeContext({ fields: given });
          expect(compileExpression(written).matches(context)).toBe(meaning(one, given));
        }
      }),
    );
  });
});

type Tree =
  | { readonly of: string }
  | { readonly op: "and" | "or" | "not" | "template"; readonly items: readonly Tree[] };

function built(tree: Tree): pulumi.Output<string> {
  if ("of" in tree) return expression.raw(tree.of);
  const items = tree.items.map(built);
  const [a = pulumi.output(""), b = a] = items;
  switch (tree.op) {
    case "and":
      return and(...items);
    case "or":
      return or(...items);
    case "not":
      return not(a);
    case "template":
      return expression`${a} or not ${b} and ${a} xor ${b}`;
  }
}

function meaning(
  tree: Tree,
  given: { readonly "cf.client.bot": boolean; readonly ssl: boolean; readonly "http.host": string },
): boolean {
  if ("of" in tree) {
    if (tree.of === "cf.client.bot") return given["cf.client.bot"];
    if (tree.of.startsWith("http.host")) return given["http.host"] === "a and b";
    return tree.of === "not ssl" ? !given.ssl : given.ssl;
  }
  const [a = false, b = a, ...more] = tree.items.map((item) => meaning(item, given));
  switch (tree.op) {
    case "and":
      return a && b && more.every(Boolean);
    case "or":
      return a || b || more.some(Boolean);
    case "not":
      return !a;
    case "template":
      // `and` binds tighter than `xor`, and `xor` tighter than `or`.
      return a || (!b && a) !== b;
  }
}

describe("nested expressions", () => {
  const either = expression`http.host eq ${"a"} or ssl`;
  test.each<[pulumi.Output<string>, string]>([
    [expression`${either} and ssl`, '(http.host eq "a" or ssl) and ssl'],
    [expression`${either} or ssl`, 'http.host eq "a" or ssl or ssl'],
    [expression`not ${either}`, 'not (http.host eq "a" or ssl)'],
    [expression`(${either}) and ssl`, '(http.host eq "a" or ssl) and ssl'],
    [expression`${either}`, 'http.host eq "a" or ssl'],
    [and(either, "ssl && cf.client.bot"), '(http.host eq "a" or ssl) and ssl && cf.client.bot'],
    [or("a.b new_syntax c or d", "ssl"), "(a.b new_syntax c or d) or ssl"],
    [not(not("ssl")), "ssl"],
    [not("ssl or cf.client.bot"), "not (ssl or cf.client.bot)"],
    [and("ssl"), "ssl"],
    [expression`lower(${expression`http.host`}) eq ${"a"}`, 'lower(http.host) eq "a"'],
    [
      expression`any(${expression`http.request.headers.names[*] in ${["a"]} or ssl`})`,
      'any(http.request.headers.names[*] in {"a"} or ssl)',
    ],
    [expression`${pulumi.output("a or b")} and ssl`, '"a or b" and ssl'],
    [expression`${expression.raw(pulumi.output("ssl or cf.client.bot"))} and ssl`, "(ssl or cf.client.bot) and ssl"],
  ])("%#", async (output, written) => {
    expect(await text(output)).toBe(written);
  });
});

describe("outputs", () => {
  test("are lifted, also in lists, and secrets stay secret", async () => {
    const open = expression`http.host in ${[pulumi.output("a"), Promise.resolve("b")]}`;
    expect([await text(open), await pulumi.isSecret(open)]).toEqual(['http.host in {"a" "b"}', false]);
    const secret = expression`http.host eq ${pulumi.secret("a")}`;
    for (const output of [
      secret,
      and(secret, "ssl"),
      not(secret),
      expression`${secret} or ssl`,
      expression.raw(secret),
    ])
      expect(await pulumi.isSecret(output)).toBe(true);
  });
});

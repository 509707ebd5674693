import { alternatives, literalsOf } from "../../../provider/migration/expression-text.js";

describe("an expression in one form", () => {
  test.each([
    ["spaces and brackets around it", "( ( ip.src  eq 192.0.2.1 ) )", ["ip.src eq 192.0.2.1"]],
    ["the other spelling of operators", 'http.host=="a"&&!ssl', ['http.host eq "a" and not ssl']],
    ["alternatives", '(ssl) or (http.host eq "a" and ssl)', ["ssl", 'http.host eq "a" and ssl']],
    ["alternatives inside of brackets stay together", "(a or b) and c", ["( a or b ) and c"]],
    ["brackets that only look as if they enclosed it", "(a) and (b)", ["( a ) and ( b )"]],
    [
      "signs inside of strings",
      'http.user_agent contains "a or (b" or ssl',
      ['http.user_agent contains "a or (b"', "ssl"],
    ],
    [
      "escapes and raw strings",
      String.raw`a eq "x\" or y" or b matches r#"(" or "#`,
      [String.raw`a eq "x\" or y"`, String.raw`b matches r#"(" or "#`],
    ],
    ["names that no operator may change", "constructor or toString", ["constructor", "toString"]],
    ["nothing", "", [""]],
    ["brackets that nobody opened", "a) or (b", ["a ) or ( b"]],
  ])("%s", (_, expression, expected) => {
    expect(alternatives(expression)).toEqual(expected);
  });
});

describe("the strings of an expression", () => {
  test.each([
    [
      'a eq "x" and not b eq "y"',
      [
        ["x", false],
        ["y", true],
      ],
    ],
    [
      'not (a eq "x" or b eq "y") and c eq "z"',
      [
        ["x", true],
        ["y", true],
        ["z", false],
      ],
    ],
    [
      'a ne "x" or not a ne "y"',
      [
        ["x", true],
        ["y", false],
      ],
    ],
    ['not lower(a) eq "x"', [["x", true]]],
    [
      'not starts_with(a, "x") and ends_with(a, "y")',
      [
        ["x", true],
        ["y", false],
      ],
    ],
    ['not (not a eq "x")', [["x", false]]],
    [
      String.raw`a wildcard r"*x\y*" and b eq "q\"q"`,
      [
        [String.raw`*x\y*`, false],
        ['q"q', false],
      ],
    ],
  ] as [string, [string, boolean][]][])("%s", (expression, expected) => {
    expect(literalsOf(expression)).toEqual(expected.map(([text, negated]) => ({ text, negated })));
  });
});

test("a long expression is read in one go", () => {
  const deep = `${"(".repeat(50_000)}ssl${")".repeat(50_000)}`;
  expect(alternatives(deep)).toEqual(["ssl"]);
});

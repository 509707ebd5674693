import { readExpression } from "../../../core/previous-waf/readiness/expression-text.js";

describe("the alternatives of an expression, each in a normal form", () => {
  test.each([
    ["spaces and parentheses around it", "( ( ip.src  eq 192.0.2.1 ) )", ["ip.src eq 192.0.2.1"]],
    ["the other notation of operators", 'http.host=="a"&&!ssl', ['http.host eq "a" and not ssl']],
    ["alternatives", '(ssl) or (http.host eq "a" and ssl)', ["ssl", 'http.host eq "a" and ssl']],
    ["alternatives in redundant parentheses", "ssl or (not ssl or (ssl))", ["ssl", "not ssl", "ssl"]],
    [
      "nested alternatives",
      '(ssl or ip.src eq 192.0.2.1) and http.host eq "a"',
      ['(ssl or ip.src eq 192.0.2.1) and http.host eq "a"'],
    ],
    ["what cannot be parsed", ' newer.field is "x" or (', ['newer.field is "x" or (']],
    ["nothing", "", [""]],
  ])("%s", (_, expression, expected) => {
    expect(readExpression(expression).alternatives).toEqual(expected);
  });
});

describe("the strings of an expression, and whether they must be absent", () => {
  test.each<[string, [string, boolean][]]>([
    [
      'http.host eq "x" and not http.host eq "y"',
      [
        ["x", false],
        ["y", true],
      ],
    ],
    [
      'not (http.host eq "x" or http.host contains "y") and http.referer eq "z"',
      [
        ["x", true],
        ["y", true],
        ["z", false],
      ],
    ],
    [
      'http.host ne "x" or not http.host ne "y"',
      [
        ["x", true],
        ["y", false],
      ],
    ],
    ['not lower(http.host) eq "x"', [["x", true]]],
    [
      'not starts_with(http.host, "x") and ends_with(http.host, "y")',
      [
        ["x", true],
        ["y", false],
      ],
    ],
    [
      'http.host in {"y" "x"}',
      [
        ["x", false],
        ["y", false],
      ],
    ],
    ['any(http.request.headers.names[*] eq "x")', [["x", false]]],
    [
      'http.host wildcard r"*x*" and http.referer eq "ü\\"ü"',
      [
        ["*x*", false],
        ['ü"ü', false],
      ],
    ],
    ['ip.src eq 192.0.2.1 and http.host matches "x" and tcp.dstport in {1 2} and ssl', []],
    ["what cannot be read (", []],
  ])("%s", (expression, expected) => {
    expect(readExpression(expression).literals).toEqual(expected.map(([text, negated]) => ({ text, negated })));
  });
});

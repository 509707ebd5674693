import { parseExpression, usesOf } from "../../../core/language/index";

function uses(text: string, kind: "filter" | "value" = "filter"): { operators: string[]; functions: string[] } {
  const parsed = parseExpression(text, kind);
  if ("fault" in parsed) throw new Error(parsed.fault.message);
  const { operators, functions } = usesOf(parsed.expression);
  return { operators: [...operators].sort(), functions: [...functions].sort() };
}

describe("what an expression uses", () => {
  it.each<[string, string[], string[]]>([
    ["ssl", [], []],
    ["!(ssl && ssl) xor ssl", ["and", "not", "xor"], []],
    ['http.host ~ "a" or http.host == "b" or tcp.flags & 1', ["bitwise_and", "eq", "matches", "or"], []],
    [
      'http.host strict wildcard "a*" or http.host wildcard "a*" or http.host in $a',
      ["in", "or", "strict wildcard", "wildcard"],
      [],
    ],
    [
      'any(lower(http.request.headers.names[*])[*] contains "x") and len(http.host) ge len(http.referer)',
      ["and", "contains", "ge"],
      ["any", "len", "lower"],
    ],
    ['http.host contains "matches(a) ~ lower(b)"', ["contains"], []],
  ])("%s", (text, operators, functions) => {
    expect(uses(text)).toEqual({ operators, functions });
  });

  it("includes those of values", () => {
    expect(uses('concat(lower(http.host), "a")', "value").functions).toEqual(["concat", "lower"]);
  });

  it("includes fields and lists, each once", () => {
    const parsed = parseExpression(
      'ip.src in $office or (http.host eq "a" and lower(http.host) ne http.referer)',
      "filter",
    );
    if ("fault" in parsed) throw new Error(parsed.fault.message);
    const { fields, lists } = usesOf(parsed.expression);
    expect([...fields]).toEqual(["ip.src", "http.host", "http.referer"]);
    expect([...lists]).toEqual(["office"]);
  });
});

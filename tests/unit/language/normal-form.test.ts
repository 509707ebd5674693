import { normalForm, sameMeaning } from "../../../core/language/index";
import { outlineOf } from "../../../core/language/normalise/outline";

describe("expressions with the same meaning", () => {
  it.each([
    ["  ssl\n and  ssl\t", "ssl and ssl"],
    ["ssl&&ssl", "ssl and ssl"],
    ["(ssl)", "ssl"],
    ["((ssl and ssl)) and ssl", "ssl and ssl and ssl"],
    ["(ssl or ssl) or (ssl or ssl)", "ssl or ssl or ssl or ssl"],
    ["ssl or (ssl and ssl)", "ssl or ssl and ssl"],
    ["not not ssl", "ssl"],
    ["!(!(ssl))", "ssl"],
    ['not (http.host eq "a")', 'not http.host eq "a"'],
    ['http.host == "a"', 'http.host eq "a"'],
    ['http.host eq r#"a"#', 'http.host eq "\\x61"'],
    ["http.host eq 61:62", 'http.host eq "ab"'],
    ["tcp.dstport eq 0x50", "tcp.dstport eq 0120"],
    ["tcp.dstport in {80 443}", "tcp.dstport in {443 80 80}"],
    ["tcp.dstport in {1 2 3}", "tcp.dstport in {1..3}"],
    ["ip.src in {10.0.0.0/25 10.0.0.128/25}", "ip.src in {10.0.0.0..10.0.0.255}"],
    ["ip.src in {10.0.0.1/32}", "ip.src in {10.0.0.1}"],
    ["ip.src eq 2001:DB8:0::1", "ip.src eq 2001:db8::1"],
    ['http.host in {"bb" "a"}', 'http.host in {r"a" 62:62 "bb"}'],
    ['http.host matches "a\\"b"', 'http.host ~ r#"a"b"#'],
    ['any((http.request.headers.names[*] eq "a"))', 'any(http.request.headers.names[*]eq"a")'],
    ["tcp.flags & 1", "tcp.flags bitwise_and 01"],
    ['lower( http.host )eq"a"', 'lower(http.host) eq "a"'],
  ])("%s and %s", (a, b) => {
    expect(normalForm(a)).toBe(normalForm(b));
    expect(outlineOf(a)).toBe(outlineOf(b));
    expect(sameMeaning(a, b)).toBe(true);
  });

  it("includes value expressions", () => {
    expect(sameMeaning('concat( http.host,r"a" )', 'concat(http.host, "a")', "value")).toBe(true);
  });
});

describe("expressions with different meanings", () => {
  it.each([
    ["ssl and (ssl or ssl)", "ssl and ssl or ssl"],
    ["not (ssl and ssl)", "not ssl and ssl"],
    ['http.host eq "a"', 'http.host eq "A"'],
    ['http.host eq " a"', 'http.host eq "a"'],
    ["(ssl xor ssl) or ssl", "ssl xor (ssl or ssl)"],
    ['http.host wildcard "a"', 'http.host strict wildcard "a"'],
    ['not http.host eq "a"', 'http.host ne "a"'],
    ['all(starts_with(http.request.headers["a"][*], "x"))', 'all((starts_with(http.request.headers["a"][*], "x")))'],
    ["ip.src in {10.0.0.0/24}", "ip.src in {10.0.0.0/25}"],
    ["ip.src in {0.0.0.0/0}", "ip.src in {::/0}"],
    ["ssl and", "ssl  and"],
  ])("%s and %s", (a, b) => {
    expect(sameMeaning(a, b)).toBe(false);
  });
});

it("outlines mostly tell expressions of different meanings apart", () => {
  const outlines = ['http.host in {"a" "b"}', 'http.host in {"b" "c"}', 'http.host eq "a"', "ip.src in {1.1.1.1}"].map(
    (text) => outlineOf(text),
  );
  expect(new Set(outlines).size).toBe(3);
});

describe("the normal form", () => {
  it("keeps the order of conditions", () => {
    expect(normalForm('http.host eq "b" or http.host eq "a"')).toBe('http.host eq "b" or http.host eq "a"');
  });

  it("adds parentheses only where they are needed", () => {
    expect(normalForm("((ssl) or (not (ssl and ssl))) and ((ssl))")).toBe("(ssl or not (ssl and ssl)) and ssl");
    expect(
      normalForm('any(((http.request.headers.names[*] eq "a") and (not http.request.headers.names[*] eq "b")))'),
    ).toBe('any((http.request.headers.names[*] eq "a" and not http.request.headers.names[*] eq "b"))');
  });

  it("does not exist for an expression that cannot be parsed", () => {
    expect(normalForm("ssl and")).toBeUndefined();
  });
});

import { parseExpression, type Comparison } from "../../../core/language/index";
import { formatIp } from "../../../core/language/ip";

/** The right side of a comparison, as a plain value. */
function right(text: string): unknown {
  const parsed = parseExpression(text);
  if ("fault" in parsed) return parsed.fault.message;
  if (parsed.expression.kind !== "filter") return undefined;
  const { test } = parsed.expression.condition as Comparison;
  if (!("right" in test) || !("kind" in test.right)) return undefined;
  switch (test.right.kind) {
    case "string":
    case "integer":
      return test.right.value;
    case "ip":
      return formatIp(test.right.value);
    case "regex":
      return test.right.pattern;
    case "list":
      return test.right.name;
    case "set":
      return test.right.items.length;
    default:
      return test.right.kind;
  }
}

describe("strings", () => {
  it.each([
    [String.raw`http.host eq "a"`, "a"],
    [String.raw`http.host eq ""`, ""],
    [String.raw`http.host eq "a\"b\\c"`, 'a"b\\c'],
    [String.raw`http.host eq "\x41\x0a\101\377"`, "A\nA\xff"],
    [`http.host eq "a\nb"`, "a\nb"],
    [`http.host eq "é"`, "\xc3\xa9"],
    [String.raw`http.host eq r"a\n\x41"`, String.raw`a\n\x41`],
    [`http.host eq r#"a"b"#`, 'a"b'],
    [`http.host eq r##"a"#b"##`, 'a"#b'],
    [`http.host eq r"a"`, "a"],
    ["http.host eq 68:6F:73", "hos"],
    [`http.host contains 00:ff`, "\x00\xff"],
    [`http.host contains r"é"`, "\xc3\xa9"],
  ])("reads %s", (text, value) => {
    expect(right(text)).toBe(value);
  });

  it.each([
    [String.raw`http.host eq "\n"`, /`\\n` is not a valid escape/],
    [String.raw`http.host eq "\u0041"`, /`\\u` is not a valid escape/],
    [String.raw`http.host eq "\x4"`, /`\\x` is not a valid escape/],
    [String.raw`http.host eq "\400"`, /`\\4` is not a valid escape/],
    [String.raw`http.host eq "\18"`, /`\\1` is not a valid escape/],
    [`http.host eq "a`, /no closing/],
    [String.raw`http.host eq "a\"`, /no closing/],
    [`http.host eq r#"a"`, /no closing/],
    [`http.host eq 'a'`, /written in double quotes/],
    ["http.host eq “a”", /straight quote/],
    ["http.host eq a", /put the string in quotes: `"a"`/],
    [`http.host eq r${"#".repeat(256)}"a"${"#".repeat(256)}`, /at most 255/],
    ["http.host matches 61:62", /a quoted pattern/],
    ["http.host wildcard 61:62", /a quoted pattern/],
  ])("refuses %s", (text, message) => {
    expect(right(text)).toMatch(message);
  });

  it("reads 255 hashes", () => {
    const hashes = "#".repeat(255);
    expect(right(`http.host eq r${hashes}"a"${hashes}`)).toBe("a");
  });
});

describe("patterns after matches", () => {
  it.each([
    [String.raw`http.host matches "a\"b"`, 'a"b'],
    [String.raw`http.host matches "\d\\"`, String.raw`\d\\`],
    [String.raw`http.host matches "[\"]"`, String.raw`[\"]`],
    [String.raw`http.host matches "["]x"`, '["]x'],
    [String.raw`http.host ~ r#"a"b\"#`, String.raw`a"b` + "\\"],
    [String.raw`http.host matches "\[\""`, String.raw`\["`],
  ])("reads %s", (text, pattern) => {
    expect(right(text)).toBe(pattern);
  });

  it("reports an open bracket that swallows the closing quote", () => {
    expect(right(`http.host matches "[a"`)).toMatch(/A `\[` is open/);
  });
});

describe("integers", () => {
  it.each([
    ["tcp.dstport eq 0", 0],
    ["tcp.dstport eq 80", 80],
    ["tcp.dstport eq -80", -80],
    ["tcp.dstport eq 0x1F", 31],
    ["tcp.dstport eq 017", 15],
    ["tcp.dstport eq -017", -17],
    ["tcp.dstport eq 9007199254740991", 9007199254740991],
    ["tcp.dstport eq 9223372036854775807", 9223372036854775807n],
    ["tcp.dstport eq -9223372036854775808", -9223372036854775808n],
    ["tcp.dstport eq 0x7fffffffffffffff", 9223372036854775807n],
    ["tcp.dstport eq 00000000000000000000000000000001", 1],
  ])("reads %s", (text, value) => {
    expect(right(text)).toBe(value);
  });

  it.each([
    ["tcp.dstport eq 08", /leading 0 makes it octal/],
    ["tcp.dstport eq 9223372036854775808", /64 bits/],
    ["tcp.dstport eq -9223372036854775809", /64 bits/],
    ["tcp.dstport eq 0x8000000000000000", /64 bits/],
    [`tcp.dstport eq 1${"0".repeat(4000)}`, /64 bits/],
    ["tcp.dstport eq 1e3", /`1e3` is not a valid integer/],
    ["tcp.dstport eq 1.5", /`1.5` is not an integer/],
    ["tcp.dstport eq -0x1", /expected|not a/],
    ["tcp.dstport eq +1", /expected an integer/],
    ["tcp.dstport eq eighty", /expected an integer, found `eighty`/],
    ["tcp.dstport in {9..1}", /range is empty/],
    ["tcp.dstport in {1, 2}", /not commas/],
    ["tcp.dstport in {1 a}", /expected an integer or `}`/],
  ])("refuses %s", (text, message) => {
    expect(right(text)).toMatch(message);
  });
});

describe("addresses", () => {
  it.each([
    ["ip.src eq 192.0.2.1", "192.0.2.1"],
    ["ip.src eq ::", "::"],
    ["ip.src eq 2001:DB8::1", "2001:db8::1"],
    ["ip.src eq ::ffff:192.0.2.1", "::ffff:c000:201"],
    ["ip.src eq 1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
  ])("reads %s", (text, value) => {
    expect(right(text)).toBe(value);
  });

  it.each([
    ["ip.src eq 192.0.2.0/24", /compare it with `in {192.0.2.0\/24}`/],
    ["ip.src eq 192.0.2", /not a valid IP address/],
    ["ip.src eq 192.0.2.01", /not a valid IP address/],
    ["ip.src eq 192.0.2.256", /not a valid IP address/],
    ["ip.src eq 1:2:3:4:5:6:7:8:9", /not a valid IP address/],
    ["ip.src eq 1::2::3", /not a valid IP address/],
    ["ip.src eq 12345::", /not a valid IP address/],
    ["ip.src eq 1:2:3:4:5:6:7::8", /not a valid IP address/],
    ["ip.src eq ::1%eth0", /expected|found `%`/],
    ["ip.src in {192.0.2.1/24}", /the network is `192.0.2.0\/24`/],
    ["ip.src in {192.0.2.0/99}", /invalid prefix length/],
    ["ip.src in {2001:db8::/129}", /invalid prefix length/],
    ["ip.src in {192.0.2.9..192.0.2.1}", /not a valid range/],
    ["ip.src in {192.0.2.1..::1}", /not a valid range/],
    ["ip.src in {192.0.2.1, 192.0.2.2}", /not commas/],
    ["ip.src in 192.0.2.0/24", /in braces: `in {192.0.2.0\/24}`/],
    ["ip.src in {localhost}", /expected an IP address/],
  ])("refuses %s", (text, message) => {
    expect(right(text)).toMatch(message);
  });

  it("reads every form of a set item", () => {
    expect(right("ip.src in {192.0.2.1 10.0.0.0/8 192.0.2.1..192.0.2.9 ::1 2001:db8::/32}")).toBe(5);
    expect(right("ip.src in{}")).toBe(0);
    expect(right(`http.host in {"a""b"}`)).toBe(2);
    expect(right("tcp.dstport in {1 2..3 0x10}")).toBe(3);
  });
});

describe("lists", () => {
  it.each([
    ["ip.src in $office", "office"],
    ["ip.src in $cf.open_proxies", "cf.open_proxies"],
    ["ip.src in$a1_", "a1_"],
  ])("reads %s", (text, name) => {
    expect(right(text)).toBe(name);
  });

  it.each(["ip.src in $", "ip.src in $.a", "ip.src in $a.", "ip.src in $Office"])("refuses %s", (text) => {
    expect(right(text)).toMatch(/a list is written|expected/);
  });
});

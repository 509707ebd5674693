import { createHmac } from "node:crypto";
import {
  compileExpression,
  compileValueExpression,
  ExpressionError,
  makeContext,
  UndecidedError,
  Unknown,
  type PlainValue,
} from "../../../core/language/index";

const FIELDS: Readonly<Record<string, PlainValue>> = {
  "http.host": "shop.example.com",
  "http.request.uri.path": "/Blog/Post.html",
  "http.user_agent": "caf\u00e9",
  "tcp.dstport": 443,
  "tcp.flags": 0b10010,
  "cf.bot_management.score": 9223372036854775807n,
  "http.request.timestamp.sec": 1484063200,
  "ip.src": "203.0.113.9",
  "cf.edge.server_ip": "2001:db8::1",
  "ip.addr": "::ffff:203.0.113.9",
  ssl: true,
  "cf.client.bot": false,
  "http.request.headers.names": ["Accept", "X-Debug"],
  "http.request.headers": { accept: ["text/html", "image/png"], "x-debug": ["1"], "x-empty": [] },
  "http.request.uri.args": { b: ["2", "3"], a: ["1"] },
  "http.request.uri.args.values": [],
  "http.request.cookies": null,
  "http.referer": null,
  "http.request.body.raw": '{"a": {"b": [1, 42.0, "x", 9223372036854775808]}, "n": -5, "s": "\u00e9"}',
  "http.request.uri.query": "a=1&b=2&a=3&c",
};
const context = makeContext({
  fields: FIELDS,
  lists: { office: ["203.0.113.0/24"], hosts: ["*.example.com", "a.org"], ports: [443] },
});

const evaluate = (text: string): unknown => compileExpression(text).evaluate(context).value;
const computed = (text: string): unknown => compileValueExpression(text).value(context);

describe("comparisons", () => {
  it.each([
    ['http.host eq "shop.example.com"', true],
    ['http.host ne "shop.example.com"', false],
    ['http.host lt "shop.example.d"', true],
    ['http.host ge "shop"', true],
    ['http.user_agent eq "caf\\xc3\\xa9"', true],
    ["http.user_agent eq 63:61:66:c3:a9", true],
    ['http.user_agent gt "caf\\xc3"', true],
    ['http.user_agent lt "caf\\xff"', true],
    ['http.host contains ""', true],
    ['http.host contains "example"', true],
    ['http.host contains "EXAMPLE"', false],
    ['http.host in {"a" "shop.example.com"}', true],
    ['http.host in {"a" "b"}', false],
    ["http.host in {}", false],
    ["tcp.dstport eq 443", true],
    ["tcp.dstport in {1..442 444..500}", false],
    ["tcp.dstport in {1..443}", true],
    ["cf.bot_management.score eq 9223372036854775807", true],
    ["cf.bot_management.score gt 9223372036854775806", true],
    ["cf.bot_management.score in {9223372036854775806..9223372036854775807}", true],
    ["tcp.flags & 2", true],
    ["tcp.flags & 4", false],
    ["not tcp.flags & 2", false],
    ["cf.bot_management.score & 0x4000000000000000", true],
    ["ip.src eq 203.0.113.9", true],
    ["ip.src in {203.0.113.0/24}", true],
    ["ip.src in {10.0.0.0/8 203.0.113.1..203.0.113.9}", true],
    ["ip.src lt 203.0.113.10", true],
    ["ip.src in $office", true],
    ["http.host in $hosts", true],
    ["tcp.dstport in $ports", true],
    ["http.host eq http.host", true],
    ["len(http.host) gt len(http.user_agent)", true],
    ["ssl", true],
    ["true", true],
    ["false", false],
    ["not true", false],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("addresses of both versions", () => {
  it.each([
    ["ip.src eq ::ffff:203.0.113.9", false],
    ["ip.src ne ::ffff:203.0.113.9", true],
    ["ip.src lt 2001:db8::1", false],
    ["ip.src ge 2001:db8::1", false],
    ["ip.addr eq 203.0.113.9", false],
    ["ip.src in {::/0}", false],
    ["cf.edge.server_ip in {0.0.0.0/0}", false],
    ["cf.edge.server_ip in {2001:db8::/32}", true],
    ["ip.src eq cf.edge.server_ip", false],
    ["ip.src ne cf.edge.server_ip", true],
  ])("are never equal or ordered: %s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("wildcards", () => {
  it.each([
    ['http.host wildcard "*.EXAMPLE.com"', true],
    ['http.host strict wildcard "*.EXAMPLE.com"', false],
    ['http.host wildcard "shop"', false],
    ['http.host wildcard "shop*"', true],
    ['http.host wildcard "*shop.example.com*"', true],
    ['http.host wildcard "s*p.*e.com"', true],
    ['http.host wildcard "shop?example.com"', false],
    ['http.host wildcard "shop.example.com*m"', false],
    ['http.user_agent wildcard "CAF\\xc3\\xa9"', true],
    ['http.user_agent wildcard "CAF\\xc3\\x89"', false],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("missing values", () => {
  it.each([
    ['http.referer eq "a"', false],
    ['http.referer ne "a"', false],
    ['not http.referer eq "a"', true],
    ['http.referer contains ""', false],
    ['http.referer in {"a"}', false],
    ["http.referer eq http.host", false],
    ["http.host ne http.referer", false],
    ['http.request.headers["nope"][0] ne "a"', false],
    ['http.request.headers["accept"][9] ne "a"', false],
    ['http.request.cookies["a"][0] ne "a"', false],
    ['len(http.request.headers["nope"]) >= 0', false],
    ['not len(http.request.headers["nope"]) >= 0', true],
    ['len(http.request.headers["x-empty"]) >= 0', true],
    ['any(http.request.headers["nope"][*] eq "x")', false],
    ['all(http.request.headers["nope"][*] eq "x")', true],
    ['all((starts_with(http.request.headers["nope"][*], "x")))', true],
    ['all(starts_with(http.request.headers["nope"][*], "x"))', false],
    ['any(starts_with(http.request.headers["nope"][*], "x"))', false],
    ['all(http.request.headers["x-empty"][*] eq "x")', true],
    ['any(http.request.headers["x-empty"][*] eq "x")', false],
    ['starts_with(http.referer, "a")', false],
    ['not starts_with(http.referer, "a")', true],
    ['concat(http.referer, "a") eq "a"', true],
    ['concat(http.referer, http.request.cookies["a"][0]) eq http.referer', false],
    ['coalesce(http.referer, "x") eq "x"', true],
    ['coalesce(http.request.headers["nope"][0], http.referer, http.host) eq http.host', true],
    ['lower(http.referer) ne "a"', false],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("arrays", () => {
  it.each([
    ['any(http.request.headers.names[*] eq "X-Debug")', true],
    ['any(http.request.headers.names[*] eq "x-debug")', false],
    ['any(lower(http.request.headers.names[*])[*] eq "x-debug")', true],
    ['all(http.request.headers.names[*] contains "-")', false],
    ['any(http.request.headers[*][*] eq "image/png")', true],
    ['any(http.request.headers[*][1] eq "image/png")', true],
    ['all(http.request.headers[*][1] eq "image/png")', true],
    ['all(http.request.headers[*][7] eq "x")', true],
    ['any(http.request.headers[*][0] in {"1"})', true],
    ['any(not http.request.headers.names[*] eq "Accept")', true],
    // Keys: a = 1, b = 2 3.
    ['any((http.request.uri.args[*][*] eq "1" and http.request.headers.names[*] eq "Accept"))', true],
    ['any((http.request.uri.args[*][*] eq "3" or http.request.headers.names[*] eq "x"))', false],
    ['all((http.request.uri.args[*][*] lt "3" xor http.request.uri.args.values[*] eq "x"))', true],
    ['any(starts_with(http.request.headers.names[*], "X-"))', true],
    ['len(concat(http.request.headers.names, http.request.headers["accept"])) eq 4', true],
    ['has_key(http.request.headers, "x-empty")', true],
    ['has_key(http.request.headers, "X-Debug")', false],
    ['has_value(http.request.headers["accept"], "text/html")', true],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("logic", () => {
  it.each([
    ["ssl and cf.client.bot", false],
    ["ssl or cf.client.bot", true],
    ["ssl xor ssl xor ssl", true],
    ["ssl xor ssl", false],
    ["not ssl or ssl", true],
    ["not (ssl or ssl)", false],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });
});

describe("functions", () => {
  it.each([
    ["lower(http.request.uri.path)", "/blog/post.html"],
    ["upper(http.user_agent)", "CAF\xc3\xa9"],
    ["substring(http.host, 5)", "example.com"],
    ["substring(http.host, -3)", "com"],
    ["substring(http.host, 0, -4)", "shop.example"],
    ["substring(http.host, 5, 12)", "example"],
    ["substring(http.host, 9, 5)", ""],
    ["concat(http.host, http.request.uri.path)", "shop.example.com/Blog/Post.html"],
    ['remove_bytes(http.host, "\\x2eo")', "shpexamplecm"],
    ["to_string(tcp.dstport)", "443"],
    ["to_string(ssl)", "true"],
    ["to_string(cf.edge.server_ip)", "2001:db8::1"],
    ['regex_replace(http.request.uri.path, "^/([^/]*)/(.*)$", "/${2}/${1}$$")', "/Post.html/Blog$"],
    ['regex_replace(http.host, "nope", "x")', "shop.example.com"],
    ['regex_replace(http.request.uri.path, "/", "-")', "-Blog/Post.html"],
    ['wildcard_replace(http.request.uri.path, "/blog/*.html", "/${1}")', "/Post"],
    ['wildcard_replace(http.request.uri.path, "/blog/*.html", "/${1}", "s")', "/Blog/Post.html"],
    ['wildcard_replace(http.host, "*.*.*", "${3}.${2}.${1}")', "com.example.shop"],
    ['remove_query_args(http.request.uri.query, "a")', "b=2&c"],
    ['remove_query_args(http.request.uri.query, "c", "x")', "a=1&b=2&a=3"],
    ['lookup_json_string(http.request.body.raw, "a", "b", 2)', "x"],
    ['lookup_json_string(http.request.body.raw, "s")', "\xc3\xa9"],
    ['lookup_json_string(http.request.body.raw, "n")', undefined],
    ['lookup_json_integer(http.request.body.raw, "n")', -5],
    ['lookup_json_integer(http.request.body.raw, "a", "b", 0)', 1],
    ['lookup_json_integer(http.request.body.raw, "a", "b", 1)', undefined],
    ['lookup_json_integer(http.request.body.raw, "a", "b", 3)', undefined],
    ['lookup_json_integer(http.host, "a")', undefined],
    ["encode_base64(http.user_agent)", "Y2Fmw6k"],
    ['encode_base64(http.user_agent, "p")', "Y2Fmw6k="],
    ['join(http.request.headers.names, ", ")', "Accept, X-Debug"],
    ['join(http.request.uri.args.values, ", ")', ""],
    ["len(http.user_agent)", 5],
    ["len(http.request.headers.names)", 2],
    ["coalesce(http.referer, http.host)", "shop.example.com"],
  ])("%s gives %s", (text, expected) => {
    expect(computed(text)).toEqual(expected);
  });

  it.each([
    ["-0", undefined],
    ["-1", -1],
    ["9223372036854775807", 9223372036854775807n],
    ["9223372036854775808", undefined],
  ])("lookup_json_integer of %s is %s", (text, expected) => {
    const context = makeContext({ fields: { "http.request.body.raw": `{"n": ${text}}` } });
    expect(compileValueExpression('lookup_json_integer(http.request.body.raw, "n")').value(context)).toBe(expected);
  });

  it("to_string writes a mapped IPv4 address with dots", () => {
    const context = makeContext({ fields: { "cf.edge.server_ip": "::ffff:192.0.2.1" } });
    expect(compileValueExpression("to_string(cf.edge.server_ip)").value(context)).toBe("::ffff:192.0.2.1");
  });

  it("splits into at most the given number of items, the last with the rest", () => {
    const list = makeContext({ fields: { "http.host": "a,,b,c" } });
    const split = (limit: number): unknown =>
      compileValueExpression(`split(http.host, ",", ${String(limit)})`).value(list);
    expect(split(64)).toEqual(["a", "", "b", "c"]);
    expect(split(3)).toEqual(["a", "", "b,c"]);
    expect(split(1)).toEqual(["a,,b,c"]);
  });

  it.each([
    ["John%20Doe+x", undefined, "John Doe x"],
    ["%2520", undefined, "%20"],
    ["%2520", "r", " "],
    ["%252525252520", "r", " "],
    ["%2%35%34%31", "r", "A"],
    ["%u2601", undefined, "%u2601"],
    ["%u2601", "u", "\xe2\x98\x81"],
    ["%25u0041", "ur", "A"],
    ["%zz%4", "r", "%zz%4"],
  ])("decodes %s with %s", (text, flags, expected) => {
    const one = makeContext({ fields: { "http.host": text } });
    const call = flags === undefined ? "url_decode(http.host)" : `url_decode(http.host, "${flags}")`;
    expect(compileValueExpression(call).value(one)).toBe(expected);
  });

  it.each([
    ["MTIzYWJj", "123abc"],
    ["w6k=", "\xc3\xa9"],
    ["not base64!", undefined],
  ])("decodes %s", (text, expected) => {
    const one = makeContext({ fields: { "http.host": text } });
    expect(compileValueExpression("decode_base64(http.host)").value(one)).toBe(expected);
  });

  it("hashes", () => {
    expect(computed('encode_base64(sha256(http.host), "u")')).toHaveLength(43);
  });

  it.each([
    ["ip.src", "203.0.113.0"],
    ["cf.edge.server_ip", "2001:d00::"],
  ])("masks %s", (field, network) => {
    expect(evaluate(`cidr(${field}, 24, 24) eq ${network}`)).toBe(true);
    expect(evaluate(`cidr6(${field}, 24) eq ${field === "ip.src" ? "203.0.113.9" : network}`)).toBe(true);
  });

  it("extracts bits from a header", () => {
    const packet = makeContext({ fields: { udp: Uint8Array.from([0x12, 0x34, 0xab, 0xcd]) } });
    const bits = (from: number, to: number): unknown =>
      compileValueExpression(`bit_slice(udp, ${String(from)}, ${String(to)})`).value(packet);
    expect(bits(0, 16)).toBe(0x1234);
    expect(bits(4, 12)).toBe(0x23);
    expect(bits(0, 32)).toBe(0x1234abcd);
    expect(bits(16, 40)).toBeUndefined();
  });

  it("checks tokens signed with an HMAC", () => {
    const sign = (message: string, seconds: number, safe: boolean): string => {
      const mac = createHmac("sha256", "mysecretkey").update(`${message}${String(seconds)}`);
      return `${String(seconds)}-${safe ? mac.digest("base64url") : encodeURIComponent(mac.digest("base64"))}`;
    };
    const valid = (uri: string, flags = ""): boolean =>
      compileExpression(
        `is_timed_hmac_valid_v0("mysecretkey", http.request.uri, 100, http.request.timestamp.sec, 8${flags})`,
      ).matches(makeContext({ fields: { "http.request.uri": uri, "http.request.timestamp.sec": 1484063200 } }));
    expect(valid(`/cat.jpg?verify=${sign("/cat.jpg", 1484063137, false)}`)).toBe(true);
    expect(valid(`/cat.jpg?verify=${sign("/cat.jpg", 1484063137, true)}`, ', "s"')).toBe(true);
    expect(valid(`/dog.jpg?verify=${sign("/cat.jpg", 1484063137, false)}`)).toBe(false);
    expect(valid(`/cat.jpg?verify=${sign("/cat.jpg", 1484063100, false)}`)).toBe(false);
    expect(valid("/cat.jpg")).toBe(false);
  });
});

describe("unknown values", () => {
  it.each([
    ["cf.waf.score lt 20", "unknown"],
    ["cf.waf.score lt 20 and ssl", "unknown"],
    ["cf.waf.score lt 20 and cf.client.bot", false],
    ["cf.waf.score lt 20 or ssl", true],
    ["not cf.waf.score lt 20", "unknown"],
    ["cf.waf.score lt 20 xor ssl", "unknown"],
    ["ip.src in $nowhere", "unknown"],
    ["cf.brand.new eq 1", "unknown"],
    ["hash_in_range(0, 100, http.host) lt 10", "unknown"],
    ["hash_in_range(0, 100, cf.random_seed) lt 10", "unknown"],
    ['is_jwt_valid("a")', "unknown"],
    ['any(http.request.jwt.claims.aud.names[*] eq "a")', "unknown"],
    ["concat(http.host, cf.ray_id) eq http.host", "unknown"],
    ["coalesce(http.host, cf.ray_id) eq http.host", true],
    ["http.host eq cf.ray_id", "unknown"],
    ["http.referer eq cf.ray_id", false],
    [String.raw`http.host matches "(?u)\\bx"`, false],
    [String.raw`http.host matches "(?u)\bx"`, "unknown"],
  ])("%s is %s", (text, expected) => {
    expect(evaluate(text)).toBe(expected);
  });

  it("are reported with all their reasons", () => {
    const { because } = compileExpression("cf.waf.score lt 20 and ip.src in $nowhere").evaluate(context);
    expect(because.map(({ kind, name }) => [kind, name])).toEqual([
      ["field", "cf.waf.score"],
      ["list", "nowhere"],
    ]);
  });

  it("are an error where a boolean is required", () => {
    expect(() => compileExpression("cf.waf.score lt 20").matches(context)).toThrow(UndecidedError);
    expect(() => compileExpression("cf.waf.score lt 20").matches(context)).toThrow(/`cf.waf.score` is not known/);
  });

  it("are a case of their own in value expressions", () => {
    expect(computed("lower(cf.ray_id)")).toBeInstanceOf(Unknown);
  });
});

describe("invalid expressions", () => {
  it("throw an error with the position of every mistake", () => {
    expect(() => compileExpression("ip.src == 1 or http.host")).toThrow(ExpressionError);
    expect(() => compileExpression("http.host")).toThrow(/\(1:1\)\nhttp.host\n\^\^\^\^\^\^\^\^\^/);
    expect(() => compileValueExpression("http.host eq")).toThrow(ExpressionError);
  });
});

describe("the trace", () => {
  it("has a verdict for every part", () => {
    const { verdict, parts } = compileExpression('ssl and (http.host eq "a" or cf.waf.score lt 3)').trace(context);
    expect(verdict).toBeInstanceOf(Unknown);
    expect(parts.map((part) => part.verdict)).toEqual([true, expect.any(Unknown)]);
    expect(parts[1]?.parts[0]?.parts.map((part) => part.verdict)).toEqual([false, expect.any(Unknown)]);
  });
});

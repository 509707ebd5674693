import { checkExpression, expressionLength, isError, type CheckOptions } from "../../../core/language/index";

function errors(text: string, options: CheckOptions = {}): string {
  return checkExpression(text, options)
    .filter(isError)
    .map(({ message }) => message)
    .join("\n");
}

function warnings(text: string, options: CheckOptions = {}): string {
  return checkExpression(text, options)
    .filter((one) => !isError(one))
    .map(({ message }) => message)
    .join("\n");
}

const value = (type?: CheckOptions["type"]): CheckOptions => ({ slot: "value", type });

describe("expressions from Cloudflare's documentation", () => {
  it.each([
    "true",
    'http.host eq "www.example.com" and not ip.src in {192.0.2.0/24 2001:db8::/32}',
    '(http.request.uri.path contains "/wp-login.php") or http.request.uri.path ~ "^/(wp-)?admin/.*"',
    'http.request.uri.path matches r"^/articles/202(1|2)/"',
    'http.request.full_uri wildcard "https://*.example.com/a/*"',
    'http.request.full_uri strict wildcard r"https://*.example.com/\\*/*"',
    'any(http.request.headers.names[*] == "x-debug")',
    'any(lower(http.request.headers["content-type"][*])[*] contains "json")',
    'any(url_decode(http.request.body.form.values[*])[*] contains "an xss attack")',
    'all(http.request.headers["content-type"][*] == "application/json")',
    'len(http.request.headers["x"]) >= 0 and not len(http.request.headers["y"]) >= 0',
    'http.request.uri.args["search"][0] eq "red+apples"',
    "tcp.dstport in {80 443 8000..9000} or tcp.flags.syn",
    "ip.src.asnum in {64496 64497} xor ip.src.is_in_european_union",
    "cf.bot_management.score lt 30 and not cf.bot_management.verified_bot",
    'lookup_json_string(http.request.body.raw, "network", "name") == "a"',
    'lookup_json_integer(http.request.body.raw, 1, "product_id") eq 356',
    "cidr(ip.src, 24, 64) eq 113.10.0.0 or cidr6(ip.src, 24) in {2001::/16}",
    'is_timed_hmac_valid_v0("mysecretkey", http.request.uri, 100000, http.request.timestamp.sec, 8)',
    'not is_timed_hmac_valid_v0("k", concat(http.request.uri, http.request.headers["timestamp"][0], "-", http.request.headers["mac"][0]), 1, http.request.timestamp.sec, 0, "s")',
    'has_key(http.request.headers, "x") and has_value(http.request.headers["x"], "y")',
    "any(cf.waf.content_scan.obj_sizes[*] > 500000)",
    "any(cf.bot_management.detection_ids[*] in {3355446 12577893}) and not any(cf.bot_management.detection_ids[*] eq 3355446)",
    'http.request.uri.path eq coalesce(http.request.uri.args["expected_path"][0], "/")',
    'coalesce(lookup_json_integer(cf.hostname.metadata, "rollout_pct"), 0) gt hash_in_range(0, 100, cf.random_seed)',
    "http.request.uri.path ne raw.http.request.uri.path",
    'any(cf.appsec.request.failed_detections[*] eq "waf_credential_check")',
    'any(http.request.headers[*][*] eq "x")',
    "ip.src in $cf.open_proxies or ip.src in $office_network",
    'bit_slice(udp, 64, 96) eq 0xdeadbeef and ip.proto eq "udp"',
    `(${'http.host eq "a" or '.repeat(100)}ssl)`,
    `${"(".repeat(128)}ssl${")".repeat(128)}`,
    `concat(${Array.from({ length: 32 }, () => "http.host").join(", ")}) eq "a"`,
    Array.from({ length: 64 }, () => 'http.host matches "a"').join(" or "),
  ])("accepts %s", (text) => {
    expect(checkExpression(text)).toEqual([]);
  });

  it.each([
    'concat("https://", http.host, http.request.uri.path)',
    "to_string(cf.bot_management.score)",
    'regex_replace(http.request.uri.path, "^/foo/([^/]*)/(.*)$", "/bar/${2}/${1}$$")',
    'wildcard_replace(http.request.full_uri, "https://*.example.com/*", "https://example.com/${1}/${2}", "s")',
    'remove_query_args(http.request.uri.query, "utm_source", "utm_medium")',
    'url_decode(http.request.body.form["username"][0])',
    "uuidv4(cf.random_seed)",
    'encode_base64(sha256(http.host), "u")',
    "http.request.full_uri",
    'join(http.request.headers.names, ",")',
  ])("accepts %s as a value", (text) => {
    expect(checkExpression(text, value("String"))).toEqual([]);
  });

  it("accepts an array where one is expected", () => {
    const text = 'split(http.response.headers["cache-tag"][0], ",", 128)';
    expect(checkExpression(text, value("Array<String>"))).toEqual([]);
  });
});

describe("types", () => {
  it.each([
    ['ip.src == "abc"', /has type IP address, but `"abc"` is a string/],
    ['ip.src == "192.0.2.1"', /write `192.0.2.1` without quotes/],
    ['ip.src in {"10.0.0.0/8"}', /write `10.0.0.0\/8` without quotes/],
    ['tcp.dstport eq "80"', /write `80` without quotes/],
    ["http.host eq 80", /quoted string: `"80"`/],
    ["http.host in {80}", /quoted string: `"80"`/],
    ['http.host in {"a" 10.0.0.1}', /quoted string: `"10.0.0.1"`/],
    ['ip.src contains "1"', /`contains` needs a String/],
    ['tcp.dstport matches "1"', /`matches` needs a String/],
    ['ip.src wildcard "*"', /`wildcard` needs a String/],
    ["http.host & 1", /`bitwise_and` needs an Integer/],
    ["ssl eq true", /write `ssl` or `not ssl`/],
    ["cf.bot_management.verified_bot == false", /`not cf.bot_management.verified_bot`/],
    ["ssl in {true}", /already true or false/],
    ["ssl eq 1", /already true or false/],
    ["http.host", /compare it: `http.host eq …`/],
    ["tcp.dstport and ssl", /has type Integer and is not a condition/],
    ["http.request.headers", /the value of a key/],
    ["http.request.headers.names", /compare one element/],
    ['http.request.headers["a"] eq "b"', /`http.request.headers\["a"\]\[0\]`/],
    ['http.request.headers eq "b"', /the value of a key/],
    ['http.request.headers.names in {"a"}', /needs a String, an Integer or an IP address/],
    ["http.request.headers.names in $a", /needs a String, an Integer or an IP address/],
    ['http.request.headers.names[*] == "x"', /write `any\(/],
    ['not http.request.headers.names[*] == "x"', /for each element of an array, not once/],
    ['starts_with(http.request.headers.names[*], "a")', /for each element of an array, not once/],
    ['http.request.headers.names[*] == "x" and ssl', /combines a condition with an array/],
    ["any(ssl)", /but `ssl` is a single condition/],
    ["any(http.host)", /has type String/],
    ["any(http.request.headers.names)", /compare its elements/],
    ["any(http.request.headers.names[*])", /is not compared with anything/],
    ['any(all(http.request.headers.names[*] eq "a"))', /is a single condition/],
    ['any(starts_with(http.request.headers.names[*], "a")[*])', /without the last `\[\*\]`/],
    ['lower(http.request.headers.names[*]) eq "a"', /Array<String>/],
    ["http.host[0] eq http.host", /cannot be indexed/],
    ["http.host[*] eq http.host", /cannot be indexed/],
    ['http.request.headers[0][0] eq "a"', /with a quoted key/],
    ['http.request.headers.names["a"] eq "a"', /with an integer/],
    ['http.request.headers["a"][0][0] eq "a"', /cannot be indexed/],
    ["http.host eq tcp.dstport", /cannot compare String with Integer/],
    ["ip.src eq http.host", /cannot compare IP address with String/],
    ["http.host eq http.request.headers.names[*]", /only on the left side/],
  ])("refuses %s", (text, message) => {
    expect(errors(text)).toMatch(message);
  });

  it("reports a mistake once, without the errors that follow from it", () => {
    expect(errors('lower(tcp.dstport) eq "a" and ssl').split("\n")).toHaveLength(1);
    expect(errors('any(http.host[*] eq "a")').split("\n")).toHaveLength(1);
  });

  it("reports all mistakes of an expression, in order", () => {
    const found = checkExpression('tcp.dstport eq "80" or ip.src eq "a" or http.host eq 1');
    expect(found.map(({ offset }) => offset)).toEqual([15, 33, 53]);
  });
});

describe("functions", () => {
  it.each([
    ["len()", /takes 1 argument, not 0/],
    ["len(http.host, 1) eq 1", /takes 1 argument, not 2/],
    ["len(http.request.headers) eq 1", /must be String or Array/],
    ["len(tcp.dstport) eq 1", /has type Integer/],
    ['concat("a") eq "a"', /at least 2|2 to 32/],
    [`concat(${Array.from({ length: 33 }, () => "http.host").join(", ")}) eq "a"`, /2 to 32 arguments, not 33/],
    ['concat("a", 2) eq "a"', /use `to_string`/],
    ["concat(http.request.headers.names, http.host) eq http.host", /must be Array<String>/],
    ['starts_with("a", http.host)', /not a literal/],
    ['starts_with(http.request.headers["a"], "b")', /has type Array<String>/],
    ["cidr(ip.src, 33, 64) eq 1.1.1.1", /from 1 to 32/],
    ["cidr(ip.src, 0, 64) eq 1.1.1.1", /from 1 to 32/],
    ["cidr(ip.src, tcp.dstport, 64) eq 1.1.1.1", /must be a literal/],
    ['any(split(http.host, "", 2)[*] eq "a")', /must not be empty/],
    ['any(split(http.host, ",", 129)[*] eq "a")', /from 1 to 128/],
    ['concat(http.host, http.request.headers.names[*]) eq "a"', /only in the first argument/],
    ["bit_slice(udp, 0, 33) eq 1", /at most 32 bits/],
    ["bit_slice(udp, 0, 2041) eq 1", /from 0 to 2040/],
    ["has_value(http.request.headers.names, 1)", /must be String/],
    ['has_key(http.request.headers.names, "a")', /must be Map/],
    ['is_jwt_valid(http.host, "a")', /takes 1 argument/],
  ])("refuses %s", (text, message) => {
    expect(errors(text)).toMatch(message);
  });

  it.each([
    ['regex_replace(http.host, "a", "${9}")', /`\$\{1\}` to `\$\{8\}`/],
    ['regex_replace(regex_replace(http.host, "a", "b"), "c", "d")', /once/],
    ['wildcard_replace(regex_replace(http.host, "a", "b"), "c", "d")', /cannot be used in the same/],
    ['regex_replace(http.host, "(a", "b")', /no closing/],
    ['wildcard_replace(http.host, "**", "b")', /`\*\*` is not allowed/],
    ['remove_query_args(http.host, "a")', /must be `http.request.uri.query`/],
  ])("refuses the value %s", (text, message) => {
    expect(errors(text, value())).toMatch(message);
  });

  it.each([
    ["substring(http.host, len(http.host)) eq http.host", /must be a literal/],
    ['lower("A") eq "a"', /not a literal/],
    ['url_decode(http.host, "x") eq "a"', /does not document the flags/],
    ['to_string(tcp.dstport) eq "a"', /only for the values of rewrites and redirects/],
    ["coalesce(http.host, 1) eq http.host", /must be String/],
    ['trim(http.host) eq "a"', /`trim` is not a known function/],
    ['lowr(http.host) eq "a"', /Did you mean `lower`/],
    ['if(ssl, http.host, http.host) eq "a"', /no `if`/],
  ])("warns about %s", (text, message) => {
    expect(errors(text)).toBe("");
    expect(warnings(text)).toMatch(message);
  });
});

describe("names", () => {
  it.each([
    ['http.hots eq "a"', /Did you mean `http.host`/],
    ['http.request.path eq "a"', /Did you mean `http.request.uri.path`/],
    ['HTTP.HOST eq "a"', /Did you mean `http.host`/],
    ['ip.geoip.country eq "DE"', /deprecated; use `ip.src.country`/],
    ["cf.threat_score gt 10", /always 0 now/],
    ["false", /use `not true`/],
    ['lower eq "a"', /`\(` after the function/],
  ])("suggests a name in %s", (text, message) => {
    expect(warnings(text) + errors(text)).toMatch(message);
  });

  it("accepts an unknown field and everything derived from it", () => {
    const text = 'cf.brand.new["a"][0] in {1..3} and any(cf.brand.new[*] matches "a") and cf.brand.new';
    expect(errors(text)).toBe("");
    expect(checkExpression(text).map(({ code }) => code)).toEqual(["unknown-field", "unknown-field", "unknown-field"]);
  });

  it("treats an unknown field with [*] as an array", () => {
    expect(errors("cf.brand.new[*]")).toMatch(/for each element of an array, not once/);
    expect(errors("any(cf.brand.new[*])")).toBe("");
  });

  it("accepts a field that is newer than the catalogue on the right side, but no unquoted text", () => {
    expect(errors("http.host eq cf.brand.new")).toBe("");
    expect(warnings("http.host eq cf.brand.new")).toMatch(/`cf.brand.new` is not a known field/);
    expect(errors("http.host eq example.com")).toMatch(/in quotes: `"example.com"`/);
  });

  it.each([
    ['or (http.host eq "a")', /`or` is an operator; the condition before it is missing/],
    ["xor (ssl and ssl)", /`xor` is an operator/],
    ["eq", /`eq` is an operator; the field before it is missing/],
    ["contains > 80", /`contains` is an operator/],
    ["0", /`0` is not the name of one/],
    ["99 eq 1", /`99` is not the name of one/],
    ["any > 1", /`any` is a function/],
    ["example.com", /`example.com` is not a condition; for a text, write `field eq "example.com"`/],
    ["sll", /`sll` is not a condition; did you mean `ssl`\?/],
    ["http.host eq 61-62", /bytes, which are joined by colons \(`61:62`\), nor a quoted string/],
    ["ssl eq cf.client.bot", /compares two values of type Boolean/],
  ])("refuses %s, which the service cannot read", (text, message) => {
    expect(errors(text)).toMatch(message);
  });

  it("refuses unknown names in strict mode", () => {
    const strict = { strict: true, lists: { office: "ip" } } as const;
    expect(errors('cf.brand.new eq "a"', strict)).toMatch(/is not a known field/);
    expect(errors('brand_new(http.host) eq "a"', strict)).toMatch(/is not a known function/);
    expect(errors("ip.src in $home", strict)).toMatch(/has no list `\$home`/);
    expect(errors("ip.src in $office or ip.src in $cf.vpn", strict)).toBe("");
    expect(errors("tcp.dstport in $office", strict)).toMatch(/contains values of type IP address/);
  });
});

describe("common mistakes", () => {
  it.each([
    ['http.host in {"a", "b"}', /not commas/],
    ["ip.src not in {192.0.2.1}", /`not` goes before the whole comparison/],
    ['http.host not contains "a"', /before the whole comparison/],
    ['http.host !contains "a"', /before the whole comparison/],
    ['http.host = "a"', /`eq` or `==`/],
    ['http.host === "a"', /`eq` or `==`/],
    ['http.host like "a"', /`contains`, `wildcard` or `matches`/],
    ['http.host ends_with "a"', /Use the function/],
    ['http.host eq "a" AND ssl', /lower case: `and`/],
    ["SSL or NOT ssl", /lower case: `not`/],
    ['NOT (http.host eq "a")', /lower case: `not`/],
    ['http.host eq "a";', /Remove the semicolon/],
    ['http.host eq "a" # comment', /no comments/],
    ['http.host eq "a" // comment', /no comments/],
    ['http.host eq "a")', /no matching/],
    ['(http.host eq "a"', /never closed/],
    ['"a" eq http.host', /cannot be on the left/],
    ['http.host contains {"a"}', /takes one string/],
    ["", /is blank; `true` matches every request/],
    ["   ", /is blank/],
    ['http.host matches "(?!a)"', /look-around/],
    [String.raw`http.host matches "(a)\\1"`, /^$/],
    [String.raw`http.host matches "(a)\1"`, /is a backreference/],
    ['http.host matches "(a"', /no closing/],
    ['http.host matches "a)"', /no matching/],
    ['http.host matches r"[a"', /class has no closing/],
    ['http.host matches "*a"', /nothing to repeat/],
    ['http.host wildcard "a**"', /`\*\*` is not allowed/],
    [String.raw`http.host wildcard r"a\b"`, /backslash must be followed/],
  ])("are explained: %s", (text, message) => {
    expect(errors(text)).toMatch(message);
  });

  it.each([
    ['"a"', /property `value`/],
    ["(http.host)", /without parentheses/],
    ['http.host eq "a"', /not a condition/],
    ["http.host and ssl", /not a condition/],
    ['http.host + "a"', /`concat\(a, b\)`/],
    ["", /is blank/],
    ["http.request.headers.names[*]", /such as `\[0\]`/],
    ["any(http.request.headers.names[*] eq http.host)", /not a known function|expected/],
  ])("are explained in values: %s", (text, message) => {
    expect(errors(text, value()) + warnings(text, value())).toMatch(message);
  });
});

describe("slots", () => {
  it("refuses a value where a filter is expected, and the reverse", () => {
    expect(errors("http.host", { slot: "filter" })).toMatch(/is not a condition/);
    expect(errors("ssl", value("String"))).toMatch(/`to_string\(ssl\)`/);
  });

  it("accepts any single value where the service writes it as text", () => {
    for (const text of ["ip.src", "ssl", "len(http.host)", "http.host"]) {
      expect([errors(text, value("Scalar")), warnings(text, value("Scalar"))]).toEqual(["", ""]);
    }
    expect(errors("http.request.headers.names", value("Scalar"))).toMatch(/expected a value of type String/);
  });

  it("warns about a different type where the expected one is unknown", () => {
    expect(errors("ip.src", value())).toBe("");
    expect(warnings("ip.src", value())).toMatch(/`to_string\(ip.src\)`/);
  });

  it("allows response fields in a counting expression", () => {
    const text = "http.response.code in {401 403}";
    expect(warnings(text, { slot: "counting", phase: "http_ratelimit" })).toBe("");
    expect(errors(text, { phase: "http_ratelimit" })).toMatch(/is a response field/);
  });
});

describe("limits", () => {
  const padded = (length: number): string => `http.host eq "${"é".repeat(length - 15)}"`;

  it("counts the characters of the trimmed text", () => {
    expect(errors(`  ${padded(4096)}\n`)).toBe("");
    expect(warnings(padded(4096))).toMatch(/4096 characters; the dashboard allows 4000/);
    expect(warnings(padded(4000))).toBe("");
    expect(errors(padded(4097))).toMatch(/4097 characters; the service allows at most 4096/);
  });

  it("counts white space between words once, and all of it inside strings", () => {
    expect(expressionLength("  ssl \n\t and\r\n not  ssl ")).toBe("ssl and not ssl".length);
    expect(expressionLength('http.host in {\n  "a"\n  "b  c"\n}')).toBe('http.host in {"a" "b  c"}'.length);
    expect(expressionLength('http.host eq r#"a "  b"#   and ssl')).toBe('http.host eq r#"a "  b"# and ssl'.length);
    expect(expressionLength('http.host eq "a \\"  b"')).toBe('http.host eq "a \\"  b"'.length);
    expect(expressionLength('http.host eq "a   b')).toBe('http.host eq "a   b'.length);
    expect(expressionLength('http.host eq "😀"')).toBe('http.host eq "a"'.length);
    expect(errors(`${padded(4090)}${" ".repeat(50)}or\n\nssl`)).toMatch(/4097 characters/);
    expect(errors(`${padded(4089)}${" ".repeat(50)}or\n\nssl`)).toBe("");
  });

  it("accepts 64 regular expressions", () => {
    const many = (count: number): string => Array.from({ length: count }, () => 'http.host matches "a"').join(" or ");
    expect(errors(many(64))).toBe("");
    expect(errors(many(65))).toMatch(/at most 64/);
  });

  it("warns about nesting that the engine refuses by default", () => {
    expect(warnings(`${"(".repeat(129)}ssl${")".repeat(129)}`)).toMatch(
      /129 levels deep; the service may allow only 128/,
    );
    expect(errors(`${"(".repeat(129)}ssl${")".repeat(129)}`)).toBe("");
  });
});

describe("phases and plans", () => {
  it.each([
    ["http.response.code eq 404", "http_request_firewall_custom", /is a response field/],
    ["http.response.code eq 404", "http_response_headers_transform", /^$/],
    ["tcp.dstport eq 80", "http_request_firewall_custom", /for packets/],
    ["tcp.dstport eq 80", "magic_transit", /^$/],
    ['http.host eq "a"', "magic_transit", /for HTTP requests/],
    ["ssl", "a_phase_of_tomorrow", /^$/],
  ])("%s in %s", (text, phase, message) => {
    expect(warnings(text, { phase })).toBe("");
    expect(errors(text, { phase })).toMatch(message);
  });

  it.each([
    ["http.response.code eq 404", "http_response_of_tomorrow", /is a response field/],
    ["tcp.dstport eq 80", "packets_of_tomorrow", /for packets/],
    // Its name is one of requests, and only an example shows it.
    ['http.request.uri.path.basename eq "a"', "http_request_transform", /is a response field/],
  ])("only warn of %s in %s, which is not sure", (text, phase, message) => {
    expect(errors(text, { phase })).toBe("");
    expect(warnings(text, { phase })).toMatch(message);
    expect(errors(text, { phase, strict: true })).toBe("");
  });

  it("only warn where Cloudflare's pages do not list a function for a phase", () => {
    const text = "cidr(ip.src, 24, 64) eq 1.1.1.1";
    const message = /documented only for `http_request_firewall_custom`/;
    expect(errors(text, { phase: "http_request_transform" })).toBe("");
    expect(warnings(text, { phase: "http_request_transform" })).toMatch(message);
    expect(errors(text, { phase: "http_request_transform", strict: true })).toBe("");
  });

  it.each([
    ['http.host matches "a"', "pro", undefined, /`matches` needs a Business plan or WAF Advanced/],
    ['http.host matches "a"', "business", undefined, /^$/],
    ['http.host matches "a"', "business", "http_ratelimit", /Enterprise plan with an add-on/],
    ["cf.bot_management.score lt 3", "business", undefined, /needs the Enterprise plan with an add-on/],
    ["cf.bot_management.score lt 3", "enterprise", undefined, /^$/],
    [
      "ip.src eq 1.1.1.1",
      "free",
      "http_ratelimit",
      /needs at least the Business plan in a rate limiting rule; the zone is on Free/,
    ],
    ['http.request.uri.path eq "/"', "free", "http_ratelimit", /^$/],
    ['http.host eq "a"', "pro", "http_ratelimit", /^$/],
    ['http.host eq "a"', "free", "http_ratelimit", /needs at least the Pro plan in a rate limiting rule/],
    ["cf.bot_management.score lt 3", "free", "http_ratelimit", /needs the Enterprise plan with an add-on/],
  ] as const)("%s on %s in %s", (text, plan, phase, message) => {
    expect(warnings(text, { plan, phase })).toMatch(message);
    expect(errors(text, { plan, phase })).toBe("");
  });
});

describe("positions", () => {
  it("have an offset, line, column and the line with carets", () => {
    const text = 'http.host eq "a"\n  and ip.src eq "b"';
    expect(checkExpression(text)[0]).toMatchObject({
      code: "type",
      offset: 33,
      end: 36,
      line: 2,
      column: 17,
      excerpt: '  and ip.src eq "b"\n                ^^^',
    });
  });

  it("shorten long lines around the mistake", () => {
    const text = `${'http.host eq "a" or '.repeat(100)}ip.src eq "b" or ${'http.host eq "a" or '.repeat(50)}ssl`;
    const [line = "", carets = ""] = checkExpression(text)[0]?.excerpt.split("\n") ?? [];
    expect(line.length).toBeLessThan(130);
    expect(line.slice(carets.indexOf("^"), carets.indexOf("^") + 3)).toBe('"b"');
  });

  it("are found at the start of a text that begins with a line break", () => {
    expect(checkExpression(`\n${"x".repeat(5000)}`)[0]).toMatchObject({
      offset: 0,
      line: 1,
      column: 1,
      excerpt: "\n^",
    });
  });

  it("are at the end where something is missing", () => {
    expect(checkExpression("ssl and ")[0]).toMatchObject({ offset: 7, line: 1, column: 8 });
  });
});

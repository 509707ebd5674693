import { compileExpression, makeRequest, type RequestInput } from "../../../core/language/index";
import { drawOfRequest } from "../../../core/language/shares";

const INPUT: RequestInput = {
  method: "post",
  url: "https://Shop.example.com:8443/a/b.TAR.GZ?next=/&x=1&x=%202&flag&=v",
  headers: [
    ["User-Agent", "curl/8"],
    ["Cookie", "a=1; b%20c=2=3; d"],
    ["X-Tag", "one"],
    ["x-tag", "two"],
    ["Accept-Language", "de;q=0.5, en-US, fr;q=0.8"],
  ],
  ip: "203.0.113.9",
  country: "de",
  asn: 64496,
  botScore: 12,
  timestamp: 1700000000.25,
};

const matches = (text: string, input: Partial<RequestInput> = {}): unknown =>
  compileExpression(text).evaluate(makeRequest({ ...INPUT, ...input })).value;

it.each([
  ["/foo", ""],
  ["/foo.mp3", "mp3"],
  ["/.mp3", ""],
  ["/a.b/.foo.mp3", "mp3"],
  ["/foo.tar.bz2", "bz2"],
  ["/foo.", ""],
  ["/foo.MP3", "mp3"],
])("the extension of %s is %j", (path, extension) => {
  const url = `https://shop.example.com${path}`;
  expect(matches(`http.request.uri.path.extension eq "${extension}"`, { url })).toBe(true);
});

describe("fields of a request", () => {
  it.each([
    'http.request.method eq "POST"',
    "ssl",
    'http.host eq "shop.example.com:8443"',
    'http.request.full_uri eq "https://shop.example.com:8443/a/b.TAR.GZ?next=/&x=1&x=%202&flag&=v"',
    'http.request.uri eq "/a/b.TAR.GZ?next=/&x=1&x=%202&flag&=v"',
    'http.request.uri.path eq "/a/b.TAR.GZ"',
    'http.request.uri.path.extension eq "gz"',
    'http.request.uri.path.basename eq "b.TAR.GZ"',
    'http.request.uri.query eq "next=/&x=1&x=%202&flag&=v"',
    'http.request.uri.args["x"][1] eq "%202"',
    'http.request.uri.args["flag"][0] eq ""',
    'http.request.uri.args[""][0] eq "v"',
    "len(http.request.uri.args.names) eq 5",
    'raw.http.request.uri.path eq "/a/b.TAR.GZ"',
    'http.request.headers["x-tag"][1] eq "two"',
    'not has_key(http.request.headers, "X-Tag")',
    'any(http.request.headers.names[*] eq "X-Tag")',
    'http.request.headers["host"][0] eq "shop.example.com:8443"',
    'http.user_agent eq "curl/8"',
    'http.referer eq ""',
    'http.cookie eq "a=1; b%20c=2=3; d"',
    'http.request.cookies["b c"][0] eq "2=3"',
    'http.request.cookies["d"][0] eq ""',
    'http.request.accepted_languages[0] eq "en-US" and http.request.accepted_languages[2] eq "de"',
    "ip.src eq 203.0.113.9 and ip.src.asnum eq 64496 and ip.geoip.asnum eq 64496",
    'ip.src.country eq "DE" and ip.geoip.country eq "DE" and ip.src.is_in_european_union',
    "cf.bot_management.score eq 12",
    "cf.threat_score eq 0",
    "http.request.timestamp.sec eq 1700000000 and http.request.timestamp.msec eq 250",
    "cf.edge.server_port eq 8443",
    'http.request.body.size eq 0 and http.request.body.raw eq ""',
    "not http.request.headers.truncated",
  ])("%s", (text) => {
    expect(matches(text)).toBe(true);
  });

  it("keeps header names in lower case from HTTP/2 on", () => {
    expect(matches('any(http.request.headers.names[*] eq "X-Tag")', { httpVersion: "2" })).toBe(false);
    expect(matches('http.request.version eq "HTTP/2" and cf.edge.client_tcp', { httpVersion: 2 })).toBe(true);
    expect(matches('http.request.version eq "HTTP/1.1"', { httpVersion: "HTTP/1.1" })).toBe(true);
    expect(matches("cf.edge.client_tcp", { httpVersion: "3" })).toBe(false);
  });

  it("encodes what a client would, and nothing else", () => {
    expect(
      matches('http.request.uri eq "/caf%C3%A9%20%41/../x?q=%22a%22"', { url: 'http://a/café %41/../x?q="a"#top' }),
    ).toBe(true);
    expect(matches('http.request.uri eq "/"', { url: "http://a" })).toBe(true);
    expect(matches('http.request.uri eq "/?"', { url: "http://a/?" })).toBe(true);
    expect(matches("ssl", { url: "http://a" })).toBe(false);
  });

  it("takes the host from the Host header where there is one", () => {
    const input = { headers: { Host: "Other.example.com" } };
    expect(matches('http.host eq "Other.example.com" and len(http.request.headers["host"]) eq 1', input)).toBe(true);
  });

  it("parses forms", () => {
    const input = {
      headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      body: "a=1&a=%32&b",
    };
    expect(matches('http.request.body.form["a"][1] eq "%32" and http.request.body.form["b"][0] eq ""', input)).toBe(
      true,
    );
    expect(
      matches('any(http.request.body.form.names[*] eq "b") and len(http.request.body.form.values) eq 3', input),
    ).toBe(true);
    expect(matches("http.request.body.size eq 11", input)).toBe(true);
    expect(matches('has_key(http.request.body.form, "a")', { ...input, headers: {} })).toBe(false);
  });

  it("parses multipart bodies", () => {
    const body = [
      "--x",
      'Content-Disposition: form-data; name="note"',
      "",
      "hello",
      "--x",
      'Content-Disposition: form-data; name="file"; filename="a.txt"',
      "Content-Type: text/plain",
      "",
      "line 1\r\nline 2",
      "--x--",
      "",
    ].join("\r\n");
    const input = { headers: { "Content-Type": 'multipart/form-data; boundary="x"' }, body };
    expect(matches('http.request.body.multipart["note"][0] eq "hello"', input)).toBe(true);
    expect(matches('http.request.body.multipart.values[1] eq "line 1\\x0d\\x0aline 2"', input)).toBe(true);
    expect(matches('http.request.body.multipart.filenames[1][0] eq "a.txt"', input)).toBe(true);
    expect(matches('any(http.request.body.multipart.content_types[*][*] eq "text/plain")', input)).toBe(true);
    expect(matches('any(http.request.body.multipart.names[*][*] eq "file")', input)).toBe(true);
  });

  it("accepts any other field by name, and lists by name", () => {
    const input: Partial<RequestInput> = {
      fields: {
        "cf.waf.score": 12,
        "ip.src.city": "Bonn",
        "http.request.jwt.claims.aud": { a: ["b"] },
        "cf.ray_id": null,
      },
      lists: { office: ["203.0.113.0/24", "2001:db8::1"], hosts: ["*.example.com", "a.org"], asns: [64496] },
    };
    expect(matches('cf.waf.score lt 20 and ip.src.city eq "Bonn"', input)).toBe(true);
    expect(matches('http.request.jwt.claims.aud["a"][0] eq "b"', input)).toBe(true);
    expect(matches('cf.ray_id ne ""', input)).toBe(false);
    expect(matches("ip.src in $office and ip.src.asnum in $asns", input)).toBe(true);
    expect(matches("http.host in $hosts", { ...input, url: "https://b.a.example.com/" })).toBe(true);
    expect(matches("http.host in $hosts", { ...input, url: "https://example.com/" })).toBe(false);
  });
});

describe("unknown parts of a request", () => {
  const bare = {
    method: undefined,
    headers: undefined,
    ip: undefined,
    country: undefined,
    asn: undefined,
    botScore: undefined,
    timestamp: undefined,
  };

  it.each([
    ["ip.src eq 203.0.113.9", "`ip`"],
    ['ip.src.country eq "DE"', "`country`"],
    ["ip.src.is_in_european_union", "`country`"],
    ["cf.bot_management.score lt 30", "`botScore`"],
    ["cf.client.bot", "`verifiedBot`"],
    ["http.request.timestamp.sec gt 0", "`timestamp`"],
    ['http.request.version eq "HTTP/2"', "`httpVersion`"],
    ["http.response.code eq 200", "`response`"],
    ["cf.waf.score lt 20", "fields: {"],
  ])("%s is unknown, and the message explains how to provide it", (text, give) => {
    const { value, because } = compileExpression(text).evaluate(makeRequest({ ...INPUT, ...bare }));
    expect(value).toBe("unknown");
    expect(because[0]?.why).toContain(give);
  });

  it("are distinguished from missing parts", () => {
    expect(matches('http.request.headers["nope"][0] eq "x"')).toBe(false);
    expect(matches('cf.tls_version eq "TLSv1.3"')).toBe("unknown");
    expect(matches('http.request.body.raw contains "a"', { bodySize: 5 })).toBe("unknown");
    expect(matches("http.request.body.size eq 5", { bodySize: 5 })).toBe(true);
  });
});

describe("a rewrite", () => {
  const request = makeRequest(INPUT).rewrite({
    path: "/new path",
    query: "y=1",
    headers: [
      { name: "X-Tag", values: ["three"] },
      { name: "cookie", values: [] },
    ],
  });

  it.each([
    'http.request.uri eq "/new%20path?y=1"',
    'raw.http.request.uri.path eq "/a/b.TAR.GZ"',
    'http.request.headers["x-tag"][0] eq "three" and len(http.request.headers["x-tag"]) eq 1',
    'raw.http.request.headers["x-tag"][1] eq "two"',
    'http.cookie eq ""',
    'http.request.full_uri eq "https://shop.example.com:8443/new%20path?y=1"',
  ])("is visible in later phases: %s", (text) => {
    expect(compileExpression(text).matches(request)).toBe(true);
  });

  it("is visible in the request to the origin", () => {
    expect(request.url).toBe("https://shop.example.com:8443/new%20path?y=1");
    expect(request.headers).toContainEqual(["X-Tag", "three"]);
    expect(request.rewrite({ query: "" }).url).toBe("https://shop.example.com:8443/new%20path");
  });
});

describe("a response", () => {
  it("is visible to response fields", () => {
    const request = makeRequest(INPUT).withResponse({
      status: 404,
      headers: { "Content-Type": "Text/HTML; charset=x" },
    });
    const text =
      'http.response.code eq 404 and http.response.content_type.media_type eq "text/html" and http.response.headers["content-type"][0] contains "HTML"';
    expect(compileExpression(text).matches(request)).toBe(true);
  });
});

describe("a share of all requests", () => {
  const isIn = (share: string, draw: number): boolean =>
    compileExpression(share).matches(makeRequest({ ...INPUT, draw }));

  it.each([
    ["hash_in_range(0, 100, cf.random_seed) lt 5", 0.049, true],
    ["hash_in_range(0, 100, cf.random_seed) lt 5", 0.05, false],
    ["hash_in_range(10, 20, cf.random_seed) eq 10", 0, true],
    ["hash_in_range(10, 20, cf.random_seed) eq 19", 0.999, true],
  ])("%s with the draw %d: %s", (share, draw, expected) => {
    expect(isIn(share, draw)).toBe(expected);
  });

  it("is decided by the service where the hash is one of other fields", () => {
    const request = makeRequest({ ...INPUT, draw: 0.5 });
    const result = compileExpression("hash_in_range(0, 100, ip.src, cf.random_seed) lt 5").evaluate(request);
    expect(result.value).toBe("unknown");
  });

  it("contains its part of many requests", () => {
    const draws = Array.from({ length: 1000 }, (_, count) => drawOfRequest(count));
    const drawn = draws.filter((draw) => isIn("hash_in_range(0, 100, cf.random_seed) lt 5", draw));
    expect(drawn.length).toBeGreaterThanOrEqual(49);
    expect(drawn.length).toBeLessThanOrEqual(51);
  });
});

describe("bad input", () => {
  it.each([
    [{ url: "shop.example.com" }, /url: "shop.example.com"/],
    [{ url: "https://not a url/" }, /url: "https:\/\/not a url\/"/],
    [{ url: "ftp://example.com/" }, /http or https/],
    [{ ip: "203.0.113.999" }, /ip: "203.0.113.999"/],
    [{ asn: 1.5 }, /asn: 1.5/],
    [{ httpVersion: "h2" }, /httpVersion: "h2"/],
    [{ draw: 1 }, /draw: 1 is not a number from 0 to below 1/],
    [{ fields: { "cf.waf.score": "12" } }, /cf.waf.score: expected a value of type Integer, not "12"/],
    [{ fields: { "http.request.jwt.claims.aud": { a: "b" } } }, /aud\["a"\]: expected a value of type Array<String>/],
    [{ lists: { a: ["10.0.0.0/99"] } }, /not an address or a prefix/],
  ])("%j is refused", (input, message) => {
    expect(() => makeRequest({ ...INPUT, ...input })).toThrow(message);
  });
});

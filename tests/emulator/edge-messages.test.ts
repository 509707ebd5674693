import { EventEmitter, once } from "node:events";
import { createServer, type RequestListener, type Server, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Server as SocketServer } from "node:net";
import type { EdgeOptions, Emulator } from "../../emulator/index.js";
import { Caller, exchange } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { visit, type Visit } from "../support/visit.js";
import { emulatorWith } from "../support/emulators.js";

const HOST = "shop.example.com";
const CUSTOM = "http_request_firewall_custom";
const REDIRECT = "http_request_dynamic_redirect";
const REQUEST_HEADERS = "http_request_late_transform";
const RESPONSE_HEADERS = "http_response_headers_transform";

const rule = (ref: string, action: string, expression: string, action_parameters?: object) => ({
  ref,
  action,
  expression,
  ...(action_parameters === undefined ? {} : { action_parameters }),
});
const change = (headers: object, expression = "true") => rule("headers", "rewrite", expression, { headers });

describe("messages at the edge", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zone: string;
  const servers: (Server | SocketServer)[] = [];

  const start = async (edge: EdgeOptions = {}): Promise<void> => {
    emulator = await emulatorWith({ seed: { zones: [{ name: HOST }, { name: "other.example.com" }] }, edge });
    caller = new Caller(emulator);
    zone = `/zones/${await new Service(emulator).zone("enterprise")}`;
  };
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  });

  const listen = async (server: Server | SocketServer): Promise<string> => {
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  };
  const startWithOrigin = async (listener: RequestListener): Promise<void> => {
    await start({ origin: await listen(createServer(listener).on("connection", (socket) => socket.unref())) });
  };
  const put = async (phase: string, ...rules: object[]) => {
    const answer = await caller.send("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules });
    expect(answer.errors).toEqual([]);
  };
  const get = (path: string, more: Visit = {}) => visit(emulator.edgeUrl ?? "", `http://${HOST}${path}`, more);
  const raw = (...lines: string[]) =>
    exchange(Number(new URL(emulator.edgeUrl ?? "").port), [...lines, "Connection: close", "", ""].join("\r\n"));
  const utf8 = (header: unknown) => Buffer.from(String(header), "latin1").toString("utf8");

  describe("values that rules compute", () => {
    const decoded = "url_decode(http.request.uri.query)";

    test("are sent as UTF-8 in response headers; a header stays unchanged if HTTP does not allow the value", async () => {
      await startWithOrigin((_request, response) => response.setHeader("X-A", "origin").end("ok"));
      await put(RESPONSE_HEADERS, change({ "X-A": { operation: "set", expression: decoded } }));
      const euro = await get("/?%e2%82%ac");
      expect([euro.status, utf8(euro.headers["x-a"])]).toEqual([200, "€"]);
      const split = await get("/?a%0d%0aX-Evil:%201");
      expect([split.status, split.text, split.headers["x-a"]]).toEqual([200, "ok", "origin"]);
      expect(split.headers).toMatchObject({ "x-edge-undecided": "headers" });
      expect(split.headers["x-evil"]).toBeUndefined();
    });

    test("are sent as UTF-8 in request headers; a header stays unchanged if HTTP does not allow the value", async () => {
      await startWithOrigin((request, response) => response.end(request.headers["x-a"] ?? "none"));
      await put(REQUEST_HEADERS, change({ "X-A": { operation: "set", expression: decoded } }));
      const headers = { "X-A": "client" };
      expect((await get("/?%e2%82%ac", { headers })).text).toBe("â\u0082¬");
      const split = await get("/?a%0d%0aX-Evil:%201", { headers });
      expect([split.status, split.text, split.headers["x-edge-undecided"]]).toEqual([200, "client", "headers"]);
    });

    test("are text in headers, whatever their type", async () => {
      await startWithOrigin((request, response) => response.end(JSON.stringify(request.headers)));
      const set = (expression: string) => ({ operation: "set", expression });
      await put(
        REQUEST_HEADERS,
        change({
          "X-IP": set("ip.src"),
          "X-ASN": set("ip.src.asnum"),
          "X-SSL": set("ssl"),
          "X-Len": set("len(http.host)"),
        }),
      );
      const visited = await get("/", { headers: { "X-Edge-IP": "2001:DB8:0::1", "X-Edge-ASN": "64496" } });
      expect(JSON.parse(visited.text)).toMatchObject({
        "x-ip": "2001:db8::1",
        "x-asn": "64496",
        "x-ssl": "false",
        "x-len": String(HOST.length),
      });
    });

    test("are percent-encoded in the target of a redirect", async () => {
      await start();
      const target_url = { expression: `concat("https://a.example/", ${decoded})` };
      await put(REDIRECT, rule("r", "redirect", "true", { from_value: { status_code: 302, target_url } }));
      const location = async (query: string) => (await get(`/?${query}`)).headers.location;
      expect(await location("%e2%82%ac")).toBe("https://a.example/%E2%82%AC");
      expect(await location("%0d%0aX-Evil:%201")).toBe("https://a.example/%0D%0AX-Evil:%201");
    });
  });

  test("compares the bytes of headers, and passes them on unchanged", async () => {
    await startWithOrigin((request, response) => response.setHeader("X-B", request.headers["x-a"] ?? "").end());
    await put(CUSTOM, rule("e", "block", 'any(http.request.headers["x-a"][*] eq "é")'));
    expect((await get("/", { headers: { "X-A": "Ã©" } })).headers["x-edge-rule"]).toBe("e");
    expect((await get("/", { headers: { "X-A": "\u00ff" } })).headers["x-b"]).toBe("\u00ff");
  });

  test("removes a header whose value is empty or missing", async () => {
    await startWithOrigin((request, response) => {
      response.setHeader("X-A", "1").setHeader("X-B", "1").setHeader("X-C", "1").end(String(request.headers["x-a"]));
    });
    const missing = 'http.request.headers["x-none"][0]';
    await put(REQUEST_HEADERS, change({ "X-A": { operation: "set", expression: missing } }));
    await put(
      RESPONSE_HEADERS,
      change({
        "X-A": { operation: "set", expression: missing },
        "X-B": { operation: "set", expression: "http.request.uri.query" },
        "X-C": { operation: "add", expression: missing },
      }),
    );
    const answer = await get("/", { headers: { "X-A": "1" } });
    expect([answer.text, answer.headers["x-a"], answer.headers["x-b"], answer.headers["x-c"]]).toEqual([
      "undefined",
      undefined,
      undefined,
      "1",
    ]);
  });

  test("keeps repeated headers apart, for rules and in the response", async () => {
    await startWithOrigin((_request, response) => response.setHeader("Set-Cookie", ["a=1", "b=2, c"]).end());
    const cookies = 'http.response.headers["set-cookie"]';
    await put(
      RESPONSE_HEADERS,
      change({ "X-Second": { operation: "set", expression: `${cookies}[1]` } }, `any(${cookies}[*] eq "a=1")`),
      { ...change({ "Set-Cookie": { operation: "add", value: "d=3" } }), ref: "more" },
    );
    const { headers } = await get("/");
    expect(headers).toMatchObject({ "set-cookie": ["a=1", "b=2, c", "d=3"], "x-second": "b=2, c" });
  });

  test("applies response header rules to its own pages", async () => {
    const gone = createServer();
    const url = await listen(gone);
    await new Promise((resolve) => servers.splice(0)[0]?.close(resolve));
    await start({ origin: url });
    const target_url = { value: "https://a.example/" };
    await put(REDIRECT, rule("r", "redirect", 'http.request.uri.path eq "/old"', { from_value: { target_url } }));
    await put(CUSTOM, rule("b", "block", 'http.request.uri.path eq "/admin"'));
    const set = { operation: "set", expression: 'http.request.headers["x-a"][0]' };
    await put(RESPONSE_HEADERS, change({ "X-Frame-Options": { operation: "set", value: "DENY" }, "X-A": set }));
    for (const [path, status] of [
      ["/admin", 403],
      ["/old", 301],
      ["/", 521],
    ] as const) {
      const page = await get(path, { headers: { "X-A": "1" } });
      expect([page.status, page.headers["x-frame-options"], page.headers["x-a"]]).toEqual([status, "DENY", "1"]);
    }
    expect((await get("/admin")).headers).toMatchObject({ "content-type": "text/html; charset=utf-8" });
  });

  describe("the request line", () => {
    test("with a URL is read as host and path, whatever the Host header says", async () => {
      await start();
      await put(CUSTOM, rule("admin", "block", `http.host eq "${HOST}" and http.request.uri.path eq "/admin"`));
      expect(await raw(`GET http://${HOST}/admin HTTP/1.1`, `Host: ${HOST}`)).toContain("x-edge-rule: admin");
      expect(await raw(`GET http://${HOST}/admin HTTP/1.1`, "Host: other.example.com")).toContain("x-edge-rule: admin");
      expect(await raw("GET http://other.example.com/a HTTP/1.1", `Host: ${HOST}`)).toContain(
        '"url": "http://other.example.com/a"',
      );
      expect(await raw(`GET http://user@${HOST}?a=b HTTP/1.1`, `Host: ${HOST}`)).toContain(
        `"url": "http://${HOST}/?a=b"`,
      );
      expect(await raw(`GET ftp://${HOST}/ HTTP/1.1`, `Host: ${HOST}`)).toMatch(/^HTTP\/1.1 400 /);
    });

    test("needs exactly one Host header", async () => {
      await start();
      expect(await raw("GET / HTTP/1.1", `Host: ${HOST}`, "Host: other.example.com")).toMatch(/^HTTP\/1.1 400 /);
      expect(await raw("GET / HTTP/1.1")).toMatch(/^HTTP\/1.1 400 /);
      expect(await raw("GET / HTTP/1.1", `Host: ${HOST}:99999`)).toMatch(/^HTTP\/1.1 200 /);
    });

    test("can have a URL of 16 KB", async () => {
      await start();
      const status = async (length: number) =>
        (await raw(`GET /${"x".repeat(length - 1)} HTTP/1.1`, `Host: ${HOST}`)).slice(9, 12);
      expect([await status(16_384), await status(16_385), await status(200_000)]).toEqual(["200", "414", "414"]);
      expect(await raw("GET / HTTP/1.1", `Host: ${HOST}`, `X: ${"x".repeat(100_000)}`)).toMatch(/^HTTP\/1.1 431 /);
      expect(await raw("NONSENSE")).toMatch(/^HTTP\/1.1 400 /);
    });
  });

  test("answers 520 for an origin that hangs up, or whose response cannot be passed on", async () => {
    const upgrade = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n";
    const half = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf";
    for (const answer of ["", "NONSENSE\r\n\r\n", half, upgrade, "HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n"]) {
      await start({
        origin: await listen(createSocketServer((socket) => socket.once("data", () => socket.end(answer)))),
      });
      expect([answer, (await get("/")).status]).toEqual([answer, 520]);
    }
  });

  test("answers 524 for an origin that does not answer in time", async () => {
    const origin = await listen(createServer(() => undefined).on("connection", (socket) => socket.unref()));
    await start({ origin, timeoutSeconds: 0.05 });
    const answer = await get("/");
    expect([answer.status, answer.text]).toEqual([524, expect.stringContaining("no response in 0.05 s")]);
  });

  test("waits as long for the origin as a cache rule says", async () => {
    const held = new Map<string | undefined, ServerResponse>();
    const arrived = new EventEmitter();
    const server = createServer((request, response) => {
      held.set(request.url, response);
      arrived.emit("request");
    });
    await start({ origin: await listen(server.on("connection", (socket) => socket.unref())), timeoutSeconds: 0.05 });
    const parameters = { cache: true, read_timeout: 600 };
    const isSlow = 'http.request.uri.path eq "/slow"';
    await put("http_request_cache_settings", rule("slow", "set_cache_settings", isSlow, parameters));
    const slow = get("/slow");
    await once(arrived, "request");
    expect((await get("/other")).status).toBe(524);
    held.get("/slow")?.end();
    expect((await slow).status).toBe(200);
  });

  describe("requests that are not usual", () => {
    const port = () => Number(new URL(emulator.edgeUrl ?? "").port);

    test.each([
      ["asks for a tunnel", `CONNECT ${HOST}:443 HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, 405],
      ["expects what is unknown", `GET / HTTP/1.1\r\nHost: ${HOST}\r\nExpect: x\r\nConnection: close\r\n\r\n`, 417],
      ["names no host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ])("one that %s gets an answer with a text", async (_, request, status) => {
      await start();
      expect(await exchange(port(), request)).toMatch(new RegExp(`^HTTP/1.1 ${String(status)} [^]*\r\n\r\n[A-Z]`));
    });

    test("a client that closes its side after the request gets the answer", async () => {
      await start();
      expect(await exchange(port(), `GET / HTTP/1.1\r\nHost: ${HOST}\r\n\r\n`, { end: true })).toMatch(
        /^HTTP\/1.1 200 /,
      );
    });

    test("a body that is too large is read to its end, so that the client sees the answer", async () => {
      await start();
      const size = 100 * 1024 * 1024 + 1;
      const head = `POST / HTTP/1.1\r\nHost: ${HOST}\r\nContent-Length: ${String(size)}\r\nConnection: close\r\n\r\n`;
      expect(await exchange(port(), head + "x".repeat(size))).toMatch(/^HTTP\/1.1 413 /);
    });
  });
});

import type { Emulator } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Service, TOKEN } from "../support/emulator.js";
import { send } from "../support/http.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;

describe("unusual requests", () => {
  let emulator: Emulator;
  let caller: Caller;
  let zone: string;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: "a.example.com", previousWaf: {} }] } });
    caller = new Caller(emulator);
    zone = `/zones/${await new Service(emulator).zone()}`;
  });
  const put = (rules: unknown) => caller.send("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, { rules });

  test.each([
    ["a rule that is null", [null]],
    ["a rule that is a list", [[]]],
    ["a rule that is a string", ["block"]],
    ["an action named like a method of Object.prototype", [{ action: "constructor", expression: "ssl" }]],
    ["parameters that are a string", [{ action: "execute", expression: "ssl", action_parameters: "x" }]],
    ["a rate limit that is a number", [{ action: "block", expression: "ssl", ratelimit: 5 }]],
    ["refs that are objects", [{ action: "block", expression: "ssl", ref: {} }]],
  ])("%s is refused", async (_, rules) => {
    expect((await put(rules)).status).toBe(400);
  });
  test.each(["constructor", "__proto__", "toString"])(
    "the phase %s is refused, and has no entry point",
    async (name) => {
      const body = { name: "x", kind: "zone", phase: name };
      expect((await caller.send("POST", `${zone}/rulesets`, body)).status).toBe(400);
      expect(codes(await caller.send("GET", `${zone}/rulesets/phases/${name}/entrypoint`))).toEqual([404, 10003]);
      expect((await caller.send("PUT", `${zone}/rulesets/phases/${name}/entrypoint`, {})).status).toBe(400);
    },
  );
  test("a key that would change the prototype is refused", async () => {
    const body = '{"rules":[],"__proto__":{"kind":"zone"}}';
    expect((await caller.send("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, body)).status).toBe(400);
    const metadata = '{"hostname":"a.test","custom_metadata":{"\\u005f_proto__":"x"}}';
    expect((await caller.send("POST", `${zone}/custom_hostnames`, metadata)).status).toBe(400);
  });
  test("a hostname label named like a method of Object.prototype is accepted", async () => {
    await caller.control("POST", `${zone}/certificates`, { caa: { "b.test": ["pki.goog"] } });
    expect((await caller.send("POST", `${zone}/custom_hostnames`, { hostname: "a.constructor" })).status).toBe(200);
  });
  test("a migration step named like a method of Object.prototype is refused", async () => {
    const path = `${zone}/rulesets/phases/http_request_firewall_managed/entrypoint?waf_migration=constructor&phase_two=1`;
    expect((await caller.send("PUT", path, { rules: [] })).status).toBe(400);
  });

  test.each([100, 10_000, 1_000_000])(
    "a body nested %i deep is refused, and later lists and writes work",
    async (depth) => {
      const answer = await caller.send(
        "POST",
        `${zone}/custom_hostnames`,
        `{"hostname":"d.test","custom_metadata":${nested(depth)}}`,
      );
      expect(codes(answer)).toEqual([400, 1400]);
      expect(codes(await caller.send("PUT", `${zone}/rulesets/phases/${phase}/entrypoint`, nested(depth)))).toEqual([
        400, 6007,
      ]);
      expect((await caller.send("GET", `${zone}/custom_hostnames`)).status).toBe(200);
    },
  );

  test("invalid JSON gets the error code of the operation", async () => {
    expect(codes(await caller.send("POST", `${zone}/custom_hostnames`, "{no"))).toEqual([400, 1400]);
    expect(codes(await caller.send("POST", `${zone}/rulesets`, "{no"))).toEqual([400, 6007]);
  });
  test.each([
    ["text/plain", 400],
    ["text/plain;charset=UTF-8", 400],
    ["application/x-www-form-urlencoded", 400],
    ["", 400],
    ["application/json", 200],
    ["Application/JSON; charset=utf-8", 200],
  ])("a body of the type %j is answered with %i", async (type, status) => {
    const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": type };
    const url = `${emulator.url}${zone}/rulesets/phases/${phase}/entrypoint`;
    const answer = await send(url, "PUT", { headers, body: '{"rules":[]}' });
    const chain = { code: 6105, message: expect.stringContaining("application/json") as string };
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      status,
      status === 200
        ? expect.objectContaining({ success: true })
        : expect.objectContaining({
            errors: [{ code: 6003, message: "Invalid request headers", error_chain: [chain] }],
          }),
    ]);
  });
  test.each([
    ["POST", "/custom_hostnames", []],
    ["POST", "/custom_hostnames", "5"],
    ["PATCH", "/ssl/universal/settings", undefined],
    ["POST", "/acm/total_tls", "null"],
    ["PATCH", "/settings/waf", { value: 1 }],
    ["POST", "/firewall/waf/overrides", {}],
    ["POST", "/filters", "[null]"],
    ["POST", "/filters", [[]]],
    ["POST", "/firewall/rules", [{ action: "bypass", filter: null }]],
    ["POST", "/pagerules", { targets: 1 }],
    ["POST", "/custom_certificates", {}],
    ["POST", "/ssl/certificate_packs/order", { type: "advanced" }],
    ["DELETE", "/filters", undefined],
    ["DELETE", "/firewall/rules", undefined],
    ["GET", "/custom_hostnames?page=x", undefined],
  ])("%s %s refuses %j with a code", async (method, path, body) => {
    const answer = await caller.send(method, `${zone}${path}`, body);
    expect(codes(answer)).toEqual([400, expect.any(Number)]);
  });
  test("a repeated query parameter is handled", async () => {
    expect((await caller.send("GET", `${zone}/custom_hostnames?hostname.contain=a&hostname.contain=b`)).status).toBe(
      200,
    );
    expect((await caller.send("GET", "/zones?name=a&name=b")).status).toBe(200);
    expect((await caller.send("GET", `${zone}/rulesets?cursor=a&cursor=b`)).status).toBe(400);
  });
  test("an invalid pace is refused", async () => {
    const control = (body: object) => caller.control("POST", `${zone}/certificates`, body);
    for (const body of [
      { pace: 5 },
      { pace: { reads: "x" } },
      { pace: { reads: 0 } },
      { pacee: "at-once" },
      { caa: 5 },
    ])
      expect(await control(body)).toMatchObject({
        success: false,
        errors: [{ message: expect.any(String) as string }],
      });
    expect(await caller.control("POST", `${zone}/previous-waf`, { progression: 5 })).toMatchObject({ success: false });
    expect((await caller.send("GET", `${zone}/custom_hostnames`)).status).toBe(200);
  });

  test("a time that no response can contain is refused, and the clock keeps its time", async () => {
    const { now } = await caller.control<{ now: string }>("GET", "/clock");
    for (const body of [1e20, 1e300, -1, null, "tomorrow"].map((time) => ({ now: time })))
      expect(await caller.control("POST", "/clock", body)).toMatchObject({ success: false });
    for (const advanceSeconds of [1e20, 1e300, -1e12])
      expect(await caller.control("POST", "/clock", { advanceSeconds })).toMatchObject({ success: false });
    const status = await send(emulator.url.replace("/client/v4", "/__emulator/clock"), "POST", {
      body: '{"now":1e20}',
    });
    expect(status).toMatchObject({ status: 400 });
    expect(() => {
      emulator.advanceClock(1e300);
    }).toThrow("times from 1970 to 9999");
    expect((await caller.control<{ now: string }>("GET", "/clock")).now.slice(0, 16)).toBe(now.slice(0, 16));
  });

  test.each([
    ["asks for a tunnel", "CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n", 405],
    [
      "expects what is unknown",
      "GET /client/v4/zones HTTP/1.1\r\nHost: x\r\nExpect: x\r\nConnection: close\r\n\r\n",
      417,
    ],
    ["names no host", "GET /client/v4/zones HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ])("a request that %s is answered with an envelope", async (_, request, status) => {
    const answer = await caller.raw(request);
    expect(answer.slice(9, 12)).toBe(String(status));
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toMatchObject({
      success: false,
      result: null,
      errors: [{ code: expect.any(Number) as number, message: expect.any(String) as string }],
    });
  });

  test("a body that is too large is read to its end, so that the client sees the refusal", async () => {
    const size = 64 * 1024 * 1024;
    const head =
      `PUT /client/v4${zone}/rulesets/phases/${phase}/entrypoint HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKEN}\r\n` +
      `Content-Type: application/json\r\nConnection: close\r\n`;
    const sized = await caller.raw(`${head}Content-Length: ${String(size)}\r\n\r\n${"x".repeat(size)}`);
    expect(sized).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `${size.toString(16)}\r\n${"x".repeat(size)}\r\n0\r\n\r\n`;
    expect(await caller.raw(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("connections stay open as long as those of the service", async () => {
    const answer = await fetch(`${emulator.url}/zones`, { headers: { Authorization: `Bearer ${TOKEN}` } });
    expect(answer.headers.get("keep-alive")).toBe("timeout=400");
  });

  test("an invalid path, or invalid HTTP, is answered with an envelope", async () => {
    const bodyOf = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
    const refusal = { success: false, result: null, errors: [{ code: expect.any(Number) as number }] };
    const auth = `Host: x\r\nAuthorization: Bearer ${TOKEN}\r\nConnection: close\r\n\r\n`;
    const path = await caller.raw(`GET /client/v4/zones/%zz HTTP/1.1\r\n${auth}`);
    expect(path).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(path)).toMatchObject(refusal);
    const broken = await caller.raw("NONSENSE\r\n\r\n");
    expect(broken).toMatch(/^HTTP\/1\.1 400 /);
    expect(bodyOf(broken)).toMatchObject(refusal);
    const headers = await caller.raw(`GET /client/v4/zones HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n${auth}`);
    expect(headers).toMatch(/^HTTP\/1\.1 431 /);
    expect(bodyOf(headers)).toMatchObject(refusal);
  });
});

import type { Emulator, Seed } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { emulatorWith, freshEmulator } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const block = (expression: string, more: object = {}) => ({ action: "block", expression, ...more });

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    result: {
      [key: string]: unknown;
      id: string;
      rules: { id: string; ref: string; version: string; expression: string }[];
    };
    errors: { code?: number; message: string; source?: { pointer: string } }[];
  };
}

describe("the emulator", () => {
  let emulator: Emulator;
  let service: Service;
  let zones: Record<string, string>;
  const send = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { Authorization: `Bearer ${TOKEN}` },
  ): Promise<Answer> => {
    const answer = await fetch(`${emulator.url}${path}`, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: (text === "" ? {} : JSON.parse(text)) as Answer["body"],
    };
  };
  const start = async (seed?: Seed): Promise<void> => {
    emulator = await freshEmulator({ seed });
    service = new Service(emulator);
    zones = Object.fromEntries(
      await Promise.all(
        ["free", "pro", "business", "enterprise"].map(async (plan) => [plan, await service.zone(plan)] as const),
      ),
    );
  };
  beforeEach(() => start());
  const zone = (): string => `/zones/${zones.enterprise ?? ""}`;
  const entrypoint = (path: string): string => `${path}/rulesets/phases/${phase}/entrypoint`;
  /** Writes rules to the entry point of the Enterprise zone. */
  const put = (...rules: object[]): Promise<Answer> => send("PUT", entrypoint(zone()), { rules });
  const codes = (answer: Answer): (number | undefined)[] => [
    answer.status,
    ...answer.body.errors.map(({ code }) => code),
  ];

  describe("identity of rules", () => {
    test("follows the ref: the same ref keeps the ID, another one creates a new rule", async () => {
      const created = await put(block("ssl", { ref: "a" }), block("not ssl"));
      const [a, b] = created.body.result.rules;
      const again = await put(block("true", { ref: b?.ref }), block("ssl", { ref: "a" }), block("ssl", { ref: "c" }));
      expect(again.body.result.rules.map(({ id, version }) => [id, version])).toEqual([
        [b?.id, "2"],
        [a?.id, "1"],
        [expect.any(String), "1"],
      ]);
      expect(again.body.result.version).toBe("2");
    });
    test("is the same in every run", async () => {
      const first = (await put(block("ssl"))).body.result;
      await service.reset();
      const second = (await put(block("ssl"))).body.result;
      expect([second.id, second.rules[0]?.id]).toEqual([first.id, first.rules[0]?.id]);
    });
  });

  describe("refusals have the status, code and message of the service", () => {
    const zonal = (of: string) => ({ name: "x", kind: "zone", phase: of });
    const settings = { action: "set_config", expression: "true" };
    const cases: [string, () => Promise<Answer>, number | undefined, string, number?][] = [
      [
        "an occupied phase",
        async () => {
          await put();
          return send("POST", `${zone()}/rulesets`, zonal(phase));
        },
        20217,
        "exceeded maximum number of zone rulesets for phase",
      ],
      ["a blank expression", () => put({ action: "block" }), 20125, "the expression cannot be blank"],
      ["an expression that does not parse", () => put(block("(ssl")), 20127, "could not parse filter expression"],
      ["an expression that is too long", () => put(block(`"${"a".repeat(4100)}"`)), 20127, "exceeded maximum 4096"],
      [
        "an expression that is within the limit because white space counts once",
        () => put(block(`(${" ".repeat(4100)}`)),
        20127,
        "could not parse",
      ],
      [
        "missing parameters",
        () => send("PUT", `${zone()}/rulesets/phases/http_config_settings/entrypoint`, { rules: [settings] }),
        20113,
        "action parameters are required for the set_config action",
      ],
      [
        "logging in another action",
        () => put(block("ssl", { logging: { enabled: true } })),
        20018,
        "logging options only allowed in the skip action",
      ],
      [
        "an action of another phase",
        () => put({ action: "route", expression: "true" }),
        undefined,
        "it is not possible to use the route action in a ruleset with phase http_request_firewall_custom and kind zone",
      ],
      [
        "an action named like a property of Object.prototype",
        () => put({ action: "constructor", expression: "true" }),
        undefined,
        "it is not a known action",
      ],
      [
        "a phase named like a property of Object.prototype",
        () => send("POST", `${zone()}/rulesets`, zonal("toString")),
        undefined,
        "it is not a known phase",
      ],
      [
        "the same ref twice",
        () => put(block("ssl", { ref: "a" }), block("not ssl", { ref: "a" })),
        undefined,
        "is used by another rule",
      ],
      [
        "a parameter out of range",
        () =>
          put(block("ssl", { action_parameters: { response: { status_code: 200, content: "x", content_type: "y" } } })),
        undefined,
        "is not a valid value for status_code",
      ],
      [
        "an executed ruleset that does not exist",
        () => put({ action: "execute", expression: "true", action_parameters: { id: "0".repeat(32) } }),
        undefined,
        "could not find ruleset",
      ],
      [
        "a change of the name",
        async () => {
          const created = await send("POST", `${zone()}/rulesets`, { name: "x", kind: "custom", phase });
          return send("PUT", `${zone()}/rulesets/${created.body.result.id}`, { name: "y", rules: [] });
        },
        undefined,
        "the name field cannot be modified: got y, want x",
      ],
      [
        "another kind in the body of an entry point",
        () => send("PUT", entrypoint(zone()), { kind: "root", rules: [] }),
        undefined,
        "the kind field cannot be modified: got root, want zone",
      ],
      [
        "an entry point that does not exist",
        () => send("GET", entrypoint(zone())),
        10003,
        "could not find entrypoint ruleset in the http_request_firewall_custom phase",
        404,
      ],
      [
        "a ruleset that does not exist",
        () => send("GET", `${zone()}/rulesets/${"0".repeat(32)}`),
        10003,
        "could not find ruleset",
        404,
      ],
      [
        "a position out of range",
        async () => {
          const created = await put(block("ssl"));
          const path = `${zone()}/rulesets/${created.body.result.id}/rules`;
          return send("POST", path, block("true", { position: { index: 9 } }));
        },
        undefined,
        "out of range",
      ],
      [
        "an invalid dry_run",
        () => send("PUT", `${entrypoint(zone())}?dry_run=maybe`, { rules: [] }),
        undefined,
        "is not a valid value for dry_run",
      ],
      [
        "an invalid ID",
        () => send("GET", "/zones/nonsense/rulesets"),
        7003,
        "perhaps your object identifier is invalid?",
        404,
      ],
      [
        "a zone of someone else",
        () => send("GET", `/zones/${"0".repeat(32)}/rulesets`),
        9109,
        "Unauthorized to access requested resource",
        403,
      ],
      ["an unknown path", () => send("GET", "/nowhere"), 7000, "No route for that URI", 404],
      ["an invalid body", () => send("PUT", entrypoint(zone()), "{not json"), 6007, "Malformed JSON"],
    ];
    test.each(cases)("%s", async (_, run, code, words, status = 400) => {
      const answer = await run();
      expect(codes(answer)).toEqual([status, code]);
      expect(answer.body.errors[0]?.message).toContain(words);
    });

    test("and point to the field in the body", async () => {
      const answer = await put(block("ssl"), { action: "block" });
      expect(answer.body.errors[0]?.source?.pointer).toBe("/rules/1/expression");
    });
  });

  describe("plans", () => {
    test.each([
      ["free", 5],
      ["pro", 20],
    ])("%s accepts %i custom rules, and refuses the whole write beyond that", async (plan, max) => {
      const path = entrypoint(`/zones/${zones[plan] ?? ""}`);
      const rules = Array.from({ length: max + 1 }, (_, index) => block(`ip.src eq 192.0.2.${String(index)}`));
      expect((await send("PUT", path, { rules: rules.slice(1) })).status).toBe(200);
      const refused = await send("PUT", path, { rules });
      expect(codes(refused)).toEqual([400, 50001]);
      expect(refused.body.errors[0]?.message).toBe(
        `exceeded the maximum number of rules in the phase ${phase}: ${String(max + 1)} out of ${String(max)}`,
      );
    });
    test("limit regular expressions and the log action", async () => {
      const path = entrypoint(`/zones/${zones.pro ?? ""}`);
      const sent = (rule: object) => send("PUT", path, { rules: [rule] });
      const faultOf = async (rule: object) => (await sent(rule)).body.errors[0]?.message;
      expect(await faultOf(block('http.host matches "a"'))).toContain("operator Matches is not allowed");
      expect((await sent(block('http.host eq "it matches"'))).status).toBe(200);
      expect(await faultOf({ action: "log", expression: "ssl" })).toContain("Enterprise");
    });
  });

  describe("credentials", () => {
    const list = (headers: Record<string, string>) => send("GET", "/zones", undefined, headers);
    test("of both schemes are accepted, but not together", async () => {
      const key = { "X-Auth-Email": "a@example.com", "X-Auth-Key": "key-12345678" };
      expect((await list(key)).status).toBe(200);
      expect((await list({ ...key, Authorization: "Bearer x" })).status).toBe(400);
    });
    test("that are malformed get an error chain", async () => {
      expect(JSON.stringify((await list({ Authorization: "Basic x" })).body.errors)).toContain(
        '"error_chain":[{"code":6111',
      );
      expect(codes(await list({ "X-Auth-Email": "nobody", "X-Auth-Key": "key-12345678" }))).toEqual([400, 6003]);
      expect((await list({})).status).toBe(400);
    });
    test("of a named token: others are refused, and a read-only token can only read", async () => {
      await service.reset({ tokens: [{ value: "right-token" }, { value: "read-token", access: "read" }] });
      expect(codes(await list({ Authorization: "Bearer wrong" }))).toEqual([401, 10000]);
      expect((await list({ Authorization: "Bearer read-token" })).status).toBe(200);
      const write = await send("PUT", entrypoint(zone()), { rules: [] }, { Authorization: "Bearer read-token" });
      expect(codes(write)).toEqual([403, undefined]);
    });
  });

  describe("controls for tests", () => {
    const control = async (method: string, path: string, body?: unknown): Promise<unknown> => {
      const answer = await fetch(`${emulator.url.replace("/client/v4", "/__emulator")}${path}`, {
        method,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return answer.json();
    };
    test("the log of requests", async () => {
      await control("DELETE", "/requests");
      await send("GET", `${zone()}/rulesets?per_page=2`);
      await send("GET", "/nowhere");
      expect(await control("GET", "/requests")).toMatchObject([
        { method: "GET", path: `/client/v4${zone()}/rulesets`, status: 200 },
        { method: "GET", path: "/client/v4/nowhere", status: 404 },
      ]);
      await control("DELETE", "/requests");
      expect(await control("GET", "/requests")).toEqual([]);
    });
    test("the log of requests, read in the same process without HTTP", async () => {
      emulator.forgetRequests();
      await send("GET", `${zone()}/rulesets`);
      expect(emulator.requests()).toMatchObject([{ method: "GET", path: `/client/v4${zone()}/rulesets`, status: 200 }]);
      expect(emulator.requests()).toEqual(await control("GET", "/requests"));
      emulator.forgetRequests();
      expect([emulator.requests(), await control("GET", "/requests")]).toEqual([[], []]);
    });
    test("the clock", async () => {
      await control("POST", "/clock", { now: "2030-01-01T00:00:00Z" });
      await control("POST", "/clock", { advanceSeconds: 86_400 });
      expect((await put()).body.result.last_updated).toMatch(/^2030-01-02T00:00:\d\d\.\d{6}Z$/);
    });
    test("the clock and the faults, in the same process without HTTP", async () => {
      await control("POST", "/clock", { now: "2030-01-01T00:00:00Z" });
      emulator.advanceClock(86_400);
      expect(await control("GET", "/clock")).toMatchObject({
        now: expect.stringMatching(/^2030-01-02T00:00:/) as string,
      });
      await control("POST", "/faults", { method: "PUT", status: 503 });
      expect(emulator.faults()).toEqual(await control("GET", "/faults"));
      expect(emulator.faults()).toHaveLength(1);
      emulator.clearFaults();
      expect([emulator.faults(), await control("GET", "/faults")]).toEqual([[], []]);
    });
    test("faults: a status and body, once, by method and pattern", async () => {
      const headers = { "Retry-After": "9" };
      await control("POST", "/faults", { method: "PUT", path: "*/entrypoint", status: 429, headers });
      expect((await send("GET", `${zone()}/rulesets`)).status).toBe(200);
      const refused = await put();
      expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "9"]);
      expect((await put()).status).toBe(200);
    });
    test.each([
      "/entrypoint",
      "*/entrypoint",
      "/client/v4/zones/*",
      "/zones/*/rulesets/phases/*",
      "entrypoint$",
      "^/zones/[0-9a-f]+/rulesets",
    ])("faults: the pattern %s matches an entry point", async (path) => {
      await control("POST", "/faults", { path, status: 503 });
      expect((await send("GET", entrypoint(zone()))).status).toBe(503);
    });
    test.each(["/accounts/", "*/versions", "entrypoint/versions$"])("faults: the pattern %s does not", async (path) => {
      await control("POST", "/faults", { path, status: 503 });
      expect((await send("GET", entrypoint(zone()))).status).toBe(404);
    });
    test("faults: the connection cut before or after the write", async () => {
      await control("POST", "/faults", { method: "PUT", cut: "before" });
      await expect(put()).rejects.toThrow();
      expect((await send("GET", entrypoint(zone()))).status).toBe(404);
      await control("POST", "/faults", { method: "PUT", cut: "after" });
      await expect(put()).rejects.toThrow();
      expect((await send("GET", entrypoint(zone()))).status).toBe(200);
    });
    test("faults: a request that is held until the faults are removed", async () => {
      await control("POST", "/faults", { method: "PUT", delayMs: 1, hold: true });
      let isOver = false;
      const held = put().then(({ status }) => {
        isOver = true;
        return status;
      });
      await until(() => emulator.faults().length === 0);
      expect((await send("GET", entrypoint(zone()))).status).toBe(404);
      expect(isOver).toBe(false);
      await control("DELETE", "/faults");
      expect(await held).toBe(200);
    });
    test("faults: an invalid response after a successful write", async () => {
      await control("POST", "/faults", { method: "PUT", body: "<html>" });
      await expect(put()).rejects.toThrow(SyntaxError);
      expect((await send("GET", entrypoint(zone()))).status).toBe(200);
    });
    test("faults: someone else writes first, which is in no request log", async () => {
      const created = await put();
      await control("DELETE", "/requests");
      const path = `${zone()}/rulesets/${created.body.result.id}/rules`;
      await control("POST", "/faults", { method: "PUT", meanwhile: [{ method: "POST", path, body: block("ssl") }] });
      const answer = await put(block("not ssl"));
      expect(answer.body).toMatchObject({ errors: [], result: { version: "3", rules: [{ expression: "not ssl" }] } });
      const between = await send("GET", `${entrypoint(zone())}/versions/2`);
      expect(between.body.result.rules.map(({ expression }) => expression)).toEqual(["ssl"]);
      const requests = (await control("GET", "/requests")) as { method: string }[];
      expect(requests.map(({ method }) => method)).toEqual(["PUT", "GET"]);
      await control("POST", "/faults", { meanwhile: [{ method: "POST", path, body: {} }] });
      expect((await send("GET", entrypoint(zone()))).status).toBe(500);
    });
    test("faults that are misspelled are refused", async () => {
      expect(JSON.stringify(await control("POST", "/faults", { statu: 500 }))).toContain(
        "a fault has no property statu",
      );
    });
  });

  test("moves rules to any position, and a PATCH replaces the whole definition", async () => {
    const three = ["a", "b", "c"].map((ref) => block(`http.host eq "${ref}"`, { ref }));
    const created = (await put(...three)).body.result;
    const rules = `${zone()}/rulesets/${created.id}/rules`;
    const move = async (index: number, position: object): Promise<string> => {
      const answer = await send("PATCH", `${rules}/${created.rules[index]?.id ?? ""}`, { position });
      return answer.body.result.rules.map(({ ref }) => ref).join("");
    };
    expect(await move(2, { before: created.rules[0]?.id })).toBe("cab");
    expect(await move(2, { after: "" })).toBe("abc");
    expect(await move(1, { before: "" })).toBe("bac");
    expect(await move(1, { index: 3 })).toBe("acb");
    expect(codes(await send("PATCH", `${rules}/${created.rules[0]?.id ?? ""}`, { action_parameters: {} }))).toEqual([
      400,
      undefined,
    ]);
    const patched = await send("PATCH", `${rules}/${created.rules[0]?.id ?? ""}`, block("true"));
    expect(patched.body.result.rules[0]).toMatchObject({ ref: "a", expression: "true", version: "2" });
    expect(patched.body.result.rules[0]).not.toHaveProperty("description");
  });

  test("listens on loopback only", async () => {
    await expect(emulatorWith({ host: "0.0.0.0" })).rejects.toThrow("only listens on loopback addresses");
  });

  test("enforces the request quota when configured, and counts again in the next window", async () => {
    await service.reset({ rateLimit: { quota: 2, windowSeconds: 60, enforce: true } });
    expect((await send("GET", "/zones")).headers.get("ratelimit")).toMatch(/^"default";r=1;t=\d+$/);
    await send("GET", "/zones");
    const refused = await send("GET", "/zones");
    expect(codes(refused)).toEqual([429, 971]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    await fetch(`${emulator.url.replace("/client/v4", "/__emulator")}/clock`, {
      method: "POST",
      body: JSON.stringify({ advanceSeconds: 61 }),
    });
    expect((await send("GET", "/zones")).status).toBe(200);
  });

  test("gives every token a quota of its own", async () => {
    await service.reset({ rateLimit: { quota: 1, windowSeconds: 60, enforce: true } });
    await send("GET", "/zones");
    expect((await send("GET", "/zones")).status).toBe(429);
    const headers = { Authorization: "Bearer another-token-0123456789" };
    expect((await fetch(`${emulator.url}/zones`, { headers })).status).toBe(200);
  });
});

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Limiter, Transport, type TransportOptions } from "../../../client/http/index.js";
import { ApiError } from "../../../core/model/errors.js";
import { Secrets } from "../../../client/redaction/secrets.js";

const TOKEN = "very-secret-token-123";
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that answers each request with the next handler, and records the requests. */
class Scripted {
  readonly seen: IncomingMessage[] = [];
  private server!: Server;
  async start(...handlers: Handler[]): Promise<string> {
    this.server = createServer((request, response) => {
      const handler = handlers[Math.min(this.seen.length, handlers.length - 1)];
      this.seen.push(request);
      request.resume().on("end", () => handler?.(request, response));
    });
    await new Promise<void>((resolve) => this.server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }
  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Handler =>
  (_, response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
const fine = (result: unknown) => json(200, { success: true, result, errors: [], messages: [] });
const refusal = (code: number, message: string): string =>
  JSON.stringify({ success: false, errors: [{ code, message }], messages: [], result: null });
const slow = (header: string, status = 429) =>
  json(status, { success: false, errors: [{ code: 971, message: "slow" }] }, { "Retry-After": header });
const get = { method: "GET", path: "/a" } as const;
const put = { method: "PUT", path: "/a", body: {} } as const;
const cut: Handler = (request) => request.socket.destroy();

describe("the HTTP transport", () => {
  const server = new Scripted();
  const waits: number[] = [];
  afterEach(() => {
    server.stop();
    server.seen.length = 0;
    waits.length = 0;
  });
  const transport = (baseUrl: string, options: Partial<TransportOptions> = {}) => {
    let time = 0;
    const clock = {
      now: () => time,
      sleep: (ms: number) => {
        waits.push(ms);
        time += ms;
        return Promise.resolve();
      },
    };
    const credentials = { kind: "token", apiToken: TOKEN } as const;
    return new Transport({
      ...{ baseUrl, credentials, clock, limiter: new Limiter({ clock }), random: () => 0 },
      credentialsSource: "the token in X",
      ...options,
    });
  };
  const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
    const error: unknown = await promise.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    return error as ApiError;
  };

  test("of several clients uses one connection after the other", async () => {
    const baseUrl = await server.start(fine(1));
    for (let count = 0; count < 5; count += 1) await transport(baseUrl).send({ method: "GET", path: "/x" });
    expect(new Set(server.seen.map(({ socket }) => socket.remotePort)).size).toBe(1);
  });

  test("sends a token, or an e-mail address and a key, never both", async () => {
    const url = await server.start(fine(1));
    await transport(url).send(get);
    const credentials = { kind: "key", email: "a@example.com", apiKey: "key-12345" } as const;
    await transport(url, { credentials }).send(get);
    const [token, key] = server.seen.map(({ headers }) => headers);
    expect(token).toMatchObject({ authorization: `Bearer ${TOKEN}` });
    expect(token).not.toHaveProperty("x-auth-key");
    expect(key).toMatchObject({ "x-auth-email": "a@example.com", "x-auth-key": "key-12345" });
    expect(key).not.toHaveProperty("authorization");
  });

  test("treats an empty response to a write as a success without a result, and to a read as nobody's answer", async () => {
    const url = await server.start((_, response) => response.writeHead(204).end());
    const deleted = transport(url).send({ method: "DELETE", path: "/a" });
    await expect(deleted).resolves.toMatchObject({ success: true, result: null });
    await expect(transport(url).send(get)).rejects.toThrow(
      "GET /a: an unreadable response: an empty response. This is not the API's format",
    );
  });

  test("treats a success without a result as one of a write, and as nobody's answer to a read", async () => {
    const url = await server.start((_, response) => response.end('{"success":true,"errors":[],"messages":[]}'));
    await expect(transport(url).send({ method: "DELETE", path: "/a" })).resolves.toMatchObject({ result: null });
    await expect(transport(url).send(get)).rejects.toMatchObject({ code: "API_GARBLED" });
  });

  test("reports messages of the service, and hides secrets in them", async () => {
    const reported: string[] = [];
    const onMessage = (text: string): number => reported.push(text);
    const secrets = new Secrets();
    secrets.add("hush");
    const messages = [
      "a plain text",
      { code: 10_000, message: `hush and ${TOKEN}`, source: { pointer: "/rules/0/expression" } },
      7,
    ];
    const url = await server.start(
      json(200, { success: true, result: 1, errors: null, messages }),
      json(200, { success: true, result: 1, messages: null }),
      json(400, { success: false, errors: [{ message: "no" }], messages: ["and besides"] }),
    );
    const client = transport(url, { onMessage, secrets });
    await client.send(get);
    expect(reported).toEqual(["a plain text", "[10000] [secret] and [secret] (at /rules/0/expression)"]);
    await client.send(get);
    await failure(client.send(get));
    expect(reported.slice(2)).toEqual(["and besides"]);
  });

  test("waits as long as the service says, and holds all other requests back", async () => {
    const url = await server.start(slow("7"), fine("x"));
    const client = transport(url);
    await expect(client.send(put)).resolves.toMatchObject({ result: "x" });
    expect(waits).toEqual([7000]);
  });

  test("says of each wait for a 429 once what it is for and until when, and what is said is what it waits", async () => {
    const url = await server.start(slow("240"), slow("300"), fine("x"));
    const said: string[] = [];
    const onWait = (ms: number, reason: string): number => said.push(`${String(ms)} ${reason}`);
    await transport(url, { onWait }).send(put);
    expect(said).toEqual([
      "240000 until 00:04:00 UTC, because the service allows no more requests before (429)",
      "300000 until 00:09:00 UTC, because the service allows no more requests before (429)",
    ]);
    expect(waits).toEqual([240_000, 300_000]);
  });

  test.each([
    [
      "999999",
      "more than a day (Retry-After), and a run waits at most 6 minutes for that. To continue: run the same command again later.",
    ],
    ["9".repeat(400), "more than a day"],
    [
      "Thu, 01 Jan 1970 02:00:00",
      "2 hours (Retry-After), and a run waits at most 6 minutes for that. To continue: run the same command again after that time.",
    ],
  ])("ends at once where the service asks for a longer wait than a run makes: %s", async (header, text) => {
    for (const [status, code] of [
      [429, "API_RATE_LIMITED"],
      [503, "API_UNAVAILABLE"],
    ] as const) {
      server.seen.length = 0;
      const url = await server.start(slow(header, status));
      const error = await failure(transport(url).send(get));
      server.stop();
      expect([error.code, server.seen.length, waits]).toEqual([code, 1, []]);
      expect(error.message).toContain(`The service asks to wait ${text}`);
    }
  });

  test.each(["-5", "0", "Wed, 31 Dec 1969 00:00:00 GMT"])(
    "reports no waiting time when Retry-After is %s",
    async (header) => {
      const url = await server.start(slow(header));
      const error = await failure(transport(url, { maxRetries: 0 }).send(put));
      expect(error.message).not.toMatch(/in -?\d+ s/);
      expect(error.message).toContain("lower rulesets:requestsPerSecond");
    },
  );

  test("retries a GET after a broken connection, and reports the number of attempts", async () => {
    const url = await server.start(cut, cut, fine("x"));
    await expect(transport(url).send(get)).resolves.toMatchObject({ result: "x" });
    expect(server.seen).toHaveLength(3);
  });

  test("sends a write once over a broken connection, and reports that the outcome is unknown", async () => {
    const url = await server.start(cut);
    const error = await failure(transport(url).send(put));
    expect(server.seen).toHaveLength(1);
    expect(error).toMatchObject({ code: "API_UNAVAILABLE", ambiguous: true, status: undefined });
    expect(error.message).toMatch(
      /It is not known whether the request was carried out\. To continue: .* `pulumi up`: it reads what/,
    );
  });

  test.each([
    ["PUT", 502, "<html>Bad gateway</html>"],
    ["POST", 500, JSON.stringify({ success: false, errors: [{ code: 10_000, message: "internal" }] })],
    ["DELETE", 503, ""],
    ["PATCH", 200, "<html>hello</html>"],
  ] as const)(
    "reports of a %s with the answer %i that the outcome is unknown, and what to do",
    async (method, status, text) => {
      const url = await server.start((_, response) => response.writeHead(status).end(text === "" ? "{}" : text));
      const error = await failure(transport(url, { maxRetries: 1 }).send({ method, path: "/a" }));
      expect(error.message).toMatch(
        /It is not known whether the request was carried out\. To continue: .* `pulumi up`: it reads what/,
      );
    },
  );

  test("sends a POST that only reads again, and reports no unknown outcome of it", async () => {
    const broken = json(502, { success: false, errors: [] });
    const url = await server.start(broken, json(200, { data: { viewer: {} }, errors: null }), broken);
    const ask = () => transport(url, { maxRetries: 1 }).send({ method: "POST", path: "/graphql", onlyReads: true });
    await expect(ask()).resolves.toMatchObject({ result: { viewer: {} } });
    const error = await failure(ask());
    expect([server.seen.length, error.ambiguous]).toEqual([4, false]);
    expect(error.message).not.toContain("not known whether");
  });

  test("reports of a failed read, of a write that was refused, and of a dry run no unknown outcome", async () => {
    const url = await server.start(...[503, 400].map((status) => json(status, { success: false, errors: [] })));
    for (const method of ["GET", "PUT"] as const) {
      const error = await failure(transport(url, { maxRetries: 0 }).send({ method, path: "/a" }));
      expect(error.message).not.toContain("not known whether");
    }
    server.stop();
    for (const answer of [json(502, {}), json(200, "hello"), cut]) {
      const call = { method: "POST", path: "/a", query: { dry_run: "true" } } as const;
      const error = await failure(transport(await server.start(answer)).send(call));
      server.stop();
      expect([error.ambiguous, error.message.includes("not known whether")]).toEqual([true, false]);
    }
  });

  test("adds status, code, pointer, request ID and a hint to every error", async () => {
    const errors = [{ code: 20125, message: "blank", source: { pointer: "/rules/0/expression" } }];
    const body = { success: false, result: null, errors, messages: null };
    const url = await server.start(json(400, body, { "CF-Ray": "ray1" }));
    const error = await failure(transport(url).send(put));
    expect(error).toMatchObject({ code: "API_INVALID", status: 400, requestId: "ray1", ambiguous: false });
    expect(error.errors).toEqual([{ code: 20125, message: "blank", pointer: "/rules/0/expression" }]);
    expect(error.message).toBe(
      "PUT /a: 400 [20125] blank (at /rules/0/expression) [request ray1]. Every rule needs an expression; `true` matches every request.",
    );
  });

  test.each([
    [401, "API_UNAUTHORIZED", "The service rejected the token in X. RULESETS_API_TOKEN overrides it for one run."],
    [403, "API_FORBIDDEN", 'need the permission "Zone WAF Write"'],
    // The same code is one of custom hostnames.
    [404, "API_NOT_FOUND", / gone\.$/],
    [409, "API_CONFLICT", "gone"],
    [500, "API_UNAVAILABLE", "gone"],
  ])("a %i is reported as %s with what to do", async (status, code, text) => {
    const url = await server.start(json(status, { success: false, errors: [{ code: 1404, message: "gone." }] }));
    const path = "/zones/z/rulesets/phases/http_ratelimit/entrypoint";
    const error = await failure(transport(url, { maxRetries: 0 }).send({ ...put, path }));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(text);
  });

  test("shows no credentials, whatever the service returns", async () => {
    const url = await server.start(json(400, { success: false, errors: [{ message: `bad header Bearer ${TOKEN}` }] }));
    const error = await failure(transport(url).send(get));
    expect(`${error.message} ${JSON.stringify(error)} ${JSON.stringify(error.errors)}`).not.toContain(TOKEN);
    expect(error.message).toContain("[secret]");
  });

  test("shows the code and the pointer alone where the request carries a secret, which may be repeated in any form", async () => {
    const secrets = new Secrets();
    secrets.add("hunter2-very-secret");
    const message = "near aHVudGVyMi12ZXJ5";
    const errors = [
      { code: 20127, message, source: { pointer: "/rules/0/action_parameters/headers/hunter2/value" } },
      { message, documentation_url: `https://example.com/${message}` },
    ];
    const url = await server.start(
      json(400, { success: false, errors, messages: [message] }),
      (_request, response) => response.writeHead(500).end(message),
      json(400, { success: false, errors }),
    );
    const reported: string[] = [];
    const client = transport(url, { secrets, maxRetries: 0, onMessage: (text) => reported.push(text) });
    const call = { ...put, body: { rules: [{ expression: 'a eq "hunter2-very-secret"' }] } };
    const [refused, failed] = [await failure(client.send(call)), await failure(client.send(call))];
    expect(refused.message).toContain(
      "400 [20127] text not shown, because the request has secrets (at /rules/0/action_parameters/headers)",
    );
    expect(refused.message).toContain("The expression cannot be parsed");
    expect(`${refused.message} ${JSON.stringify(refused.errors)} ${failed.message} ${reported.join()}`).not.toMatch(
      /near|aHV|hunter/,
    );
    const other = await failure(client.send({ ...call, body: { rules: [] } }));
    expect(other.message).toContain(message);
  });

  test("removes the request, and with it the credentials, from the cause of a failed connection", async () => {
    const url = await server.start(cut);
    const error = await failure(transport(url, { maxRetries: 0 }).send(get));
    expect(JSON.stringify(error.cause, Object.getOwnPropertyNames(error.cause))).not.toContain(TOKEN);
  });

  test.each([200, 302, 400, 401, 403, 409, 410])("takes a page with status %d for nobody's answer", async (status) => {
    const url = await server.start((_request, response) => response.writeHead(status).end("<html>Sign in</html>"));
    const error = await failure(transport(url).send(get));
    expect(error.code).toBe("API_GARBLED");
    expect(error.message).toMatch(/Sign in.*This is not the API's format: check rulesets:baseUrl/);
  });

  // The state would lose what exists.
  test.each<[string, string, string, string]>([
    ["a page", "<html>hello</html>", "API_GARBLED", "check rulesets:baseUrl"],
    ["an empty body", "", "API_GARBLED", "check rulesets:baseUrl"],
    ["no route", refusal(7000, "No route for that URI"), "API_INVALID", "check rulesets:baseUrl"],
    ["no route to an ID", refusal(7003, "Could not route to /a"), "API_INVALID", "Check rulesets:baseUrl"],
    ["no such object", refusal(10003, "could not find ruleset"), "API_NOT_FOUND", "could not find ruleset"],
  ])("takes a 404 with %s for one about an object only if the service says so", async (_, body, code, text) => {
    const url = await server.start((_request, response) => response.writeHead(404).end(body));
    const error = await failure(transport(url).send(get));
    expect(error.code).toBe(code);
    expect(error.message).toContain(text);
  });

  test("accepts the longest timer, and refuses a timeout that would fire immediately", async () => {
    const url = await server.start(fine({}));
    await transport(url, { timeoutSeconds: 2_147_483 }).send(get);
    expect(() => transport(url, { timeoutSeconds: 2_147_484 })).toThrow(
      "timeoutSeconds is 2147484; it must be a number of seconds from 0.001 to 2147483.",
    );
    expect(() => transport(url, { maxRetries: Infinity })).toThrow(
      "maxRetries is Infinity; it must be a whole number from 0 to 100.",
    );
  });

  test("aborts an attempt that takes too long", async () => {
    const url = await server.start(() => undefined);
    const error = await failure(transport(url, { timeoutSeconds: 0.05, maxRetries: 0 }).send(get));
    expect(error.code).toBe("API_UNAVAILABLE");
    expect(error.message).toContain("timeout");
  });
});

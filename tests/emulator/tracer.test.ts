import type { Emulator } from "../../emulator/index.js";
import { Caller, codes } from "../support/caller.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const HOST = "shop.example.com";

describe("the request tracer", () => {
  let emulator: Emulator;
  let caller: Caller;
  let account: string;
  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: [{ name: HOST }] } });
    caller = new Caller(emulator);
    const service = new Service(emulator);
    account = await service.account();
    const zone = `/zones/${await service.zone("enterprise")}`;
    const custom = await caller.result("POST", `${zone}/rulesets`, {
      name: "the closed pages",
      kind: "custom",
      phase: CUSTOM,
      rules: [
        { ref: "a", action: "block", expression: 'http.request.uri.path eq "/admin"', description: "Admin" },
        { ref: "b", action: "block", expression: "cf.bot_management.score lt 30" },
      ],
    });
    const rules = [
      { ref: "x", action: "execute", expression: "true", action_parameters: { id: custom.id } },
      { ref: "c", action: "managed_challenge", expression: 'ip.src.country eq "KP"' },
      { ref: "d", action: "block", expression: 'http.cookie contains "bad" and http.request.body.raw contains "evil"' },
    ];
    await caller.result("PUT", `${zone}/rulesets/phases/${CUSTOM}/entrypoint`, { rules });
    await caller.result("PUT", `${zone}/rulesets/phases/http_response_headers_transform/entrypoint`, {
      rules: [
        {
          action: "rewrite",
          expression: "http.response.code eq 200",
          action_parameters: { headers: { "X-A": { operation: "set", value: "1" } } },
        },
      ],
    });
  });
  const trace = (request: object) =>
    caller.result<{ readonly status_code: number; readonly trace: readonly { readonly step_name: string }[] }>(
      "POST",
      `/accounts/${account}/request-tracer/trace`,
      request,
    );

  test("lists the rulesets and rules that run in the deployed configuration, and the one that ends the request", async () => {
    const answer = await trace({ method: "GET", url: `https://${HOST}/admin` });
    expect(answer).toEqual({
      status_code: 403,
      trace: [
        expect.objectContaining({
          type: "ruleset",
          step_name: CUSTOM,
          kind: "zone",
          matched: true,
          trace: [
            expect.objectContaining({
              type: "rule",
              action: "execute",
              matched: true,
              trace: [
                expect.objectContaining({
                  type: "ruleset",
                  name: "the closed pages",
                  kind: "custom",
                  trace: [
                    expect.objectContaining({
                      action: "block",
                      expression: 'http.request.uri.path eq "/admin"',
                      description: "Admin",
                      matched: true,
                    }),
                  ],
                }),
              ],
            }),
          ],
        }),
      ],
    });
  });

  test("accepts a context: scores, locations, and passed challenges", async () => {
    const url = `https://${HOST}/`;
    const status = async (context: object) => (await trace({ method: "GET", url, context })).status_code;
    expect(await status({ bot_score: 5 })).toBe(403);
    expect(await status({ bot_score: 50 })).toBe(200);
    const geoloc = { iso_code: "KP" };
    expect(await status({ bot_score: 50, geoloc })).toBe(403);
    expect(await status({ bot_score: 50, geoloc, skip_challenge: true })).toBe(200);
  });

  test("accepts cookies and a body, and leaves out the response on request", async () => {
    const request = { method: "POST", url: `https://${HOST}/`, context: { bot_score: 50 }, cookies: { bad: "1" } };
    expect((await trace({ ...request, body: { plain_text: "evil" } })).status_code).toBe(403);
    expect((await trace({ ...request, body: { base64: Buffer.from("evil").toString("base64") } })).status_code).toBe(
      403,
    );
    expect((await trace({ ...request, body: { json: { a: "good" } } })).status_code).toBe(200);
    const steps = async (skip_response: boolean) =>
      (await trace({ ...request, skip_response })).trace.map(({ step_name }) => step_name);
    expect(await steps(false)).toEqual([CUSTOM, "http_response_headers_transform"]);
    expect(await steps(true)).toEqual([CUSTOM]);
  });

  test.each([
    ["a host in no zone", { method: "GET", url: "https://else.test/" }],
    ["an invalid URL", { method: "GET", url: "shop" }],
    ["a missing method", { url: `https://${HOST}/` }],
    ["a score that is not a number", { method: "GET", url: `https://${HOST}/`, context: { bot_score: "low" } }],
  ])("refuses %s", async (_, body) => {
    expect(codes(await caller.send("POST", `/accounts/${account}/request-tracer/trace`, body))).toEqual([400, 1000]);
  });
});

import { EngineStack, type Library } from "./support/stack.js";

interface Args {
  readonly zoneId: string;
  readonly accountId: string;
  readonly what: string;
}

const HOSTNAME = "9f1839b6-152d-498a-ca64-c4e906b6d074";
const NOBODY = "0".repeat(32);

/** Invalid programs that the type checker accepts: with casts, in JavaScript, or with values from elsewhere. */
const program = (lib: Library, { zoneId, accountId, what }: Args) => {
  const { PhaseEntrypoint, Ruleset, CustomHostnameCa, CustomHostnameCertificate, TotalTlsCa, ZoneWafMigration } = lib;
  const { Provider, pulumi } = lib;
  const loose = (value: unknown): never => value as never;
  const hostname = "custom-hostnames/9f1839b6-152d-498a-ca64-c4e906b6d074";
  const nobody = "0".repeat(32);
  const cases: Record<string, () => unknown> = {
    "get PhaseEntrypoint": () => PhaseEntrypoint.get("mine", `zones/${zoneId}/phases/http_ratelimit`),
    "get Ruleset": () => Ruleset.get("mine", `accounts/${accountId}/rulesets/${nobody}`),
    "get CustomHostnameCa": () => CustomHostnameCa.get("mine", `zones/${zoneId}/${hostname}/certificate-authority`),
    "get CustomHostnameCertificate": () =>
      CustomHostnameCertificate.get("mine", `zones/${zoneId}/${hostname}/certificate`),
    "get TotalTlsCa": () => TotalTlsCa.get("mine", `zones/${nobody}/total-tls`),
    "get ZoneWafMigration": () => ZoneWafMigration.get("mine", `zones/${nobody}/waf-migration`),
    "get with a path": () => PhaseEntrypoint.get("mine", `zones/${zoneId}/phases/..`),
    "get in upper case": () => PhaseEntrypoint.get("mine", `zones/${zoneId.toUpperCase()}/phases/http_ratelimit`),
    "get without an ID": () => PhaseEntrypoint.get("mine", loose(undefined)),
    "no arguments": () => new PhaseEntrypoint("mine", loose(undefined)),
    "an output as arguments": () => new Ruleset("mine", loose(pulumi.output({ zoneId }))),
    "numbers from promises": () =>
      new PhaseEntrypoint("mine", {
        zoneId,
        phase: "http_ratelimit",
        rules: [
          {
            action: "block",
            expression: "ssl",
            ratelimit: {
              characteristics: ["cf.colo.id"],
              period: pulumi.output(Promise.resolve(NaN)),
              requestsPerPeriod: Infinity,
            },
          },
        ],
      }),
    "a hostname with a path": () =>
      new CustomHostnameCertificate("mine", {
        customHostnameCaId: `zones/${zoneId}/custom-hostnames/../certificate-authority`,
        timeoutSeconds: 1e12,
      }),
    "a provider's setting": () => new Provider("other", loose({ apiToken: "other-token-0123456789", timeout: 5 })),
    "a provider's number": () => {
      const provider = new Provider("other", { apiToken: "other-token-0123456789", timeoutSeconds: Infinity });
      return new PhaseEntrypoint("mine", { zoneId, phase: "http_ratelimit", rules: [] }, { provider });
    },
    headers: () => {
      const names = ["toString", "constructor", "hasOwnProperty"];
      const headers = Object.fromEntries(names.map((name) => [name, { operation: "set", value: name }]));
      const rules = [{ action: "rewrite" as const, expression: "ssl", actionParameters: { headers } }];
      return new PhaseEntrypoint("mine", { zoneId, phase: "http_request_late_transform", rules });
    },
  };
  cases[what]?.();
};

describe("invalid arguments", () => {
  let stack: EngineStack;
  let ids: { zoneId: string; accountId: string };
  beforeAll(async () => {
    stack = await EngineStack.start();
    ids = { zoneId: await stack.service.zone(), accountId: await stack.service.account() };
  });
  afterAll(() => stack.close());

  test.each<[string, (given: typeof ids) => string[]]>([
    ["get PhaseEntrypoint", ({ zoneId }) => [`mine: zones/${zoneId}/phases/http_ratelimit does not exist`]],
    ["get Ruleset", ({ accountId }) => [`accounts/${accountId}/rulesets/${NOBODY} does not exist`]],
    [
      "get CustomHostnameCa",
      ({ zoneId }) => [`zones/${zoneId}/custom-hostnames/${HOSTNAME}/certificate-authority does not exist`],
    ],
    [
      "get CustomHostnameCertificate",
      ({ zoneId }) => [`zones/${zoneId}/custom-hostnames/${HOSTNAME}/certificate does not exist`],
    ],
    ["get TotalTlsCa", () => [`TotalTlsCa mine: zones/${NOBODY}/total-tls cannot be read. GET /zones/`]],
    [
      "get ZoneWafMigration",
      () => [`ZoneWafMigration mine: zones/${NOBODY}/waf-migration cannot be read. GET /zones/`],
    ],
    [
      "get with a path",
      ({ zoneId }) => [`zones/${zoneId}/phases/.. cannot be read`, '".." cannot be part of an API path'],
    ],
    ["get in upper case", ({ zoneId }) => [`is not a valid ID: zoneId: IDs are in lower case; write "${zoneId}"`]],
    ["get without an ID", () => ['PhaseEntrypoint.get("mine") requires an ID']],
    ["no arguments", () => ['PhaseEntrypoint mine has no arguments: write new PhaseEntrypoint("mine", { … }).']],
    ["an output as arguments", () => ["the arguments of Ruleset mine are an output or a promise"]],
    [
      "numbers from promises",
      () => [
        "rules[0].ratelimit.period: is NaN, which cannot be sent; write a number",
        "rules[0].ratelimit.requestsPerPeriod: is Infinity, which cannot be sent; write a number",
      ],
    ],
    [
      "a hostname with a path",
      () => [
        "customHostnameCaId: must be the ID of a custom hostname",
        "timeoutSeconds: must be a number of seconds from 0.001 to 2147483",
      ],
    ],
    [
      "a provider's setting",
      () => ["Provider other has no argument timeout; its arguments are apiToken, email, apiKey, baseUrl"],
    ],
    [
      "a provider's number",
      () => ['rulesets:timeoutSeconds is "Infinity"; it must be a number of seconds from 0.001 to 2147483.'],
    ],
  ])("%s", async (what, parts) => {
    const { ok, text } = await stack.preview(program, { ...ids, what });
    expect(ok).toBe(false);
    for (const part of parts(ids)) expect(text).toContain(part);
    expect(text).not.toContain("TypeError");
  });

  test("headers named like properties of Object.prototype are accepted", async () => {
    expect(await stack.up(program, { ...ids, what: "headers" })).toMatchObject({ ok: true });
    const made = await stack.service.entrypoint(ids.zoneId, "http_request_late_transform");
    expect(made?.rules[0]?.action_parameters).toEqual({
      headers: {
        toString: { operation: "set", value: "toString" },
        constructor: { operation: "set", value: "constructor" },
        hasOwnProperty: { operation: "set", value: "hasOwnProperty" },
      },
    });
    expect(await stack.up(program, { ...ids, what: "headers" })).toMatchObject({ ok: true, requests: [] });
    expect((await stack.refresh()).ok).toBe(true);
    expect(await stack.up(program, { ...ids, what: "headers" })).toMatchObject({ ok: true, requests: [] });
  });
});

import { echoes, partsOf } from "../support/echoes.js";
import { EngineStack, type Library, type Outcome } from "./support/stack.js";

/*
 * Secrets of which no four consecutive characters appear anywhere else, in every place of every kind of resource that can have
 * secrets. The service repeats parts of them in every encoding, and no output, state or error may show any.
 */

const SECRET = 'qzX"jvQ\\kxZ<vjq0&KzqV 8jxk';
const TOKEN = "Xkq7zVjx_Qvz1kJq-xZv0jKqzXvk";
/** In the environment, where the token of the configuration takes precedence. */
const UNUSED_TOKEN = "Jwx9qKzv-Zqj3vXk_kQz7wJxvKq";
const NAME = "shop.customer.test";

interface Args {
  readonly zoneId: string;
  readonly accountId: string;
  readonly secret: string;
  readonly token: string;
  readonly authority?: string;
  readonly more?: boolean;
}
const program = (lib: Library, { zoneId, accountId, secret: text, token, authority = "google", more }: Args) => {
  const { CustomHostnameCa, CustomHostnameCertificate, PhaseEntrypoint, Provider, Ruleset, RulesetRule } = lib;
  const { RulesList, TotalTlsCa, ZoneWafMigration, pulumi } = lib;
  const secret = pulumi.secret(text);
  const quoted = `"${text.replace(/["\\]/g, (sign) => `\\${sign}`)}"`;
  const expression = pulumi.secret(`http.cookie contains ${quoted}`);
  const response = { statusCode: 403, contentType: "text/plain", content: secret };
  const rules = [
    { action: "block" as const, expression, description: secret, actionParameters: { response } },
    ...(more === true ? [{ action: "block" as const, expression: "ssl" }] : []),
  ];
  const phase = "http_request_firewall_custom";
  new PhaseEntrypoint("entrypoint", { zoneId, phase, description: secret, rules });
  const ratelimit = {
    characteristics: ["ip.src", "cf.colo.id"],
    period: 60,
    requestsPerPeriod: 5,
    mitigationTimeout: 60,
  };
  const limit = { zoneId, phase: "http_ratelimit" as const, expression, description: secret, ratelimit };
  const actionParameters = { response };
  new RulesetRule("rule", { ...limit, action: "block", actionParameters, enabled: more !== true });
  const named = { name: secret, description: secret };
  const custom = new Ruleset("custom", { zoneId, kind: "custom", phase, ...named, rules });
  const skip = { action: "skip" as const, expression, actionParameters: { ruleset: "current" as const } };
  const overrides = more === true ? [{ action: "log" as const }] : [];
  const adjustments = { prepend: [skip], overrides };
  new ZoneWafMigration("migration", { zoneId, mode: "validation", adjustments, wait: false }, { protect: false });
  const provider = new Provider("account", { apiToken: pulumi.secret(token) });
  const choice = { zoneId, certificateAuthority: authority, onDelete: "restore" as const };
  const ca = new CustomHostnameCa("ca", { ...choice, hostname: "shop.customer.test" });
  new CustomHostnameCertificate("certificate", { customHostnameCaId: ca.id, timeoutSeconds: 600 });
  new TotalTlsCa("tls", choice, { provider });
  const items = ["192.0.2.1", ...(more === true ? ["192.0.2.2"] : [])];
  new RulesList("list", { accountId, name: "office", kind: "ip", items });
  return { rules: custom.rules, deployed: custom.deployedRules };
};

describe("secrets in every kind of resource, on the real engine", () => {
  let stack: EngineStack;
  let args: Args;
  const seen: { readonly what: string; readonly text: string }[] = [];
  beforeAll(async () => {
    const certificates = {
      hostnames: [{ hostname: NAME, certificateAuthority: "lets_encrypt", status: "active" }],
      totalTls: { enabled: true, certificateAuthority: "lets_encrypt" },
    };
    const zone = { name: "saas.example.com", plan: "enterprise" as const, certificates, previousWaf: {} };
    stack = await EngineStack.start({
      seed: { zones: [zone] },
      config: { "rulesets:apiToken": { value: TOKEN, secret: true } },
    });
    stack.setEnv({ RULESETS_BASE_URL: stack.emulator.url, CLOUDFLARE_API_TOKEN: UNUSED_TOKEN });
    const [zoneId, accountId] = [await stack.service.zone(), await stack.service.account()];
    args = { zoneId, accountId, secret: SECRET, token: TOKEN };
  });

  /** Records what a run printed, and the state file without its encrypted values; returns whether the run succeeded. */
  const record = (what: string, { ok, text }: Outcome): boolean => {
    const state = stack.stateText().replace(/"(ciphertext|salt)":\s*"[^"]*"/g, "");
    seen.push({ what: `${what}: printed`, text }, { what: `${what}: state`, text: state });
    return ok;
  };
  /**
   * Lets the service reject requests, with errors that repeat the credentials, and the secrets: of a body that carries them, short
   * parts in every encoding.
   */
  const refuse = async (method: string, status = 400): Promise<void> => {
    for (const [path, secrets] of [
      ["/(rulesets|waf_migration)", [SECRET, TOKEN]],
      ["/(custom_hostnames|acm|zones$|rules/lists)", [TOKEN]],
    ] as const) {
      const isSent = path.includes("waf_migration") && method !== "GET" && method !== "DELETE";
      const parts = isSent ? [SECRET, SECRET.slice(2, 8), SECRET.slice(12, 17)] : [];
      const texts = [...secrets, ...Object.values(echoes).flatMap((echo) => parts.map(echo))];
      const errors = texts.map((message) => ({ code: 1, message }));
      const body = { success: false, result: null, messages: [], errors };
      await stack.service.fault({ method, path, status, body, times: 99 });
    }
  };
  const initErrors = (): string[] => {
    const { checkpoint } = JSON.parse(stack.stateText()) as {
      checkpoint: { latest: { resources: { type: string; initErrors?: string[] }[] } };
    };
    return checkpoint.latest.resources.flatMap(({ type, initErrors: errors }) =>
      errors === undefined ? [] : [type.replace(/.*:/, "")],
    );
  };
  const options = { continueOnError: true };

  test("are in no output, state or error, not even in part, whatever fails", async () => {
    await refuse("GET");
    // A preview stops at the resource that is checked first.
    expect(record("a preview that is refused", await stack.preview(program, args))).toBe(false);
    expect(record("reads that are refused", await stack.up(program, args, options))).toBe(false);
    await stack.service.noFaults();
    for (const method of ["POST", "PUT", "PATCH"]) await refuse(method);
    expect(record("writes that are refused", await stack.up(program, args, options))).toBe(false);
    await stack.service.noFaults();
    expect(record("an up", await stack.up(program, args, options))).toBe(true);
    expect(stack.resources()).toHaveLength(8);
    expect((await stack.up(program, args)).requests).toEqual([]);

    const changed = { ...args, more: true, authority: "ssl_com" };
    // It is unknown whether these were carried out, so the state keeps the service's message as an error of the resource.
    for (const method of ["POST", "PUT", "PATCH"]) await refuse(method, 500);
    expect(record("writes that may have been applied", await stack.up(program, changed, options))).toBe(false);
    expect(initErrors().sort()).toEqual([
      "CustomHostnameCa",
      "PhaseEntrypoint",
      "RulesList",
      "Ruleset",
      "RulesetRule",
      "TotalTlsCa",
      "ZoneWafMigration",
    ]);
    await stack.service.noFaults();
    await refuse("GET");
    expect(record("a refresh that is refused", await stack.refresh())).toBe(false);
    await stack.service.noFaults();
    expect(record("a refresh", await stack.refresh())).toBe(true);
    expect(record("another up", await stack.up(program, changed))).toBe(true);
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) await refuse(method);
    expect(record("a destroy that is refused", await stack.destroy(options))).toBe(false);
    await stack.service.noFaults();
    record("a destroy", await stack.destroy(options));

    const leaks = seen.flatMap(({ what, text }) =>
      Object.entries(echoes).flatMap(([name, echo]) =>
        [SECRET, TOKEN, UNUSED_TOKEN].flatMap((secret) =>
          partsOf(secret, 4).flatMap((part) => (text.includes(echo(part)) ? [`${what}: ${part} (${name})`] : [])),
        ),
      ),
    );
    expect(leaks).toEqual([]);
  });
});

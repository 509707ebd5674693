import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startEmulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";
import { EngineStack, type Config, type Library } from "./support/stack.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly expression?: string;
  readonly baseUrl?: string;
  readonly token?: string;
}
const program = ({ PhaseEntrypoint, Provider, pulumi }: Library, { zoneId, expression, baseUrl, token }: Args) => {
  const provider = token === undefined ? undefined : new Provider("other", { apiToken: pulumi.secret(token), baseUrl });
  const rules = [{ action: "block" as const, expression: expression ?? "ssl" }];
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules }, { provider });
};
const WRITE = "write-token-0123456789";
const READ = "read-token-0123456789";
const secret = (value: string): Config => ({ "rulesets:apiToken": { value, secret: true } });

describe("credentials", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
    await stack.service.reset({ tokens: [{ value: WRITE }, { value: READ, access: "read" }] });
  });
  afterAll(() => stack.close());

  test("without credentials, a preview reports what it could not check, and up fails and names the key to set", async () => {
    await stack.removeConfig("rulesets:apiToken");
    const preview = await stack.preview(program, { zoneId });
    expect(preview.ok).toBe(true);
    expect(preview.text).toContain(
      `warning: could not check whether ${phase} of zone ${zoneId} is free. no credentials: set a token with \`pulumi config set --secret rulesets:apiToken\``,
    );
    expect((await stack.preview(program, { zoneId, expression: "(" })).text).toContain("rules[0].expression:2: ");
    const up = await stack.up(program, { zoneId });
    expect(up.ok).toBe(false);
    expect(up.text).toContain("pulumi config set --secret rulesets:apiToken");
    expect(stack.resources()).toEqual([]);
  });

  test("previewChecks: require fails when a check is impossible, off makes no request", async () => {
    await stack.setConfig({ "rulesets:previewChecks": { value: "require" } });
    expect((await stack.preview(program, { zoneId })).ok).toBe(false);
    await stack.setConfig({ "rulesets:previewChecks": { value: "off" }, ...secret(WRITE) });
    expect(await stack.preview(program, { zoneId })).toMatchObject({ ok: true, requests: [] });
    await stack.removeConfig("rulesets:previewChecks");
  });

  test("a preview warns when the service is unreachable", async () => {
    stack.setEnv({ RULESETS_BASE_URL: "http://127.0.0.1:9/client/v4" });
    const preview = await stack.preview(program, { zoneId });
    stack.setEnv({ RULESETS_BASE_URL: undefined });
    expect(preview.ok).toBe(true);
    expect(preview.text).toContain("warning: could not check whether");
    expect(preview.text).toContain("Check the network and rulesets:baseUrl (http://127.0.0.1:9/client/v4)");
    expect(preview.text).toContain("If that is the emulator, start it: npx pulumi-rulesets emulator");
  });

  test("a read-only token is enough for preview and refresh; a write reports the missing permission", async () => {
    await stack.setConfig(secret(READ));
    expect((await stack.preview(program, { zoneId })).ok).toBe(true);
    const up = await stack.up(program, { zoneId });
    expect(up.text).toContain('need the permission "Zone WAF Edit"');
    await stack.setConfig(secret(WRITE));
    expect((await stack.up(program, { zoneId })).ok).toBe(true);
    await stack.setConfig(secret(READ));
    expect((await stack.refresh()).ok).toBe(true);
    expect((await stack.preview(program, { zoneId, expression: "not ssl" })).ok).toBe(true);
  });

  test("a wrong token is reported with its source and what overrides it, without a stack trace or the token", async () => {
    await stack.setConfig(secret("wrong-token-0123456789"));
    const preview = await stack.preview(program, { zoneId, expression: "not ssl" });
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain("401 [10000] Authentication error");
    expect(preview.text).toContain(
      "The service rejected the token in configuration key rulesets:apiToken. RULESETS_API_TOKEN overrides it for one run.",
    );
    expect(preview.text).not.toContain("wrong-token");
    expect(preview.text).not.toMatch(/\n\s+at .*\.js:\d+/);
  });

  test("after a rotation, refresh and destroy still use the old token, and report this with a fix that works", async () => {
    const rotated = "rotated-token-0123456789";
    await stack.setConfig(secret(WRITE));
    expect((await stack.up(program, { zoneId })).ok).toBe(true);
    await stack.service.reset({
      tokens: [{ value: rotated }],
      rulesets: [{ zone: zoneId, phase, rules: [{ action: "block", expression: "ssl" }] }],
    });
    await stack.setConfig(secret(rotated));
    for (const outcome of [await stack.refresh(), await stack.destroy()]) {
      expect(outcome.ok).toBe(false);
      expect(outcome.text).toContain("RULESETS_API_TOKEN overrides it for one run");
      expect(outcome.text).toContain(
        "`pulumi refresh` and `pulumi destroy` get the configuration of the last `pulumi up`",
      );
    }
    stack.setEnv({ RULESETS_API_TOKEN: rotated });
    expect((await stack.refresh()).ok).toBe(true);
    stack.setEnv({ RULESETS_API_TOKEN: undefined });
  });

  test("e-mail and key work as well, and a key without an e-mail is reported", async () => {
    await stack.service.reset();
    await stack.removeConfig("rulesets:apiToken");
    await stack.setConfig({
      "rulesets:email": { value: "a@example.com" },
      "rulesets:apiKey": { value: "key-0123456789", secret: true },
    });
    expect((await stack.preview(program, { zoneId, expression: "not ssl" })).ok).toBe(true);
    await stack.removeConfig("rulesets:email");
    expect((await stack.preview(program, { zoneId, expression: "not ssl" })).text).toContain(
      "rulesets:apiKey is set but rulesets:email is not",
    );
    await stack.removeConfig("rulesets:apiKey");
  });

  test("a token that is ignored is named once, on every operation, without its value", async () => {
    const lookUp = (lib: Library, { zoneId: id }: Args) => {
      const rules = [{ action: "block" as const, expression: "not ssl" }];
      const custom = new lib.PhaseEntrypoint("custom", { zoneId: id, phase: "http_request_firewall_custom", rules });
      // After a reset the emulator gives the first ruleset the ID that the state knows.
      new lib.PhaseEntrypoint("limits", { zoneId: id, phase: "http_ratelimit", rules: [] }, { dependsOn: custom });
      return { zones: lib.listZonesOutput({}).apply((zones) => zones.length) };
    };
    await stack.service.reset({ tokens: [{ value: WRITE }, { value: READ, access: "read" }] });
    await stack.setConfig(secret(WRITE));
    const saidBy = ({ ok, text }: { ok: boolean; text: string }, line: string) => {
      expect(text).not.toMatch(/(read|write)-token-0/);
      return [ok, text.split("\n").filter((one) => one.trim() === line).length];
    };
    stack.setEnv({ CLOUDFLARE_API_TOKEN: READ });
    const warning =
      "warning: using the token in configuration key rulesets:apiToken. Ignored, because it is different: the token in " +
      "environment variable CLOUDFLARE_API_TOKEN. To use other credentials than the stored ones for one run, set RULESETS_API_TOKEN.";
    expect(saidBy(await stack.preview(lookUp, { zoneId }), warning)).toEqual([true, 1]);
    expect(saidBy(await stack.up(lookUp, { zoneId }), warning)).toEqual([true, 1]);
    expect(saidBy(await stack.refresh(), warning)).toEqual([true, 1]);
    stack.setEnv({ CLOUDFLARE_API_TOKEN: WRITE });
    expect((await stack.preview(lookUp, { zoneId })).text).not.toContain("Ignored");

    stack.setEnv({ CLOUDFLARE_API_TOKEN: "", RULESETS_API_TOKEN: READ });
    const info =
      "using the token in environment variable RULESETS_API_TOKEN. Ignored, because it is different: the token in " +
      "configuration key rulesets:apiToken.";
    const overridden = await stack.preview(lookUp, { zoneId });
    expect(saidBy(overridden, info)).toEqual([true, 1]);
    expect(overridden.text).not.toContain("warning: using");
    const change = await stack.up(program, { zoneId });
    expect([change.ok, change.text]).toEqual([false, expect.stringContaining('need the permission "Zone WAF Edit"')]);
    stack.setEnv({ RULESETS_API_TOKEN: "" });
    expect((await stack.destroy()).text).not.toContain("Ignored");
  });

  test("a setting that does not exist stops a preview with the most similar one, without its value", async () => {
    await stack.setConfig({
      ...secret(WRITE),
      "rulesets:onConflct": { value: "overwrite" },
      "rulesets:maxRemovedPercnt": { value: "s3cret-qxzjvk", secret: true },
      "cloudflare:whatever": { value: "x" },
    });
    const lookUp = (lib: Library) => ({ zones: lib.listZonesOutput({}) });
    const provider = (lib: Library) => {
      new lib.Provider("other", {});
    };
    for (const failing of [program, lookUp, provider]) {
      const { ok, text, requests } = await stack.preview(failing, { zoneId });
      expect([ok, requests]).toEqual([false, []]);
      expect(text).toContain("rulesets:onConflct is not a setting; did you mean onConflict?");
      expect(text).toContain("rulesets:maxRemovedPercnt is not a setting; did you mean maxRemovedPercent?");
      expect(text).not.toContain("s3cret");
    }
    await stack.removeConfig("rulesets:onConflct", "rulesets:maxRemovedPercnt");
    stack.setEnv({ RULESETS_ON_CONFLCT: "overwrite" });
    expect((await stack.preview(program, { zoneId })).text).toContain("did you mean RULESETS_ON_CONFLICT?");
    stack.setEnv({ RULESETS_ON_CONFLCT: undefined });
    expect((await stack.preview(program, { zoneId })).ok).toBe(true);
    await stack.removeConfig("cloudflare:whatever");
  });

  test("a token in plain configuration gets a warning", async () => {
    await stack.setConfig({ "rulesets:apiToken": { value: "plain-token-0123456789" } });
    const preview = await stack.preview(program, { zoneId });
    expect(preview.text).toContain("warning: rulesets:apiToken is in the stack configuration in plain text");
    await stack.removeConfig("rulesets:apiToken");
  });
});

test("the program, its lookups and both providers name an ignored token once each", async () => {
  const emulator = await startEmulator({ seed: { tokens: [{ value: TOKEN }, { value: WRITE }] } });
  const project = new ProjectStack({ CLOUDFLARE_API_TOKEN: "read-token-0123456789" });
  try {
    const zoneId = await new Service(emulator).zone();
    project.checksTypes = false;
    writeFileSync(join(project.folder, "Pulumi.yaml"), "name: ignored\nruntime: nodejs\n");
    writeFileSync(join(project.folder, "package.json"), '{ "main": "index.js" }');
    const program = `
      const { listZonesOutput, PhaseEntrypoint, Provider } = require("pulumi-rulesets");
      listZonesOutput({});
      for (const phase of ["http_ratelimit", "http_request_firewall_custom"])
        new PhaseEntrypoint(phase, { zoneId: "${zoneId}", phase, rules: [] });
      const provider = new Provider("other", { apiToken: "${WRITE}" });
      listZonesOutput({}, { provider });
      listZonesOutput({ account: "Example Ltd" }, { provider });
    `;
    writeFileSync(join(project.folder, "index.js"), program);
    await project.init(emulator.url);
    const { ok, text } = await project.run("preview", "--json");

    const { diagnostics } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1)) as {
      readonly diagnostics: readonly { readonly message: string }[];
    };
    const lines = diagnostics.flatMap(({ message }) => /^(.*?)using the token .* Ignored, /.exec(message)?.[1] ?? []);
    expect([ok, lines]).toEqual([true, ["warning: ", 'warning: lookups with the provider "other": ']]);
  } finally {
    project.close();
    await emulator.close();
  }
});

test("a provider in opts.provider uses its own account, with its token encrypted in the state", async () => {
  const stack = await EngineStack.start();
  try {
    const zoneId = await stack.service.zone();
    await stack.service.reset({ tokens: [{ value: WRITE }] });
    await stack.removeConfig("rulesets:apiToken");
    expect((await stack.up(program, { zoneId, token: WRITE, baseUrl: stack.emulator.url })).ok).toBe(true);
    expect((await stack.up(program, { zoneId, token: WRITE, baseUrl: stack.emulator.url })).requests).toEqual([]);
    expect(stack.stateText()).not.toContain(WRITE);
    expect(stack.stateText()).toContain("::other");
    expect((await stack.destroy()).ok).toBe(true);
    expect((await stack.service.requests()).length).toBe(0);
  } finally {
    await stack.close();
  }
});

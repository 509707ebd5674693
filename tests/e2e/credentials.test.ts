import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Service, TOKEN } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";
import { EngineStack, type Config, type Library } from "./support/stack.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
interface Args {
  readonly zoneId: string;
  readonly baseUrl?: string;
  readonly token?: string;
}
const program = ({ PhaseEntrypoint, Provider, pulumi }: Library, { zoneId, baseUrl, token }: Args) => {
  const provider = token === undefined ? undefined : new Provider("other", { apiToken: pulumi.secret(token), baseUrl });
  const rules = [{ action: "block" as const, expression: "ssl" }];
  new PhaseEntrypoint("custom", { zoneId, phase: "http_request_firewall_custom", rules }, { provider });
};
const WRITE = "write-token-0123456789";
const secret = (value: string): Config => ({ "rulesets:apiToken": { value, secret: true } });

describe("credentials", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeAll(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
    await stack.service.reset({ tokens: [{ value: WRITE }] });
  });

  test("are missing: a preview reports what it could not check, and up fails and names the key to set", async () => {
    await stack.removeConfig("rulesets:apiToken");
    const preview = await stack.preview(program, { zoneId });
    expect(preview.ok).toBe(true);
    expect(preview.text).toContain(
      `warning: could not check what is in ${phase} of zone ${zoneId}. no credentials: set a token with \`pulumi config set --secret rulesets:apiToken\``,
    );
    const up = await stack.up(program, { zoneId });
    expect([up.ok, up.text]).toEqual([false, expect.stringContaining("pulumi config set --secret rulesets:apiToken")]);
    expect(stack.resources()).toEqual([]);
  });

  test("in plain configuration get a warning; a service that is unreachable does, too", async () => {
    await stack.setConfig({ "rulesets:apiToken": { value: WRITE } });
    stack.setEnv({ RULESETS_BASE_URL: "http://127.0.0.1:9/client/v4" });
    const { ok, text } = await stack.preview(program, { zoneId });
    stack.setEnv({ RULESETS_BASE_URL: undefined });
    expect(ok).toBe(true);
    expect(text).toContain("warning: rulesets:apiToken is in the stack configuration in plain text");
    expect(text).toContain("Check the network and rulesets:baseUrl (http://127.0.0.1:9/client/v4)");
    expect(text).toContain("If that is the emulator, start it: npx pulumi-rulesets emulator");
  });

  test("that are wrong are reported with their source and what overrides them, without a stack trace or the token", async () => {
    await stack.setConfig(secret("wrong-token-0123456789"));
    const preview = await stack.preview(program, { zoneId });
    expect(preview.ok).toBe(false);
    expect(preview.text).toContain("401 [10000] Authentication error");
    expect(preview.text).toContain(
      "The service rejected the token in configuration key rulesets:apiToken. RULESETS_API_TOKEN overrides it for one run.",
    );
    expect(preview.text).not.toContain("wrong-token");
    expect(preview.text).not.toMatch(/\n\s+at .*\.js:\d+/);
  });

  test("that are ignored are named on every operation; after a rotation, a refresh still uses the old ones, with a fix that works", async () => {
    const rotated = "rotated-token-0123456789";
    const saidBy = ({ ok, text }: { ok: boolean; text: string }, line: string) => {
      expect(text).not.toMatch(/(read|write|rotated)-token-0/);
      return [ok, text.split("\n").filter((one) => one.trim() === line).length];
    };
    const ignored = (used: string, other: string): string =>
      `using the token in ${used}. Ignored, because it is different: the token in ${other}.`;
    await stack.setConfig(secret(WRITE));
    stack.setEnv({ CLOUDFLARE_API_TOKEN: "read-token-0123456789" });
    const warning = `warning: ${ignored("configuration key rulesets:apiToken", "environment variable CLOUDFLARE_API_TOKEN")} To use other credentials than the stored ones for one run, set RULESETS_API_TOKEN.`;
    expect(saidBy(await stack.up(program, { zoneId }), warning)).toEqual([true, 1]);

    await stack.service.reset({
      tokens: [{ value: rotated }],
      rulesets: [{ zone: zoneId, phase, rules: [{ action: "block", expression: "ssl" }] }],
    });
    await stack.setConfig(secret(rotated));
    const refused = await stack.refresh();
    expect([refused.ok, refused.text]).toEqual([false, expect.stringContaining(warning)]);
    expect(refused.text).not.toMatch(/(read|write|rotated)-token-0/);
    expect(refused.text).toContain("RULESETS_API_TOKEN overrides it for one run");
    expect(refused.text).toContain(
      "`pulumi refresh` and `pulumi destroy` get the configuration of the last `pulumi up`",
    );
    stack.setEnv({ CLOUDFLARE_API_TOKEN: "", RULESETS_API_TOKEN: rotated });
    const info = ignored("environment variable RULESETS_API_TOKEN", "configuration key rulesets:apiToken");
    expect(saidBy(await stack.refresh(), info)).toEqual([true, 1]);
    stack.setEnv({ RULESETS_API_TOKEN: "" });
  });

  test("stand beside a setting that does not exist: it stops a preview with the most similar one, without its value", async () => {
    await stack.setConfig({
      "rulesets:onConflct": { value: "overwrite" },
      "rulesets:maxRemovedPercnt": { value: "s3cret-qxzjvk", secret: true },
      "cloudflare:whatever": { value: "x" },
    });
    const { ok, text, requests } = await stack.preview(program, { zoneId });
    expect([ok, requests]).toEqual([false, []]);
    expect(text).toContain("rulesets:onConflct is not a setting; did you mean onConflict?");
    expect(text).toContain("rulesets:maxRemovedPercnt is not a setting; did you mean maxRemovedPercent?");
    expect(text).not.toMatch(/s3cret|cloudflare:whatever/);
  });
});

test("the program, its lookups and both providers name an ignored token once each", async () => {
  const emulator = await emulatorWith({ seed: { tokens: [{ value: TOKEN }, { value: WRITE }] } });
  const project = new ProjectStack({ CLOUDFLARE_API_TOKEN: "read-token-0123456789" });
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
});

test("a provider in opts.provider uses its own account, with its token encrypted in the state", async () => {
  const stack = await EngineStack.start();
  const zoneId = await stack.service.zone();
  await stack.service.reset({ tokens: [{ value: WRITE }] });
  await stack.removeConfig("rulesets:apiToken");
  expect((await stack.up(program, { zoneId, token: WRITE, baseUrl: stack.emulator.url })).ok).toBe(true);
  expect(stack.stateText()).not.toContain(WRITE);
  expect(stack.stateText()).toContain("::other");
  expect((await stack.destroy()).ok).toBe(true);
  expect((await stack.service.requests()).length).toBe(0);
});

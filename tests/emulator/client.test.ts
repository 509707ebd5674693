import { ApiError, type Client } from "../../client/index.js";
import type { Emulator } from "../../emulator/index.js";
import { withoutEmptyRules } from "../support/shortened-answers.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const phase = "http_request_firewall_custom";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";

describe.each([
  ["zones", "as it is"],
  ["accounts", "as it is"],
  ["zones", "without empty lists of rules"],
] as const)("the client calls every operation in %s, and reads what is returned %s", (level, form) => {
  let emulator: Emulator;
  let shortened: { readonly url: string; close(): Promise<void> } | undefined;
  let service: Service;
  let client: Client;
  let scope: { level: "zones" | "accounts"; id: string };
  beforeAll(async () => {
    emulator = await emulatorWith();
    service = new Service(emulator);
    scope = { level, id: level === "zones" ? await service.zone() : await service.account() };
    if (form !== "as it is") shortened = await withoutEmptyRules(emulator.url);
    client = clientFor(shortened?.url ?? emulator.url);
  });
  afterAll(async () => {
    await shortened?.close();
  });

  test("rulesets, versions and rules", async () => {
    const { rulesets } = client;
    const rule = { action: "block", expression: "ssl", ref: "a" };
    expect(await rulesets.create(scope, { name: "mine", kind: "custom", phase }, { dryRun: true })).toBeUndefined();
    const created = await rulesets.create(scope, {
      name: "mine",
      kind: "custom",
      phase,
      description: "x",
      rules: [rule],
    });
    expect(created).toMatchObject({
      name: "mine",
      kind: "custom",
      phase,
      description: "x",
      version: "1",
      rules: [rule],
    });
    expect(await rulesets.get(scope, created.id)).toEqual(created);
    expect((await rulesets.list(scope)).map(({ id }) => id)).toContain(created.id);
    expect(
      await rulesets.replace(scope, created.id, { description: "", rules: [] }, undefined, { dryRun: true }),
    ).toBeUndefined();
    const replaced = await rulesets.replace(scope, created.id, { description: "y", rules: [rule] });
    expect(replaced).toMatchObject({ version: "2", description: "y" });
    const added = await rulesets.addRule(scope, created.id, { action: "log", expression: "true" }, { index: 1 });
    expect(added.rules.map(({ action }) => action)).toEqual(["log", "block"]);
    const id = added.rules[0]?.id ?? "";
    const moved = await rulesets.patchRule(scope, created.id, id, { position: { after: "" } });
    expect(moved.rules.map(({ action }) => action)).toEqual(["block", "log"]);
    const edited = await rulesets.patchRule(scope, created.id, id, {
      rule: { action: "challenge", expression: "true" },
    });
    expect(edited.rules[1]).toMatchObject({ id, action: "challenge", version: "2" });
    expect((await rulesets.deleteRule(scope, created.id, id)).made?.rules).toHaveLength(1);
    expect((await rulesets.listVersions(scope, created.id)).map(({ version }) => version)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
      "6",
    ]);
    expect(await rulesets.getVersion(scope, created.id, "2")).toMatchObject({ version: "2", rules: [rule] });
    await rulesets.deleteVersion(scope, created.id, "2");
    expect(await rulesets.listVersions(scope, created.id)).toHaveLength(5);
    await rulesets.delete(scope, created.id);
    expect(await rulesets.find(scope, created.id)).toBeUndefined();
    await expect(rulesets.get(scope, created.id)).rejects.toBeInstanceOf(ApiError);
  });

  test("entry points and their versions", async () => {
    const { rulesets } = client;
    expect(await rulesets.findEntrypoint(scope, phase)).toBeUndefined();
    expect(await rulesets.listEntrypointVersions(scope, phase)).toEqual([]);
    await expect(rulesets.getEntrypoint(scope, phase)).rejects.toMatchObject({ code: "API_NOT_FOUND" });
    expect(
      await rulesets.replaceEntrypoint(scope, phase, { description: "", rules: [] }, { dryRun: true }),
    ).toBeUndefined();
    const created = await rulesets.replaceEntrypoint(scope, phase, { name: "default", description: "d", rules: [] });
    expect(await rulesets.getEntrypoint(scope, phase)).toEqual(created);
    expect(await rulesets.listEntrypointVersions(scope, phase)).toHaveLength(1);
    expect(await rulesets.getEntrypointVersion(scope, phase, "1")).toMatchObject({ id: created.id, version: "1" });
  });

  test("rules of a managed ruleset by tag", async () => {
    const tagged = await client.rulesets.listRulesByTag(scope, OWASP, "34", "paranoia-level-2");
    expect(tagged.rules.map(({ categories }) => categories)).toEqual([["paranoia-level-2"], ["paranoia-level-2"]]);
  });

  test("lists over several pages", async () => {
    const before = (await client.rulesets.list(scope)).length;
    if (level === "zones") return;
    for (let index = 0; index < 60; index += 1) {
      await service.create(`accounts/${scope.id}`, {
        name: `n${String(index)}`,
        kind: "custom",
        phase: "http_ratelimit",
      });
    }
    await service.forget();
    expect(await client.rulesets.list(scope)).toHaveLength(before + 60);
    expect(await service.requests()).toHaveLength(2);
  });
});

test("zones over several pages, and by name", async () => {
  const zones = Array.from({ length: 120 }, (_, index) => ({ name: `z${String(index)}.example.com` }));
  const emulator = await emulatorWith({ seed: { zones } });
  const client = clientFor(emulator.url);
  const all = await client.zones.list();
  expect(new Set(all.map(({ name }) => name)).size).toBe(120);
  expect(await client.zones.list({ name: "z7.example.com" })).toMatchObject([
    { name: "z7.example.com", plan: "enterprise" },
  ]);
  expect(await client.zones.get(all[0]?.id ?? "")).toEqual(all[0]);
});

import Cloudflare from "cloudflare";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";

const phase = "http_request_firewall_custom";
const OWASP = "4814384a9e5d4991b9815dcfc25d2f1f";

/** A result of the SDK, whose own types are `unknown` here. */
interface Answered {
  readonly id: string;
  readonly version: string;
  readonly rules: readonly { readonly id: string; readonly action: string }[];
}
const result = async (promise: PromiseLike<unknown>): Promise<Answered> => (await promise) as Answered;
const all = async (pages: AsyncIterable<unknown>): Promise<Answered[]> => {
  const items: Answered[] = [];
  for await (const item of pages) items.push(item as Answered);
  return items;
};

describe.each(["token", "key"] as const)("Cloudflare's own SDK with a %s", (scheme) => {
  let emulator: Emulator;
  let sdk: Cloudflare;
  let scopes: readonly ({ zone_id: string } | { account_id: string })[];
  beforeAll(async () => {
    emulator = await startEmulator();
    const service = new Service(emulator);
    scopes = [{ zone_id: await service.zone() }, { account_id: await service.account() }];
    const credentials =
      scheme === "token"
        ? { apiToken: TOKEN }
        : { apiEmail: "a@example.com", apiKey: "key-0123456789", apiToken: null };
    sdk = new Cloudflare({ baseURL: emulator.url, maxRetries: 0, ...credentials });
  });
  afterAll(() => emulator.close());

  test.each([0, 1])("calls every operation at level %i", async (level) => {
    const scope = scopes[level] as { zone_id: string };
    const { rulesets } = sdk;
    const block = { action: "block", expression: "ssl", ref: "a" } as const;
    const created = await result(rulesets.create({ ...scope, kind: "custom", name: "mine", phase, rules: [block] }));
    expect(created.rules).toMatchObject([{ ref: "a", enabled: true, version: "1" }]);
    const updated = await result(
      rulesets.update(created.id, { ...scope, rules: [block, { action: "log", expression: "true" }] }),
    );
    expect([updated.version, updated.rules[0]?.id]).toEqual(["2", created.rules[0]?.id]);
    const added = await result(
      rulesets.rules.create(created.id, { ...scope, action: "block", expression: "not ssl", position: { index: 1 } }),
    );
    expect(added.rules.map(({ action }) => action)).toEqual(["block", "block", "log"]);
    const edited = await result(
      rulesets.rules.edit(added.rules[0]?.id ?? "", {
        ...scope,
        ruleset_id: created.id,
        action: "js_challenge",
        expression: "not ssl",
      }),
    );
    expect(edited.rules[0]).toMatchObject({ action: "js_challenge", version: "2" });
    const deleted = await result(rulesets.rules.delete(added.rules[0]?.id ?? "", { ...scope, ruleset_id: created.id }));
    expect(deleted.rules).toHaveLength(2);
    // The SDK reads the next page from result_info.cursor; the API description has it in result_info.cursors.after.
    expect((await all(rulesets.list(scope))).map(({ id }) => id)).toContain(created.id);
    expect(await rulesets.get(created.id, scope)).toMatchObject({ version: "5" });
    expect((await all(rulesets.versions.list(created.id, scope))).map(({ version }) => version)).toEqual([
      "1",
      "2",
      "3",
      "4",
      "5",
    ]);
    expect(await rulesets.versions.get("2", { ...scope, ruleset_id: created.id })).toMatchObject({ version: "2" });
    await rulesets.versions.delete("2", { ...scope, ruleset_id: created.id });
    await expect(rulesets.versions.get("2", { ...scope, ruleset_id: created.id })).rejects.toMatchObject({
      status: 404,
    });

    const execute = {
      action: "execute",
      expression: level === 0 ? "true" : 'cf.zone.plan eq "ENT"',
      action_parameters: { id: created.id },
    } as const;
    const entry = await result(rulesets.phases.update(phase, { ...scope, name: "default", rules: [execute] }));
    expect(await rulesets.phases.get(phase, scope)).toMatchObject({
      id: entry.id,
      kind: level === 0 ? "zone" : "root",
    });
    expect(await rulesets.phases.versions.get("1", { ...scope, ruleset_phase: phase })).toMatchObject({ version: "1" });
    expect((await all(rulesets.phases.versions.list(phase, scope))).map(({ version }) => version)).toEqual(["1"]);

    await expect(rulesets.delete(created.id, scope)).rejects.toMatchObject({ status: 400 });
    await rulesets.delete(entry.id, scope);
    await rulesets.delete(created.id, scope);
    await expect(rulesets.get(created.id, scope)).rejects.toMatchObject({ status: 404 });
    await expect(rulesets.update(OWASP, { ...scope, rules: [] })).rejects.toMatchObject({ status: 403 });
  });

  test("finds zones", async () => {
    expect(await all(sdk.zones.list({ name: "pro.example.com" }))).toMatchObject([{ name: "pro.example.com" }]);
    expect(await sdk.zones.get(scopes[0] as { zone_id: string })).toMatchObject({ name: "enterprise.example.com" });
  });
});

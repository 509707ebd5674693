import { EngineStack } from "./support/stack.js";

describe("examples, run as they lie in their folders", () => {
  let stack: EngineStack;
  let zoneId: string;
  beforeEach(async () => {
    stack = await EngineStack.start();
    zoneId = await stack.service.zone();
  });
  afterEach(() => stack.close());

  test("quickstart", async () => {
    await stack.setConfig({ zoneId: { value: zoneId } });
    const up = await stack.example("up", "quickstart");
    expect(up.changes).toEqual({ create: 3 });
    expect(up.outputs.versions).toEqual({ managed: "1", custom: "1" });
    expect(await stack.example("up", "quickstart")).toMatchObject({ changes: { same: 3 }, requests: [] });
    expect((await stack.destroy()).ok).toBe(true);
  });

  test("zone-security, with its attack mode", async () => {
    await stack.setConfig({ zoneId: { value: zoneId }, accountId: { value: await stack.service.account() } });
    expect((await stack.example("up", "zone-security")).changes).toEqual({ create: 7 });
    const before = (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules ?? [];
    await stack.setConfig({ underAttack: { value: "true" } });
    const attack = await stack.example("up", "zone-security");
    expect(attack.changes).toEqual({ same: 5, update: 2 });
    expect(attack.requests).toHaveLength(4);
    const after = (await stack.service.entrypoint(zoneId, "http_request_firewall_custom"))?.rules ?? [];
    expect(after.slice(1)).toEqual(before);
    expect((await stack.destroy()).ok).toBe(true);
  });
});

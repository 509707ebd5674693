import type { Service } from "../support/emulator.js";
import { AtTheBorder, bare, secret } from "./at-the-border.js";
import { startService } from "./harness.js";

const phase = "http_request_firewall_custom";
const HIDDEN = "hunter2-very-secret";
const expression = `http.request.headers["x-key"][0] eq "${HIDDEN}"`;

describe("secrets in a RulesetRule", () => {
  let service: Service;
  let zoneId: string;
  let resource: AtTheBorder;
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
    resource = new AtTheBorder("RulesetRule", service.emulator.url);
  });
  afterEach(() => {
    expect(resource.leaving.filter((text) => text.includes(HIDDEN))).toEqual([]);
  });
  const rule = (more: object = {}) => ({
    zoneId,
    phase,
    action: "block",
    description: "Open",
    expression: secret(expression),
    actionParameters: {
      response: { statusCode: 403, contentType: "text/plain", content: secret(`Go away, ${HIDDEN}`) },
    },
    ...more,
  });
  const there = async () => (await service.entrypoint(zoneId, phase))?.rules[0];
  const edit = async (change: object) => {
    const { id = "", rules = [] } = (await service.entrypoint(zoneId, phase)) ?? {};
    const own: Record<string, unknown> & { id?: string } = rules[0] ?? {};
    const { id: _id, ref: _ref, version: _version, last_updated: _last, ...content } = own;
    await service.editRule(`zones/${zoneId}`, id, own.id ?? "", { ...content, ...change });
  };

  test("leave it encrypted only, in every step of its life", async () => {
    expect(await resource.up(rule(), { preview: true })).toBe(true);
    expect(await resource.up(rule())).toBe(true);
    expect(await there()).toMatchObject({ expression, description: "Open" });
    expect(resource.leaving.join()).toContain("Open");
    expect(await resource.refresh()).toBe(true);
    expect(await resource.up(rule())).toBe(true);
    expect(await resource.up(rule({ description: "Edited" }))).toBe(true);
    expect(bare(await there())).toMatchObject({ expression, description: "Edited" });
    expect(await resource.destroy()).toBe(true);
    expect(await there()).toBeUndefined();
  });

  test("stay hidden where someone copies them, and where a conflict shows the copy", async () => {
    await resource.up(rule());
    await edit({ description: `for ${HIDDEN}`, enabled: false });
    expect(await resource.up(rule({ action: "log", actionParameters: undefined }), { preview: true })).toBe(false);
    expect(resource.leaving.join("\n")).toContain("~ description, enabled of: block (disabled)");
    expect(await resource.refresh()).toBe(true);
    expect(await resource.up(rule())).toBe(true);
    expect(await there()).toMatchObject({ description: "Open", enabled: true });
  });

  test("stay hidden in a fault, and in the refusal of an existing rule", async () => {
    expect(await resource.up(rule({ expression: secret(`${expression} and (`) }))).toBe(false);
    await service.create(`zones/${zoneId}`, {
      name: "default",
      kind: "zone",
      phase,
      rules: [{ ref: "r", action: "block", expression }],
    });
    expect(await resource.up(rule({ ref: "r" }))).toBe(false);
    expect(resource.leaving.join("\n")).toContain("already has a rule of somebody else with a ref of this program");
  });

  test("cannot be its ref or its position", async () => {
    expect(await resource.up(rule({ ref: secret(HIDDEN) }))).toBe(false);
    expect(resource.leaving.join()).toMatch(/ref: is a secret, but it is part of the resource's id/);
    expect(await resource.up(rule({ position: { before: secret(HIDDEN) } }))).toBe(false);
  });
});

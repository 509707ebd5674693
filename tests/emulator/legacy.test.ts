import { startEmulator, type Emulator } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";

const KINDS: readonly (readonly [path: string, rule: object])[] = [
  ["firewall/ua_rules", { mode: "block", configuration: { target: "ua", value: "BadBot" } }],
  ["firewall/lockdowns", { urls: ["example.com/*"], configurations: [{ target: "ip", value: "192.0.2.1" }] }],
  ["firewall/access_rules/rules", { mode: "whitelist", configuration: { target: "country", value: "DE" } }],
  ["rate_limits", { match: { request: { url: "*" } }, action: { mode: "simulate" }, threshold: 5, period: 60 }],
];

describe("rules of features that rulesets replace", () => {
  let emulator: Emulator;
  let service: Service;
  let zone: string;

  beforeAll(async () => {
    emulator = await startEmulator({ seed: { zones: [{ name: "example.com" }] } });
    service = new Service(emulator);
    zone = await service.zoneNamed("example.com");
  });
  afterAll(() => emulator.close());

  test.each(KINDS)("%s are created, listed, replaced and deleted", async (kind, rule) => {
    const path = `/zones/${zone}/${kind}`;
    const { id } = await service.ask<{ id: string }>("POST", path, rule);
    expect(await service.ask("GET", path)).toEqual([expect.objectContaining({ ...rule, id })]);
    const changed = { ...rule, ...(kind.includes("access") ? { notes: "n" } : { description: "n" }) };
    expect(await service.ask("PUT", `${path}/${id}`, changed)).toMatchObject(changed);
    expect(await service.ask("GET", `${path}/${id}`)).toMatchObject(changed);
    await service.ask("DELETE", `${path}/${id}`);
    expect(await service.ask("GET", path)).toEqual([]);
    await expect(service.ask("POST", path, {})).rejects.toThrow("is required");
  });
});

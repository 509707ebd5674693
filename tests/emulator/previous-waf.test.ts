import type { Emulator, Plan, PreviousWafSeed } from "../../emulator/index.js";
import { Contract } from "../support/contract.js";
import { Service, TOKEN } from "../support/emulator.js";
import { freshEmulator } from "../support/emulators.js";

const CORE = "a25a9a7e9c00afc1fb2e0245519d725b";
const CORE_RULESET = "4814384a9e5d4991b9815dcfc25d2f1f";
const MANAGED_RULESET = "efb7b8c949ac4650a09736fc376e9aee";
const SCORING_RULE = "6179ae15870a4bb7b2d480d4843b323c";
const ENTRYPOINT = "rulesets/phases/http_request_firewall_managed/entrypoint";

interface Item {
  readonly id: string;
  readonly [field: string]: unknown;
}
interface Configuration {
  readonly name: string;
  readonly rules: readonly {
    readonly action: string;
    readonly expression: string;
    readonly enabled: boolean;
    readonly action_parameters: { readonly id?: string; readonly overrides?: Record<string, unknown[]> };
  }[];
}

/** A zone with a plan, not yet migrated, and a caller for it. */
async function zoneWith(
  previousWaf: PreviousWafSeed = {},
  plan: Plan = "enterprise",
): Promise<{ emulator: Emulator; contract: Contract; service: Service; zone: string; id: string }> {
  const emulator = await freshEmulator({ seed: { zones: [{ name: "old.example.com", plan, previousWaf }] } });
  const service = new Service(emulator);
  const id = await service.zone(plan);
  return { emulator, contract: new Contract(emulator.url), service, zone: `/zones/${id}`, id };
}

describe("the previous WAF", () => {
  test("counts rules that are off in their group", async () => {
    const { contract, zone } = await zoneWith();
    const core = `${zone}/firewall/waf/packages/${CORE}`;
    const [group] = await contract.send<Item[]>("GET", `${core}/groups`);
    const groupOf = (): Promise<unknown> => contract.send("GET", `${core}/groups/${group?.id ?? ""}`);
    await contract.send("PATCH", `${core}/groups/${group?.id ?? ""}`, { mode: "off" });
    expect(await groupOf()).toMatchObject({ mode: "off", rules_count: 3 });
    const [rule] = await contract.send<Item[]>("GET", `${core}/rules?per_page=5`);
    await contract.send("PATCH", `${core}/rules/${rule?.id ?? ""}`, { mode: "off" });
    expect(await contract.send("GET", `${core}/rules/${rule?.id ?? ""}`)).toMatchObject({ mode: "off" });
    expect(await groupOf()).toMatchObject({ modified_rules_count: 1 });
  });

  test("keeps the description of a filter, wherever the filter is written", async () => {
    const { contract, zone } = await zoneWith();
    const send = contract.send.bind(contract);
    const described = (text: string) => ({ expression: "ssl", description: text });
    const [filter] = await send<Item[]>("POST", `${zone}/filters`, [described("first")]);
    const id = filter?.id ?? "";
    expect(await send("PUT", `${zone}/filters/${id}`, { id, ...described("second") })).toMatchObject(
      described("second"),
    );
    expect(await send("PUT", `${zone}/filters`, [{ id, ...described("third") }])).toMatchObject([described("third")]);
    const [rule] = await send<Item[]>("POST", `${zone}/firewall/rules`, [
      { action: "block", filter: described("of a rule") },
    ]);
    expect(rule?.filter).toMatchObject(described("of a rule"));
    // https://developers.cloudflare.com/firewall/api/cf-firewall-rules/put/ has no priority as null.
    const same = { id: rule?.id, action: "block", filter: { id } };
    await send("PUT", `${zone}/firewall/rules/${rule?.id ?? ""}`, { ...same, priority: null });
    expect(await send("GET", `${zone}/filters?description=THIRD`)).toMatchObject([{ id }]);
    await send("POST", `${zone}/filters`, [described("x".repeat(501))], 400);
  });

  const overridesOf = (config: Configuration) =>
    config.rules.find((rule) => rule.action_parameters.id === CORE_RULESET)?.action_parameters.overrides;
  const levels = (...off: number[]) =>
    off.map((level) => ({ category: `paranoia-level-${String(level)}`, enabled: false }));

  test.each<["high" | "medium" | "low" | "default" | undefined, object[], number]>([
    ["high", levels(3, 4), 40],
    ["medium", levels(2, 3, 4), 25],
    ["low", levels(2, 3, 4), 40],
    ["default", levels(3, 4), 40],
    [undefined, levels(3, 4), 40],
  ])("maps sensitivity %s to the documented level and threshold", async (sensitivity, categories, threshold) => {
    const { contract, zone } = await zoneWith({ core: { sensitivity } });
    const config = await contract.send<Configuration>("GET", `${zone}/waf_migration/config?phase_two=1`);
    expect(overridesOf(config)).toEqual({
      categories,
      rules: [{ id: SCORING_RULE, score_threshold: threshold, action: "challenge" }],
    });
  });

  test.each([
    ["simulate", "log"],
    ["block", "block"],
    ["challenge", "challenge"],
  ] as const)("maps the action %s to %s", async (action, becomes) => {
    const { contract, zone } = await zoneWith({ core: { action } });
    const config = await contract.send<Configuration>("GET", `${zone}/waf_migration/config?phase_two=1`);
    expect(overridesOf(config)?.rules).toMatchObject([{ action: becomes }]);
  });

  test("has no sensitivity in a core package that was left at the default", async () => {
    const { contract, zone } = await zoneWith({ core: { sensitivity: "default", action: "block" } });
    const core = await contract.send("GET", `${zone}/firewall/waf/packages/${CORE}`);
    expect(core).toMatchObject({ detection_mode: "anomaly", action_mode: "block" });
    expect(core).not.toHaveProperty("sensitivity");
    const changed = await contract.send("PATCH", `${zone}/firewall/waf/packages/${CORE}`, { sensitivity: "low" });
    expect(changed).toMatchObject({ sensitivity: "low" });
  });

  test("loses settings of Cloudflare's own groups and rules unless told how to convert them, and lists them", async () => {
    const settings = { groups: { "Cloudflare WordPress": "off" }, rules: { "100040": "simulate", "950000": "off" } };
    const { service, contract, zone, id } = await zoneWith(settings as PreviousWafSeed);
    const managed = async () => {
      const { rules } = await contract.send<Configuration>("GET", `${zone}/waf_migration/config?phase_two=1`);
      return rules.find((rule) => rule.action_parameters.id === MANAGED_RULESET)?.action_parameters.overrides;
    };
    expect(await managed()).toBeUndefined();
    const lost = ["group Cloudflare WordPress: off", "rule 950000: off", "rule 100040: simulate"];
    expect((await service.setPreviousWaf(id, {})).lost).toEqual(lost);
    const managedOverrides = { categories: [{ category: "wordpress", enabled: false }] };
    expect((await service.setPreviousWaf(id, { managedOverrides })).lost).toEqual(["rule 950000: off"]);
    expect(await managed()).toEqual(managedOverrides);
    const seeded = await zoneWith({ ...settings, managedOverrides } as PreviousWafSeed);
    const config = await seeded.contract.send<Configuration>("GET", `${seeded.zone}/waf_migration/config?phase_two=1`);
    expect(JSON.stringify(config)).toContain(JSON.stringify(managedOverrides));
  });

  test("carries over bypasses and page rules, but not groups and rules of the core rule set", async () => {
    const { contract, zone } = await zoneWith({
      groups: { "OWASP Bad Robots": "off" },
      rules: { "950000": "off" },
      firewallRules: [
        { expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] },
        { expression: "ip.src eq 192.0.2.2", products: ["rateLimit"] },
        { expression: "ip.src eq 192.0.2.3", action: "block" },
        { expression: "ip.src eq 192.0.2.4", paused: true },
      ],
      pageRules: [
        { url: "*example.com/on/*", actions: [{ id: "waf", value: "on" }] },
        { url: "*example.com/off/*", actions: [{ id: "waf", value: "off" }] },
        { url: "https://example.com/none/*", actions: [{ id: "disable_security" }] },
        { url: "*example.com/ignored/*", actions: [{ id: "waf", value: "off" }], status: "disabled" },
      ],
    });
    const untouched = await zoneWith();
    const [config, plain] = await Promise.all(
      [{ contract, zone }, untouched].map((one) =>
        one.contract.send<Configuration>("GET", `${one.zone}/waf_migration/config?phase_two=1`),
      ),
    );
    expect(overridesOf(config as Configuration)).toEqual(overridesOf(plain as Configuration));
    const on = '(http.request.full_uri wildcard "http*://*example.com/on/*")';
    expect(config?.rules.map(({ action, expression, enabled }) => [action, expression, enabled])).toEqual([
      ["skip", "ip.src eq 192.0.2.1", true],
      ["skip", "ip.src eq 192.0.2.4", false],
      ["skip", `(http.request.full_uri wildcard "http*://*example.com/off/*") and not ${on}`, true],
      ["skip", `(http.request.full_uri wildcard "https://example.com/none/*") and not ${on}`, true],
      ["execute", "true", true],
      ["execute", "true", true],
    ]);
    expect(config?.rules.map((rule) => rule as object)).toEqual(
      Array.from({ length: 6 }, () => expect.objectContaining({ id: "", version: "", ref: "" }) as object),
    );
  });

  test.each<[string, PreviousWafSeed, Plan, [string | undefined, string, boolean][]]>([
    [
      "off",
      { setting: "off" },
      "pro",
      [
        [MANAGED_RULESET, "true", false],
        [CORE_RULESET, "true", false],
      ],
    ],
    [
      "off, on for a page",
      { setting: "off", pageRules: [{ url: "http://a/*", actions: [{ id: "waf", value: "on" }] }] },
      "pro",
      [
        [MANAGED_RULESET, '(http.request.full_uri wildcard "http://a/*")', true],
        [CORE_RULESET, '(http.request.full_uri wildcard "http://a/*")', true],
      ],
    ],
    ["core rule set off", { core: { sensitivity: "off" } }, "business", [[MANAGED_RULESET, "true", true]]],
    ["Cloudflare's managed rules off", { managed: "off" }, "enterprise", [[CORE_RULESET, "true", true]]],
    ["free plan", {}, "free", [["77454fe2d30c4220b5701f6fdfb893ba", "true", true]]],
  ])("generates the executed rulesets: %s", async (_, seed, plan, expected) => {
    const { contract, zone } = await zoneWith(seed, plan);
    const config = await contract.send<Configuration>("GET", `${zone}/waf_migration/config?phase_two=1`);
    expect(config.rules.map((r) => [r.action_parameters.id, r.expression, r.enabled])).toEqual(expected);
  });

  test.each<[string, PreviousWafSeed, boolean]>([
    ["nothing special", {}, false],
    ["WAF off", { setting: "off" }, true],
    ["core rule set off", { core: { sensitivity: "off" } }, true],
    ["a bypass", { setting: "off", firewallRules: [{ expression: "ssl" }] }, false],
    ["a page rule", { setting: "off", pageRules: [{ url: "a", actions: [{ id: "waf", value: "on" }] }] }, false],
    ["an override", { setting: "off", overrides: [{ urls: ["a"], rules: {} }] }, false],
  ])("allows only few zones in the first phase of the rollout: %s", async (_, seed, eligible) => {
    const { contract, zone } = await zoneWith(seed);
    expect(await contract.send("GET", `${zone}/waf_migration/check`)).toMatchObject({ compatible: eligible });
  });

  test("is blocked by an override until it is deleted, without giving a reason", async () => {
    const { contract, zone } = await zoneWith({ overrides: [{ urls: ["a"], rules: { "100015": "block" } }] });
    const check = `${zone}/waf_migration/check?phase_two=1`;
    expect(await contract.send("GET", check)).toEqual({ compatible: false });
    await contract.send("GET", `${zone}/waf_migration/config?phase_two=1`, undefined, 400);
    const [override] = await contract.send<Item[]>("GET", `${zone}/firewall/waf/overrides`);
    await contract.send("DELETE", `${zone}/firewall/waf/overrides/${override?.id ?? ""}`);
    expect(await contract.send("GET", check)).toEqual({ compatible: true, migration_state: "start" });
  });

  const send = async (service: Service, method: string, path: string, body?: unknown): Promise<[number, string]> => {
    const answer = await fetch(`${service.emulator.url}${path}`, {
      method,
      headers: { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return [answer.status, await answer.text()];
  };
  const configOf = (service: Service, zone: string): Promise<Configuration> =>
    service.ask("GET", `${zone}/waf_migration/config?phase_two=1`);

  test.each<[string, (id: string) => string]>([
    ["by phase", () => ENTRYPOINT],
    ["by ID", (id) => `rulesets/${id}`],
    ["by phase as a step of the migration", () => `${ENTRYPOINT}?waf_migration=validation&phase_two=1`],
  ])("a PUT %s takes the place of its ruleset if it is right, and changes nothing if it is not", async (_, pathOf) => {
    const { service, zone, id } = await zoneWith();
    const made = await service.ask<Item>("PUT", `${zone}/${ENTRYPOINT}`, { rules: [] });
    const path = `${zone}/${pathOf(made.id)}`;
    const place = { kind: "zone", phase: "http_request_firewall_managed", zone_id: id };
    for (const wrong of [{ kind: "root" }, { phase: "ddos_l7" }, { zone_id: "0".repeat(32) }]) {
      const [name] = Object.keys(wrong);
      const refused = await send(service, "PUT", path, { ...place, ...wrong, rules: [] });
      expect(refused).toEqual([400, expect.stringContaining(`the ${String(name)} field cannot be modified`)]);
    }
    const status = await service.ask<Item>("GET", `${zone}/waf_migration/status`);
    expect(status.migration_state).toBe("start");
    expect(await service.ask("PUT", path, { ...place, rules: [] })).toMatchObject({ id: made.id, version: "2" });
  });

  test("allows validation for Enterprise only, where both WAFs run; no call reverts the finish", async () => {
    const pro = await zoneWith({}, "pro");
    const config = await configOf(pro.service, pro.zone);
    const validating = `${pro.zone}/${ENTRYPOINT}?waf_migration=validation&phase_two=1`;
    const refused = await send(pro.service, "PUT", validating, config);
    expect(refused).toEqual([400, expect.stringContaining("Enterprise")]);
    expect(await pro.service.entrypoint(pro.id, "http_request_firewall_managed")).toBeUndefined();

    const { service, zone } = await zoneWith();
    const status = () => service.ask<Item>("GET", `${zone}/waf_migration/status`);
    const body = await configOf(service, zone);
    const both = { old_waf_status: "enabled", new_waf_status: "enabled" };
    expect(await status()).toMatchObject({ ...both, migration_state: "start", new_waf_status: "disabled" });
    await service.ask("PUT", `${zone}/${ENTRYPOINT}?waf_migration=2&phase_two=1`, body);
    expect(await status()).toMatchObject({ ...both, migration_state: "validation" });
    await service.ask("PUT", `${zone}/${ENTRYPOINT}?waf_migration=1&phase_two=1`, body);
    const finished = { migration_state: "complete", old_waf_status: "disabled", new_waf_status: "enabled" };
    expect(await status()).toMatchObject(finished);
    for (const step of ["pending", "validation", "1", "2", "start"]) {
      const [code] = await send(service, "PUT", `${zone}/${ENTRYPOINT}?waf_migration=${step}&phase_two=1`, body);
      expect(code).toBe(400);
    }
    const previous = ["packages", "overrides", `packages/${CORE}/rules`].map((path) => `firewall/waf/${path}`);
    for (const path of [...previous, "settings/waf"])
      expect((await send(service, "GET", `${zone}/${path}`))[0]).toBe(410);
    expect((await send(service, "PATCH", `${zone}/settings/waf`, { value: "on" }))[0]).toBe(410);
    expect(await status()).toMatchObject(finished);
  });

  test.each([
    ["reads", { reads: 2 }, 0],
    ["the clock", { seconds: 60 }, 61],
  ] as const)("finishes with a delay, by %s", async (_, progression, seconds) => {
    const { service, zone } = await zoneWith({ progression });
    const state = async () => (await service.ask<Item>("GET", `${zone}/waf_migration/status`)).migration_state;
    await service.ask("PUT", `${zone}/${ENTRYPOINT}?waf_migration=pending&phase_two=1`, await configOf(service, zone));
    expect([await state(), await state()]).toEqual(["pending", "pending"]);
    if (seconds > 0) await service.advanceClock(seconds);
    expect(await state()).toBe("complete");
  });

  test("refuses more than 200 firewall rules, and an expression over 4 KB", async () => {
    const many = Array.from({ length: 201 }, (_, index) => ({ expression: `ip.src eq 192.0.2.${String(index)}` }));
    const long = [{ expression: `http.host in {${'"a.example.com" '.repeat(300)}}` }];
    for (const [firewallRules, text] of [
      [many, "more than 200"],
      [long, "longer than 4 KB"],
    ] as const) {
      const { service, zone } = await zoneWith({ firewallRules });
      expect(await send(service, "GET", `${zone}/waf_migration/config?phase_two=1`)).toEqual([
        400,
        expect.stringContaining(text),
      ]);
      const put = await send(service, "PUT", `${zone}/${ENTRYPOINT}?waf_migration=pending&phase_two=1`, {
        name: "x",
        rules: [],
      });
      expect(put).toEqual([400, expect.stringContaining(text)]);
    }
    const { service, zone } = await zoneWith({ firewallRules: many.slice(1) });
    expect((await configOf(service, zone)).rules).toHaveLength(202);
  });

  test("allows only Enterprise zones to save managed rules before the migration", async () => {
    const rule = { action: "execute", expression: "true", action_parameters: { id: MANAGED_RULESET } };
    for (const plan of ["pro", "enterprise"] as const) {
      const { service, zone } = await zoneWith({}, plan);
      const [code, text] = await send(service, "PUT", `${zone}/${ENTRYPOINT}`, { name: "x", rules: [rule] });
      expect([code, text.includes("WAF enrollment is required")]).toEqual(plan === "pro" ? [400, true] : [200, false]);
      expect((await send(service, "PUT", `${zone}/${ENTRYPOINT}`, { rules: [{ ...rule, enabled: false }] }))[0]).toBe(
        200,
      );
    }
  });
});

import { claim } from "../../provider/engine/claims.js";
import type { PreviousWafSeed } from "../../emulator/index.js";
import type { MigrationReport } from "../../core/previous-waf/readiness/report.js";
import type { MigrationState } from "../../provider/kinds/waf-migration/description.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { ManagedResource } from "./managed.js";
import { NAME, PHASE, startOldZone } from "./old-zone.js";
import { secret, secretPathsIn } from "./secrets-apart.js";

const CORE_RULESET = "4814384a9e5d4991b9815dcfc25d2f1f";

describe("a migration is refused at preview", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  const start = async (...zone: Parameters<typeof startOldZone>): Promise<void> => {
    ({ service, zoneId, migration } = await startOldZone(...zone));
  };

  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const validate = (more: object = {}) => ({ zoneId, mode: "validation", ...more });
  /** Refused by the preview and by an `up` without one, and nothing was written. */
  const refused = async (inputs: object, text: RegExp | string): Promise<void> => {
    await expect(migration.preview(inputs)).rejects.toThrow(text);
    await expect(migration.up(inputs)).rejects.toThrow(text);
    expect(writesIn(await service.requests())).toEqual([]);
  };

  test("not compatible, with the overrides that block it and how to delete them", async () => {
    await start({
      overrides: [{ urls: ["shop.example.com/*"], rules: { "100015": "block" }, description: "checkout" }],
    });
    await refused(
      finish(),
      new RegExp(
        `zone ${NAME} \\(${zoneId}\\) is not compatible .*\\n  - override ([0-9a-f]{32}) \\(checkout\\) for shop.example.com/\\*: DELETE /zones/${zoneId}/firewall/waf/overrides/\\1`,
      ),
    );
  });

  test("not compatible, and the reason is unknown", async () => {
    await start();
    const body = { success: true, errors: [], messages: [], result: { compatible: false } };
    await service.fault({ path: "/waf_migration/check", body, times: 9 });
    await refused(finish(), "there are no URI-based WAF overrides. Ask Cloudflare support why");
    await service.fault({ path: "/firewall/waf/overrides", status: 410, times: 9 });
    await refused(finish(), "URI-based WAF overrides, the usual reason, could not be read");
  });

  test.each(["free", "pro", "business"] as const)("validation on the plan %s", async (plan) => {
    await start({}, plan);
    await refused(
      validate(),
      `mode: validation mode requires an Enterprise zone, but ${NAME} is on the ${plan} plan. Use mode: "pending"`,
    );
  });

  test("too many firewall rules, and an expression that is too long", async () => {
    await start({
      firewallRules: Array.from({ length: 201 }, (_, i) => ({ expression: `ip.src eq 192.0.2.${String(i)}` })),
    });
    await refused(finish(), /201 firewall rules would be migrated, but at most 200 can be\. Only Cloudflare support/);
    const long = `http.host in {${'"a.example.com" '.repeat(300)}}`;
    await start({ firewallRules: [{ expression: long, description: "hosts" }] });
    await refused(
      finish(),
      /expression of firewall rule [0-9a-f]{32} \(hosts\) has 4815 bytes, but at most 4 KB \(4096\)/,
    );
  });

  test("the same from the error of the service, when its rules cannot be read", async () => {
    await start({ firewallRules: Array.from({ length: 201 }, () => ({ expression: "ssl" })) });
    await service.fault({ path: "/firewall/rules", status: 403, times: 9 });
    await refused(finish(), /more than 200 firewall rules to migrate: please contact support.*Only Cloudflare support/);
  });

  test("the API of the migration is gone", async () => {
    await start();
    await service.fault({ path: "/waf_migration/status", status: 410, times: 9 });
    await refused(finish(), /no longer offers the WAF migration for zone .*PhaseEntrypoint .* onExisting: "adopt"/);
  });

  test("no acknowledgement, or one for another zone", async () => {
    await start();
    await refused(
      { zoneId, mode: "pending" },
      'acknowledgeIrreversible: is required when mode is "pending", because finishing the migration cannot be undone',
    );
    await refused(finish({ acknowledgeIrreversible: false }), "acknowledgeIrreversible: is required");
    for (const text of ["true", "false"]) {
      await refused(
        finish({ acknowledgeIrreversible: text }),
        `acknowledgeIrreversible: is the text "${text}", which would be the name of a zone. Write true without quotes; a ` +
          'setting of the stack is read with config.getBoolean("…")',
      );
    }
    await refused(
      finish({ acknowledgeIrreversible: "shop.example.com" }),
      `acknowledgeIrreversible: names the zone "shop.example.com", but zoneId ${zoneId} is the zone "${NAME}"`,
    );
  });

  test("a wrong name, even when the zone is already migrated", async () => {
    await start({ state: "complete" });
    await refused(finish({ acknowledgeIrreversible: "shop.example.com" }), "names the zone");
  });

  test("a name that cannot be compared, but not true", async () => {
    await start();
    await service.fault({ method: "GET", path: `*/zones/${zoneId}`, status: 403, times: 9 });
    await refused(finish(), /cannot be compared with zoneId .* Give them the permission "Zone Read", or write true/);
    expect(await migration.preview(finish({ acknowledgeIrreversible: true }))).toMatchObject({ action: "create" });
  });

  test("a configuration that changed since the review, with the changes", async () => {
    await start({}, "pro");
    const reviewed = (await migration.preview(finish())).inputs.configDigest;
    expect(await migration.preview(finish({ expectedConfig: reviewed }))).toMatchObject({ action: "create" });
    const path = `/zones/${zoneId}/firewall/waf/packages`;
    const [first] = await service.ask<{ id: string }[]>("GET", path);
    await service.ask("PATCH", `${path}/${first?.id ?? ""}`, { sensitivity: "low" });
    await refused(
      finish({ expectedConfig: reviewed }),
      /expectedConfig: the zone's previous WAF has changed since the review.*\n {2}- rule 2 of the reviewed configuration is gone or was changed\n {2}\+ rule 2 is new or was changed: execute Cloudflare OWASP Core Ruleset \(PL1.*\nReview it again; its digest is now c1\./,
    );
  });

  test("a malformed digest is reported as such, whatever the state of the zone", async () => {
    await start({}, "pro");
    const digest = String((await migration.preview(finish())).inputs.configDigest);
    const malformed = /expectedConfig: is not a valid digest: .* Copy the whole digest from the preview/;
    for (const text of ["abc", "", digest.toUpperCase(), ` ${digest}`, digest.slice(0, -1), digest.slice(0, -9), 7]) {
      await refused(finish({ expectedConfig: text }), malformed);
    }
    for (const seed of [{ state: "complete" }, { overrides: [{ urls: ["a"], rules: {} }] }]) {
      await start(seed, "pro");
      await refused(finish({ expectedConfig: "abc" }), malformed);
    }
    await start();
  });

  test("a change back to validation, or to another zone", async () => {
    await start();
    await migration.up(finish());
    await refused(validate(), "mode: cannot go back from pending to validation");
    await refused(
      finish({ zoneId: "f".repeat(32) }),
      /zoneId: is [0-9a-f]{32} in the state: a migration belongs to its zone/,
    );
  });

  test.each<[object, RegExp]>([
    [{ mode: "start" }, /mode: must be validation or pending/],
    [{ zoneId: undefined }, /zoneId: is required/],
    [
      { acknowledgeIrreversable: true },
      /acknowledgeIrreversable: ZoneWafMigration has no argument acknowledgeIrreversable; did you mean acknowledgeIrreversible\?/,
    ],
    [{ existingRules: "keep" }, /existingRules: must be one of fail, replace, empty/],
    [{ wait: "no" }, /wait: must be true or false/],
    ...[-1, NaN, Infinity, 1e12].map((waitTimeoutSeconds): [object, RegExp] => [
      { waitTimeoutSeconds },
      /waitTimeoutSeconds: must be a number of seconds from 0 to 2147483/,
    ]),
    [
      { adjustments: { drop: [{ executes: CORE_RULESET.toUpperCase() }] } },
      new RegExp(`adjustments\\.drop\\[0\\]\\.executes: IDs are in lower case; write "${CORE_RULESET}"`),
    ],
    [
      { adjustments: { overrides: [{ rulesetId: "owasp", action: "log" }] } },
      /adjustments\.overrides\[0\]\.rulesetId: must be an ID of 32 hexadecimal digits/,
    ],
    [{ rules: [], adjustments: {} }, /adjustments and rules are mutually exclusive/],
    [{ rules: [{ action: "block" }] }, /rules\[0\]: expression is required/],
    [{ adjustments: [] }, /adjustments: must be an object/],
    [{ adjustments: { drops: [] } }, /adjustments\.drops: there is no property drops; did you mean drop\?/],
    [{ adjustments: { drop: {} } }, /adjustments\.drop: must be a list/],
    [{ adjustments: { drop: [{ name: "x" }] } }, /adjustments\.drop\[0\]\.name: there is no property name/],
    [{ adjustments: { drop: [{}] } }, /adjustments\.drop\[0\]: selects nothing: it needs a field/],
    [
      { adjustments: { drop: [{ description: "nobody" }] } },
      /adjustments\.drop\[0\]: no rule of the retrieved configuration matches/,
    ],
    [
      { adjustments: { overrides: [{ actoin: "log" }] } },
      /adjustments\.overrides\[0\]\.actoin: there is no property actoin; did you mean action\?/,
    ],
    [
      { adjustments: { overrides: [{ rules: [{ id: "x", scoreTreshold: 1 }] }] } },
      /adjustments\.overrides\[0\]\.rules\[0\]\.scoreTreshold: there is no field "scoreTreshold"; did you mean "scoreThreshold"\?/,
    ],
    [
      { adjustments: { overrides: [{ sensitivityLevel: "low" }] } },
      /sensitivityLevel: is only allowed in the phases ddos_l4 and ddos_l7/,
    ],
    [{ adjustments: { append: [{ action: "execute", expression: "true" }] } }, /adjustments\.append\[0\]/],
  ])("%j", async (more, text) => {
    await start();
    await refused(finish(more), text);
  });

  test("all problems are reported together", async () => {
    await start({ overrides: [{ urls: ["a"], rules: {} }] }, "pro");
    expect(await failureOf(migration.preview(validate()))).toMatch(
      /validation mode requires an Enterprise zone[\s\S]*is not compatible/,
    );
  });
});

describe("the preview of a migration", () => {
  let service: Service;
  let zoneId: string;
  let migration: ManagedResource<MigrationState>;
  beforeEach(async () => {
    const previousWaf: PreviousWafSeed = {
      core: { sensitivity: "medium", action: "simulate" },
      groups: { "OWASP Bad Robots": "off" },
      rules: { "950010": "off" },
      firewallRules: [{ expression: "ip.src eq 192.0.2.1", description: "partner", products: ["waf"] }],
      pageRules: [{ url: "*old.example.com/upload*", actions: [{ id: "disable_security" }] }],
    };
    ({ service, zoneId, migration } = await startOldZone(previousWaf, "business"));
  });
  const finish = (more: object = {}) => ({ zoneId, mode: "pending", acknowledgeIrreversible: NAME, ...more });
  const reportOf = async (more: object = {}) =>
    (await migration.preview(finish(more))).inputs.report as MigrationReport;

  test("is a report for a security engineer", async () => {
    const { notes, warnings, inputs, requests } = await migration.preview(finish());
    expect(requests.every((request) => request.startsWith("GET"))).toBe(true);
    const [head, ...lines] = notes.join("\n").split("\n");
    expect(head).toBe(
      `WAF migration of ${NAME} (${zoneId}), plan business: not started: the previous WAF protects the zone (the service says "start")`,
    );
    expect(lines).toEqual([
      "Rules that will be written:",
      '  1. skip the rules after it "partner" when ip.src eq 192.0.2.1',
      '  2. skip the rules after it "Page rule *old.example.com/upload*" when (http.request.full_uri wildcard "http*://*old.example.com/upload*")',
      "  3. execute Cloudflare Managed Ruleset on all requests",
      "  4. execute Cloudflare OWASP Core Ruleset (PL1, score threshold 25 (high), action log) on all requests",
      "Carried over:",
      "  - The core rule set with sensitivity medium, action simulate: the core ruleset with PL1, score threshold 25 (high), action log.",
      "  - Cloudflare's managed rules: the Cloudflare Managed Ruleset is executed.",
      '  - Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: rule 1.',
      "  - Page rule *old.example.com/upload* with security off: rule 2.",
      "Not carried over:",
      '  - Core rule set: the group "OWASP Bad Robots" is off; its rules will run again.',
      "  - Core rule set: rule 950010 (OWASP Generic Attacks, rule 1) is off; it will run again.",
      "Check before the finish:",
      '  - The business plan has no validation mode: `adjustments: { overrides: [{ action: "log" }] }` makes every rule only log at first.',
      "  - Settings that are not carried over (2 above): declare those that you need again, with `adjustments.overrides` for rules of managed rulesets and `adjustments.prepend` for exceptions.",
      "Before every finish:",
      "  - Export the settings of the previous WAF that you may need later: they cannot be read afterwards.",
      "  - Remove the resources of the tools below from their state and their configuration.",
      "  - Pin the digest as `expectedConfig`, so that a change after this review stops the step.",
      "Afterwards:",
      "  - There is no way back: no API call returns the zone to the previous WAF.",
      "  - The new WAF has no switch for the whole zone; each managed ruleset is deployed by its own rule.",
      "  - Page rules with security disabled or WAF off no longer switch it off; skip rules do.",
      "  - The previous APIs stop working for the zone, and so do the tools that use them.",
      "Tools that stop working:",
      expect.stringMatching(/^ {2}- API: .*\/firewall\/waf\/packages .*\/settings\/waf$/),
      expect.stringContaining("Instead: /zones/<zone id>/rulesets"),
      expect.stringMatching(
        /^ {2}- Terraform provider up to 3\.35: cloudflare_waf_package, .* \(4\.0 and later have none of them\)$/,
      ),
      expect.stringContaining("First: `terraform state rm <address>` for each"),
      expect.stringMatching(/Instead: cloudflare_ruleset, imported as zone\/.* \(4\.x\) or zones\/.* \(5\.x\)/),
      expect.stringContaining("cloudflare_zone_settings_override (3.x, 4.x)"),
      expect.stringContaining("First: remove the setting from the configuration"),
      expect.stringContaining("Instead: rules that execute managed rulesets"),
      expect.stringMatching(
        /@pulumi\/cloudflare 4\.x: WafPackage, WafGroup, WafRule, WafOverride, .* \(5\.0 and later have none of them\)/,
      ),
      expect.stringContaining("First: `pulumi state delete <urn>` for each"),
      expect.stringContaining("Instead: PhaseEntrypoint of this package"),
      "Rollout:",
      expect.stringContaining("The first phase began on 2022-05-04"),
      expect.stringContaining("The second phase began on 2022-09-19"),
      expect.stringMatching(/^Digest of this configuration, for expectedConfig: c1\./),
    ]);
    expect(warnings.join("\n")).toContain(`mode: "pending" finishes the migration of zone ${NAME} for good`);
    expect(inputs).toMatchObject({ compatibleBefore: true, configDigest: expect.stringMatching(/^c1\./) as string });
  });

  /** Changes the response of the service on the way. */
  const retrieve = async (change: (config: { rules: { expression: string }[] }) => object): Promise<void> => {
    const config = await service.ask<{ rules: { expression: string }[] }>(
      "GET",
      `/zones/${zoneId}/waf_migration/config?phase_two=1`,
    );
    const body = { success: true, errors: [], messages: [], result: change(config) };
    await service.fault({ path: "/waf_migration/config", body, times: 9 });
  };

  test("names groups and rules of Cloudflare's own rules that have no counterpart, and the override that keeps them", async () => {
    const settings: PreviousWafSeed = {
      groups: { "Cloudflare WordPress": "off" },
      rules: { "100040": "simulate", "100041": "disable" },
    };
    ({ service, zoneId, migration } = await startOldZone(settings, "pro"));
    const report = await reportOf();
    expect(report.notCarriedOver.map((text) => text.split(":")[0])).toEqual([
      'The group "Cloudflare WordPress" is off',
      "Rule 100040 (Cloudflare Drupal, rule 1) is set to simulate instead of block",
      "Rule 100041 (Cloudflare Drupal, rule 2) is set to disable instead of block",
    ]);
    const rules = [
      { id: "f8fcc70b71ee0207b03ac99bd8992181", action: "log" },
      { id: "5de7edfa648c4d6891dc3e7f84534ffa", enabled: false },
    ];
    const categories = [{ category: "wordpress", enabled: false }];
    const overrides = [{ rulesetId: "efb7b8c949ac4650a09736fc376e9aee", categories, rules }];
    expect((await reportOf({ adjustments: { overrides } })).notCarriedOver).toEqual([]);
    const dropped = await reportOf({ adjustments: { drop: [{ executes: "efb7b8c949ac4650a09736fc376e9aee" }] } });
    expect(dropped.notCarriedOver).toEqual([
      "Cloudflare's managed rules: the retrieved configuration executes the Cloudflare Managed Ruleset, but the program leaves it out.",
    ]);
  });

  test("says that groups and rules of Cloudflare's own rules could not be read", async () => {
    await service.fault({ path: "/firewall/waf/packages/1e334934fd7ae32ad705667f8c1057aa/", status: 403, times: 9 });
    expect((await reportOf()).notCarriedOver).toContain(
      "Not read, so not checked: groups and rules of Cloudflare's managed rules.",
    );
  });

  test("searches the retrieved configuration for each firewall rule and page rule", async () => {
    await retrieve((config) => ({ ...config, rules: config.rules.filter(({ expression }) => expression === "true") }));
    const { notes, inputs } = await migration.preview(finish());
    expect((inputs.report as MigrationReport).notCarriedOver.slice(0, 2)).toEqual([
      'Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: not carried over. To keep it, add to `adjustments.prepend`:\n' +
        '{ description: "partner", action: "skip", expression: "ip.src eq 192.0.2.1", actionParameters: { ruleset: "current" } },',
      expect.stringMatching(
        /^Page rule \*old\.example\.com\/upload\* with security off: not carried over\. To keep it, add/,
      ),
    ]);
    expect(notes.join()).not.toContain("a skip rule");
    // The rules that it prints are rules that it recognises.
    const printed = (inputs.report as MigrationReport).notCarriedOver
      .slice(0, 2)
      .map((text) => text.split("\n")[1] ?? "");
    const prepend = new Function(`return [${printed.join("")}]`)() as object[];
    const again = await reportOf({ adjustments: { prepend } });
    expect(again.notCarriedOver).toHaveLength(2);
    expect(again.carriedOver.slice(-2)).toEqual([
      'Firewall rule "partner" with bypass when ip.src eq 192.0.2.1: rule 1.',
      "Page rule *old.example.com/upload* with security off: rule 2.",
    ]);
  });

  test("reports where the retrieved values deviate from the documented sensitivity", async () => {
    const level = (config: object) =>
      JSON.parse(JSON.stringify(config).replace("paranoia-level-2", "paranoia-level-5")) as object;
    await retrieve(level);
    const { inputs, notes } = await migration.preview(finish());
    expect((inputs.report as MigrationReport).differences).toEqual([
      "Sensitivity medium of the core rule set is documented to become PL1, score threshold 25 (high); the retrieved configuration has " +
        "PL2, score threshold 25 (high). The documentation also says PL2 for all.",
    ]);
    expect(notes.join()).toContain("Differs from the documentation:\n  - Sensitivity medium");
  });

  test("reports where check and status disagree about the state", async () => {
    const result = { compatible: true, migration_state: "validation" };
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ path: "/waf_migration/check", body, times: 9 });
    const { inputs, warnings } = await migration.preview(finish());
    const text =
      'The compatibility check reports migration state "validation", but the status reports "start". This report uses the status; check again before the finish.';
    expect((inputs.report as MigrationReport).differences).toEqual([text]);
    expect(warnings).toContain(text);
    // Two names for a zone that has not started are no disagreement.
    await service.noFaults();
    const renamed = { ...body, result: { ...result, migration_state: "default" } };
    await service.fault({ path: "/waf_migration/check", body: renamed, times: 9 });
    expect((await reportOf()).differences).toEqual([]);
  });

  test("makes thirteen requests, and none for an unchanged program", async () => {
    expect((await migration.preview(finish())).requests).toHaveLength(13);
    const up = await migration.up(finish());
    const last = up.requests.slice(13).map((request) => request.replace(/.*\//, ""));
    expect(last).toEqual(["status", "entrypoint", "entrypoint", "status"]);
    expect((await migration.preview(finish())).requests).toEqual([]);
  });

  test("makes no request and no claim while values are unknown", async () => {
    for (const inputs of [
      finish({ zoneId: UNKNOWN }),
      finish({ mode: UNKNOWN }),
      finish({ adjustments: { drop: UNKNOWN } }),
    ]) {
      const preview = await migration.preview(inputs);
      expect([preview.requests, preview.inputs.configDigest]).toEqual([[], UNKNOWN]);
    }
    // The zone's name from another resource is compared once it is known.
    expect(await migration.preview(finish({ acknowledgeIrreversible: UNKNOWN }))).toMatchObject({ action: "create" });
  });

  test("warns without credentials, and fails where checks are required", async () => {
    const preview = await migration.preview(finish(), { credentials: false });
    expect(preview.warnings.join()).toContain("could not check whether zone");
    await expect(migration.preview(finish(), { credentials: false, previewChecks: "require" })).rejects.toThrow(
      "no credentials",
    );
    expect((await migration.preview(finish(), { previewChecks: "off" })).requests).toEqual([]);
  });

  test("keeps secrets in rules secret in everything derived from them", async () => {
    const expression = secret('http.cookie contains "hush"');
    const rule = { action: "skip", expression, actionParameters: { ruleset: "current" } };
    const { inputs, checked } = await migration.preview(finish({ adjustments: { append: [rule] } }));
    expect(JSON.stringify(inputs.plannedRules)).toContain("hush");
    expect(new Set(secretPathsIn(checked))).toEqual(
      new Set([["adjustments", "append", 0, "expression"], ["plannedRules"], ["report"]]),
    );
  });

  test("refuses a second resource that manages the entry point or the migration", async () => {
    const entrypoint = new ManagedResource("PhaseEntrypoint", service, "urn:entry");
    const second = new ManagedResource("ZoneWafMigration", service, "urn:second");
    entrypoint.session = second.session = migration.session;
    await entrypoint.plan({ zoneId, phase: PHASE, rules: [] }, true);
    await expect(migration.plan(finish(), true)).rejects.toThrow(
      /^http_request_firewall_managed of zone \S+ \([0-9a-f]{32}\) is written by the zone's migration .* urn:entry manages it too\. Finish the migration first.*$/,
    );
    await expect(second.plan(finish(), true)).rejects.toThrow(
      "has two migrations in this program: urn:second and urn:test",
    );
  });

  test("refuses a delete without a request, unless another resource manages the migration now", async () => {
    await migration.up(finish());
    const kept = migration.kept;
    await expect(migration.destroy()).rejects.toThrow(
      /cannot be undone[\s\S]*protect: false and retainOnDelete: true[\s\S]*pulumi state delete 'urn:test' --force/,
    );
    expect(await service.requests()).toEqual([]);
    const session = migration.newSession();
    claim(session, "urn:renamed", [`zones/${zoneId}/waf-migration`]);
    await migration.deleteOther(kept?.id ?? "", kept?.state as object);
    expect(await service.requests()).toEqual([]);
  });
});

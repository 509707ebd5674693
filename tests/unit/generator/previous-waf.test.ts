import {
  generateProgram,
  handOverSteps,
  inventoryOf,
  selectByPhases,
  readForeign,
} from "../../../tools/generator/index.js";
import { terraformState, type Given } from "../../support/states.js";
import { formatted } from "../../support/typescript.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const CORE = "c504870194831cd12c3fc0284f294abb";
const CLOUDFLARE = "1e334934fd7ae32ad705667f8c1057aa";
const DRUPAL = "8df6c9aaddcbdf0eceb047bc50873697";
const MAGENTO = "ea8687e59929c1fd05ba97574ad43f77";
const BAD_ROBOTS = "07d700cf30fda7548be94ff01087d0c4";

const resourcesOf = (given: readonly Given[]) =>
  readForeign(JSON.parse(JSON.stringify(terraformState(...given)))) ?? [];
const programOf = (...given: readonly Given[]) => {
  const { files, ...rest } = generateProgram(inventoryOf(resourcesOf(given)));
  return { ...rest, text: files.map(({ text }) => text).join("\n") };
};
const one = (type: string, name: string, values: object): Given => ({
  type: `cloudflare_${type}`,
  name,
  values: { id: name, zone_id: ZONE, ...values },
});
const rule = (name: string, values: object, expression = `http.host eq "${name}"`): Given[] => [
  one("filter", `${name}-filter`, { expression, paused: false }),
  one("firewall_rule", name, { filter_id: `${name}-filter`, paused: false, priority: null, ...values }),
];
const core = (sensitivity: string, action_mode: string): Given =>
  one("waf_package", "core", { package_id: CORE, sensitivity, action_mode });
const group = (id: string, mode: string, more: object = {}): Given =>
  one("waf_group", `group-${mode}`, { group_id: id, mode, package_id: CLOUDFLARE, ...more });
const wafRule = (id: string, mode: string, more: object = {}): Given =>
  one("waf_rule", `rule-${id}`, { rule_id: id, mode, package_id: CLOUDFLARE, ...more });
const override = (name: string, values: object): Given =>
  one("waf_override", name, { urls: [`${name}.example.com/*`], priority: 1, paused: false, ...values });
const pageRule = (target: string, actions: object, more: object = {}): Given =>
  one("page_rule", target.replace(/\W/g, "_"), { target, actions: [actions], status: "active", priority: 1, ...more });
const zoneSwitch = (waf: string): Given => one("zone_settings_override", "settings", { settings: [{ waf }] });
const named = (...groups: readonly (readonly [id: string, name: string, packageId?: string])[]): Given => ({
  ...one("waf_groups", "all", {
    groups: groups.map(([id, name, packageId = CLOUDFLARE]) => ({ id, name, package_id: packageId })),
  }),
  mode: "data",
});

/** The rules of the managed phase as the program contains them, one per line. */
const managedRules = ({ text }: { readonly text: string }): string[] => {
  const [, list = ""] =
    /phase: "http_request_firewall_managed",\n {2}rules: \[([^]*?)\n? {0,2}\],\n\}\);/.exec(text) ?? [];
  return list
    .replace(/\s+/g, " ")
    .replace(/, (?=[}\])])/g, " ")
    .trim()
    .split(/, (?=\{ (?:description|action)\b|owasp\()/)
    .map((line) => line.replace(/,$/, ""));
};
const PARAMETERS = "actionParameters: { id: managedRulesets.cloudflareManaged }";
const MANAGED = `{ action: "execute", expression: "true", ${PARAMETERS} }`;

describe("the core rule set", () => {
  test.each([
    ["high", "block", 'owasp({ paranoiaLevel: 2, scoreThreshold: "medium", action: "block" })'],
    ["medium", "challenge", 'owasp({ paranoiaLevel: 1, scoreThreshold: "high", action: "challenge" })'],
    ["low", "simulate", 'owasp({ paranoiaLevel: 1, scoreThreshold: "medium", action: "log" })'],
    ["default", "block", 'owasp({ paranoiaLevel: 2, scoreThreshold: "medium", action: "block" })'],
  ])(
    "of sensitivity %s with action %s is executed along with Cloudflare's managed rules",
    (sensitivity, action, expected) => {
      const generated = programOf(core(sensitivity, action));
      expect(managedRules(generated)).toEqual([MANAGED, expected]);
      expect(generated.leftOut).toEqual([]);
    },
  );

  test("that is off is not executed", () => {
    const generated = programOf(core("off", "block"));
    expect(managedRules(generated)).toEqual([MANAGED]);
    expect(generated.leftOut).toEqual([]);
  });

  test("is also read from a data source", () => {
    const packages = [
      { id: CLOUDFLARE, detection_mode: "traditional", sensitivity: "", action_mode: "" },
      { id: CORE, detection_mode: "anomaly", sensitivity: "low", action_mode: "block" },
    ];
    const generated = programOf({ ...one("waf_packages", "all", { packages }), mode: "data" }, group(DRUPAL, "on"));
    expect(managedRules(generated)[1]).toBe('owasp({ paranoiaLevel: 1, scoreThreshold: "medium", action: "block" })');
  });

  test.each([
    ["is not given", group(DRUPAL, "on")],
    ["is not documented", core("extreme", "block")],
  ])("with a sensitivity that %s is listed", (_, given) => {
    const generated = programOf(given);
    expect(managedRules(generated)).toEqual([MANAGED]);
    expect(generated.leftOut).toMatchObject([{ reason: expect.stringContaining("sensitivity") as string }]);
  });

  test("loses the settings of its groups and rules, which are listed where they differ from the default", () => {
    const generated = programOf(
      core("high", "block"),
      { ...group(BAD_ROBOTS, "off", { package_id: "" }), name: "robots" },
      { ...group("some", "on", { package_id: CORE }), name: "fine" },
      wafRule("960015", "off", { package_id: CORE }),
      wafRule("981176", "off", { package_id: "" }),
      wafRule("960017", "on", { package_id: CORE }),
    );
    expect(managedRules(generated)).toHaveLength(2);
    expect(generated.leftOut.map(({ what }) => what)).toEqual([
      "cloudflare_waf_group.robots",
      "cloudflare_waf_rule.rule-960015",
      "cloudflare_waf_rule.rule-981176",
    ]);
    for (const { reason } of generated.leftOut)
      expect(reason).toContain("does not carry over overrides of the core rule set");
  });
});

describe("Cloudflare's managed rules", () => {
  const off = core("off", "block");

  test.each([
    ["a group disabled by a public ID", [group(DRUPAL, "off")], "drupal"],
    ["a group disabled by a data source", [group("g1", "off"), named(["g1", "Cloudflare WordPress"])], "wordpress"],
  ])("%s becomes a disabled tag", (_, given, category) => {
    const generated = programOf(off, ...given);
    expect(managedRules(generated)).toEqual([
      `{ action: "execute", expression: "true", actionParameters: { id: managedRulesets.cloudflareManaged, overrides: { categories: [{ category: "${category}", enabled: false }] } } }`,
    ]);
    expect(generated.leftOut).toEqual([]);
  });

  test("groups and rules with Cloudflare's defaults produce nothing", () => {
    const generated = programOf(off, group(DRUPAL, "on"), wafRule("100015", "default"), wafRule("100016", "on"));
    expect([managedRules(generated), generated.leftOut]).toEqual([[MANAGED], []]);
  });

  test.each([
    [
      "a group without a tag",
      [group("g1", "off"), named(["g1", "Cloudflare Specials"])],
      "no tag for Cloudflare Specials",
    ],
    ["a group without a known name", [group("g1", "off")], "cloudflare_waf_groups"],
    ["a rule that is off", [wafRule("100015", "disable")], '{ id: "<its id>", enabled: false }'],
    ["a rule that only logs", [wafRule("100015", "simulate")], '{ id: "<its id>", action: "log" }'],
    ["a rule that blocks", [wafRule("100015", "block")], '{ id: "<its id>", action: "block" }'],
    ["a rule that challenges", [wafRule("100015", "challenge")], '{ id: "<its id>", action: "challenge" }'],
  ])("%s is listed with what to write", (_, given, reason) => {
    const generated = programOf(off, ...given);
    expect(managedRules(generated)).toEqual([MANAGED]);
    expect(generated.leftOut).toMatchObject([{ reason: expect.stringContaining(reason) as string }]);
  });

  test("a rule is named by its data source", () => {
    const rules = [{ id: "100015", description: "Anomaly:Header", package_id: CLOUDFLARE }];
    const generated = programOf(off, wafRule("100015", "block"), {
      ...one("waf_rules", "all", { rules }),
      mode: "data",
    });
    expect(generated.leftOut[0]?.reason).toContain('rule 100015, "Anomaly:Header",');
  });
});

describe("URI-based overrides", () => {
  const off = core("off", "block");
  test.each<[string, Given[], object]>([
    ["another action", [], { rewrite_action: { default: "block", challenge: "block" } }],
    ["an action for some modes", [], { rewrite_action: { block: "simulate" } }],
    ["less than everything off", [], { rewrite_action: { default: "disable", block: "simulate" } }],
    ["a group off", [], { groups: { [DRUPAL]: "disable" } }],
    ["a group on that is off elsewhere", [group(MAGENTO, "off")], { groups: { [MAGENTO]: "default" } }],
    ["a rule off", [], { rules: { "100015": "disable" } }],
  ])("one with %s is named, because a zone executes a managed ruleset once", (_, given, settings) => {
    const generated = programOf(off, ...given, override("shop", settings));
    expect(managedRules(generated).filter((line) => line.includes("full_uri"))).toEqual([]);
    expect(managedRules(generated)).toHaveLength(1);
    expect(generated.leftOut).toMatchObject([
      {
        what: "cloudflare_waf_override.shop",
        reason: expect.stringContaining("executes a managed ruleset once") as string,
      },
    ]);
  });

  test("one that disables everything skips the managed rules", () => {
    const generated = programOf(
      off,
      override("shop", {
        urls: ["shop.example.com/a", "https://shop.example.com/b*"],
        rewrite_action: { default: "disable" },
        rules: { "100015": "block" },
        paused: true,
      }),
    );
    expect(managedRules(generated)).toEqual([
      '{ description: "URI-based override for shop.example.com/a", action: "skip", expression: \'(http.request.full_uri wildcard ' +
        '"http*://shop.example.com/a") or (http.request.full_uri wildcard "https://shop.example.com/b*")\', enabled: false, actionParameters: { ruleset: "current" } }',
      MANAGED,
    ]);
  });

  test("the stronger one comes first", () => {
    const rewrite_action = { default: "disable" };
    const text = programOf(
      override("weak", { rewrite_action, priority: 9 }),
      override("strong", { rewrite_action, priority: 2 }),
    ).text;
    expect(text.indexOf("strong.example.com")).toBeLessThan(text.indexOf("weak.example.com"));
  });

  test("one whose URLs are not known is named", () => {
    const generated = programOf(off, override("nowhere", { urls: [] }));
    expect(generated.leftOut).toMatchObject([
      { what: "cloudflare_waf_override.nowhere", reason: "the state does not contain its URLs" },
    ]);
  });

  test("unusual URLs are written as valid expressions", async () => {
    const odd = ['a.example.com/"x"\\y/**/日本', "b.example.com", "\ud800.example.com/*"];
    const generated = programOf(override("odd", { urls: odd, rewrite_action: { default: "disable" } }));
    expect(generated.leftOut.filter(({ reason }) => reason.includes("refuses"))).toEqual([]);
    expect(generated.text).toContain("http*://b.example.com/");
    expect(await formatted(generated.text)).toBe(generated.text);
  });
});

describe("page rules that switch the WAF", () => {
  const off = core("off", "block");
  const at = (url: string) => `http.request.full_uri wildcard "${url}"`;
  const skip = (url: string, expression = at(`http*://${url}`), more = "") =>
    `{ description: "Page rule ${url}", action: "skip", expression: '${expression}', ${more}actionParameters: { ruleset: "current" } }`;

  test.each([[{ disable_security: true }], [{ waf: "off" }]])("%j become skip rules", (actions) => {
    const generated = programOf(off, pageRule("shop.example.com/*", actions));
    expect([managedRules(generated), generated.leftOut]).toEqual([[skip("shop.example.com/*"), MANAGED], []]);
  });

  test("exclude the URLs of a stronger one that enables it", () => {
    const generated = programOf(
      off,
      pageRule("*example.com/pay*", { waf: "on" }, { priority: 3 }),
      pageRule("other.example.net/*", { waf: "on" }, { priority: 4 }),
      pageRule("shop.example.com/*", { waf: "off" }, { priority: 2 }),
      pageRule("shop.example.com/x*", { waf: "on" }, { priority: 1 }),
    );
    expect(managedRules(generated)).toEqual([
      skip("shop.example.com/*", `${at("http*://shop.example.com/*")} and not ${at("http*://*example.com/pay*")}`),
      MANAGED,
    ]);
  });

  test("in a zone whose WAF is off limit where the managed rules run", () => {
    const generated = programOf(off, zoneSwitch("off"), pageRule("shop.example.com/*", { waf: "on" }));
    expect(managedRules(generated)).toEqual([
      `{ action: "execute", expression: '${at("http*://shop.example.com/*")}', ${PARAMETERS} }`,
    ]);
    expect(managedRules(programOf(off, zoneSwitch("off")))).toEqual([
      `{ action: "execute", expression: "true", enabled: false, ${PARAMETERS} }`,
    ]);
    expect(managedRules(programOf(off, one("zone_setting", "waf", { setting_id: "waf", value: "off" })))[0]).toContain(
      "enabled: false",
    );
    expect(managedRules(programOf(off, zoneSwitch("on")))).toEqual([MANAGED]);
  });

  test("stay disabled when they are disabled, and other page rules are ignored", () => {
    const generated = programOf(
      off,
      pageRule("a.example.com/*", { waf: "off" }, { status: "disabled" }),
      pageRule("b.example.com/*", { waf: "on" }, { status: "disabled" }),
      pageRule("c.example.com/*", { cache_level: "bypass" }),
      pageRule("", { waf: "off" }),
    );
    expect(managedRules(generated)[0]).toBe(skip("a.example.com/*", undefined, "enabled: false, "));
    expect(generated.leftOut.map(({ reason }) => reason)).toEqual([
      "it is disabled, and would only turn the managed rules on",
      "the state does not contain its URL",
    ]);
  });

  test("without any other part of the previous WAF become exceptions only", () => {
    expect(managedRules(programOf(pageRule("a.example.com/*", { waf: "off" })))).toEqual([skip("a.example.com/*")]);
  });
});

describe("firewall rules", () => {
  test("are included when one of their phases is requested, and only the rules of that phase", () => {
    const given = resourcesOf([
      core("high", "block"),
      wafRule("1", "block"),
      ...rule("a", { action: "bypass" }),
      ...rule("b", { action: "block" }),
    ]);
    const inventory = (phase: string) => inventoryOf(selectByPhases(given, [phase]), [phase]);
    const phasesIn = (phase: string) =>
      inventory(phase).scopes.flatMap(({ rulesets }) => rulesets.map((one) => one.phase));
    expect(phasesIn("http_request_firewall_managed")).toEqual(["http_request_firewall_managed"]);
    expect(phasesIn("http_request_firewall_custom")).toEqual(["http_request_firewall_custom"]);
    expect(inventory("http_request_firewall_custom").leftOut).toEqual([]);
    expect(phasesIn("http_ratelimit")).toEqual([]);
  });

  test("go to the phase where they do the same, in the order in which they ran", () => {
    const { text, leftOut } = programOf(
      core("high", "block"),
      ...rule("second", { action: "block", priority: 2 }),
      ...rule("first", { action: "managed_challenge", priority: 1, description: "First" }),
      ...rule("waf", { action: "bypass", products: ["waf"] }),
      ...rule("limits", { action: "bypass", products: ["rateLimit"], paused: true }),
      ...rule("friends", { action: "allow" }),
      ...rule("both", { action: "bypass", products: ["waf", "bic"] }),
      one("firewall_rule", "lost", { filter_id: "elsewhere", action: "block" }),
      one("filter", "unused", { expression: "ssl" }),
    );
    const order = ["first", "second", "both", "limits", "friends"].map((name) =>
      text.indexOf(`http.host eq "${name}"`),
    );
    expect([...order].sort((a, b) => a - b)).toEqual(order);
    expect(order).not.toContain(-1);
    expect(text.replace(/\s+/g, " ")).toContain('enabled: false, actionParameters: { products: ["rateLimit"] }');
    expect(text).toContain('{ phases: ["http_request_firewall_managed"], products: ["bic"] }');
    expect(text.indexOf('http.host eq "waf"')).toBeGreaterThan(text.indexOf("http_request_firewall_managed"));
    expect(text.indexOf('http.host eq "waf"')).toBeLessThan(text.indexOf("managedRulesets.cloudflareManaged"));
    expect(leftOut.map(({ what }) => what)).toEqual(["cloudflare_firewall_rule.lost", "cloudflare_filter.unused"]);
  });

  test("one that a preview would refuse does not exclude others, and its secrets are not quoted", () => {
    const { text, leftOut } = programOf(
      ...rule("good", { action: "block" }),
      ...rule(
        "bad",
        { action: "block", description: "Bad" },
        'http.request.headers["x-api-key"][0] eq "hush-hush" and',
      ),
      ...rule("odd", { action: "block", description: "Odd" }, "nonsense eq"),
    );
    expect(text).toContain('http.host eq "good"');
    expect(leftOut.map(({ what }) => what)).toEqual(["cloudflare_firewall_rule.bad", "cloudflare_firewall_rule.odd"]);
    expect(JSON.stringify([text, leftOut])).not.toContain("hush-hush");
  });

  test("whose expression is a secret in the state have a secret in the program", () => {
    const given = rule("a", { action: "block" });
    const [filter] = given;
    if (filter !== undefined) given[0] = { ...filter, sensitive: [[[{ type: "get_attr", value: "expression" }]], {}] };
    const generated = programOf(...given);
    expect(generated.secrets).toHaveLength(1);
    expect(generated.text).not.toContain("http.host");
  });
});

describe("the resources of the old tool", () => {
  const stepsOf = (...given: readonly Given[]): string => {
    const resources = resourcesOf(given);
    return handOverSteps(resources, generateProgram(inventoryOf(resources))).join("\n");
  };

  test("of the previous WAF are removed before the zone is migrated, whatever the program contains", () => {
    const steps = stepsOf(core("high", "block"), group("g", "off"), wafRule("100015", "block"), override("shop", {}));
    expect(steps).toContain("before the zone is migrated");
    for (const address of ["waf_package.core", "waf_group.group-off", "waf_rule.rule-100015", "waf_override.shop"])
      expect(steps).toContain(`  terraform state rm cloudflare_${address}\n`);
    expect(steps).not.toContain("data.");
  });

  test("are kept for firewall rules and their filters until the new rules exist", () => {
    const steps = stepsOf(...rule("a", { action: "block" }));
    expect(steps).toContain("  - cloudflare_firewall_rule.a\n  - cloudflare_filter.a-filter");
    expect(steps).not.toContain("state rm cloudflare_firewall_rule");
    // What the program leaves out stays in the old tool's state.
    expect(
      stepsOf(...rule("a", { action: "block" }), ...rule("odd", { action: "block" }, "nonsense eq")),
    ).not.toContain("odd");
  });

  test("are kept for page rules, which lose these settings with the migration", () => {
    const switching = pageRule("a.example.com/*", { waf: "off" });
    expect(stepsOf(switching, pageRule("b.example.com/*", { cache_level: "bypass" }))).toBe(
      [
        "These page rules stay with the old tool. Once the zone is migrated, remove `waf` and `disable_security` from them:",
        `  - cloudflare_page_rule.${switching.name}`,
      ].join("\n"),
    );
  });
});

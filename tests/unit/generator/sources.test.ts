import { generateProgram, handOverSteps, inventoryOf, readForeign } from "../../../tools/generator/index.js";
import { convertRule } from "../../../tools/generator/sources/ruleset.js";
import { ruleToWire } from "../../../core/model/codec.js";
import type { JsonObject } from "../../../core/model/json.js";
import { wrapSecret } from "../../../core/model/secret.js";
import { contentOf } from "../../../core/rules/content.js";
import { isSameMeaning } from "../../../core/rules/rule.js";
import { everyAction } from "../../support/every-action.js";
import { terraformState, type Given } from "../../support/states.js";
import { formatted } from "../../support/typescript.js";

const ZONE = "0123456789abcdef0123456789abcdef";
const ID = "fedcba9876543210fedcba9876543210";
const ruleset = (rules: readonly object[], rest: object = {}) => ({
  id: ID,
  zone_id: ZONE,
  kind: "zone",
  name: "default",
  phase: "http_request_firewall_custom",
  rules,
  ...rest,
});
const state = terraformState;
const shown = (...given: readonly Given[]) => ({
  format_version: "1.0",
  values: {
    root_module: {
      resources: given
        .filter(({ module }) => module === undefined)
        .map(({ type, name, values, mode = "managed", sensitive }) => ({
          address: `${type}.${name}`,
          mode,
          type,
          name,
          values,
          sensitive_values: sensitive?.[1] ?? {},
        })),
      child_modules: given
        .filter(({ module }) => module !== undefined)
        .map(({ type, name, values, module = "" }) => ({
          address: module,
          resources: [
            { address: `${module}.${type}.${name}`, mode: "managed", type, name, values, sensitive_values: {} },
          ],
        })),
    },
  },
});
const stack = (...resources: readonly { type: string; name: string; outputs: object; delete?: boolean }[]) => ({
  version: 3,
  deployment: {
    resources: resources.map(({ type, name, outputs, ...rest }) => ({
      urn: `urn:pulumi:prod::infra::${type}::${name}`,
      type,
      id: ID,
      inputs: {},
      outputs,
      ...rest,
    })),
  },
});
const resourcesOf = (document: object) => readForeign(JSON.parse(JSON.stringify(document))) ?? [];
const programOf = (...documents: readonly object[]) => {
  const { files, ...rest } = generateProgram(inventoryOf(documents.flatMap(resourcesOf)));
  return { ...rest, text: files.map(({ text }) => text).join("\n") };
};
const stepsOf = (document: object): string => {
  const resources = resourcesOf(document);
  return handOverSteps(resources, generateProgram(inventoryOf(resources))).join("\n");
};
const block = { action: "block", description: "Admin", expression: 'http.host eq "a"', enabled: true };

/** In a state every argument that a rule does not set is null. */
function withNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withNulls);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withNulls(item)] as const);
  return { ...Object.fromEntries(entries), never_given: null, description: (value as JsonObject).description ?? null };
}

const samples = everyAction.flatMap(({ phase, rules }) => rules.map((rule) => [rule.action, phase, rule] as const));

describe("a rule of the Cloudflare provider's ruleset resource", () => {
  test.each(samples)("%s of %s, with the attributes of version 5", (_action, phase, rule) => {
    // A map of headers or rules accepts any key, so nulls cannot be added to it.
    const wire = ruleToWire(rule);
    const given = /transform|managed/.test(phase) ? wire : (withNulls(wire) as JsonObject);
    expect(isSameMeaning(convertRule(given), rule)).toBe(true);
  });

  test.each(samples)("%s of %s, as the Pulumi package has it", (_action, _phase, rule) => {
    expect(isSameMeaning(convertRule(JSON.parse(JSON.stringify(rule)) as JsonObject), rule)).toBe(true);
  });

  test.each<[string, string, JsonObject, object]>([
    [
      "overrides with a status",
      "execute",
      {
        description: "",
        enabled: true,
        ref: "",
        ratelimit: [],
        logging: [],
        action_parameters: [
          {
            id: "efb7b8c949ac4650a09736fc376e9aee",
            version: "latest",
            increment: null,
            matched_data: [],
            overrides: [
              {
                action: "log",
                status: "",
                enabled: null,
                categories: [{ category: "xss", action: "block", status: "enabled", enabled: null }],
                rules: [
                  { id: "5de7edfa648c4d6891dc3e7f84534ffa", action: "", status: "disabled", score_threshold: null },
                ],
              },
            ],
          },
        ],
      },
      {
        actionParameters: {
          id: "efb7b8c949ac4650a09736fc376e9aee",
          overrides: {
            action: "log",
            categories: [{ category: "xss", action: "block", enabled: true }],
            rules: [{ id: "5de7edfa648c4d6891dc3e7f84534ffa", enabled: false }],
          },
        },
      },
    ],
    [
      "headers as blocks",
      "rewrite",
      {
        action_parameters: [
          {
            headers: [
              { name: "X-A", operation: "set", value: "1", expression: "" },
              { name: "X-B", operation: "remove", value: "", expression: "" },
            ],
            uri: [
              { path: [{ value: "/new", expression: "" }], query: [{ value: "", expression: null }], origin: null },
            ],
          },
        ],
      },
      {
        actionParameters: {
          headers: { "X-A": { operation: "set", value: "1" }, "X-B": { operation: "remove" } },
          uri: { path: { value: "/new" }, query: { value: "" } },
        },
      },
    ],
    [
      "rules to skip as a string",
      "skip",
      {
        action_parameters: [
          {
            rules: {
              efb7b8c949ac4650a09736fc376e9aee: "5de7edfa648c4d6891dc3e7f84534ffa, 6179ae15870a4bb7b2d480d4843b323c",
            },
            phases: [],
            products: null,
          },
        ],
        logging: [{ enabled: false, status: "" }],
      },
      {
        actionParameters: {
          rules: {
            efb7b8c949ac4650a09736fc376e9aee: ["5de7edfa648c4d6891dc3e7f84534ffa", "6179ae15870a4bb7b2d480d4843b323c"],
          },
        },
        logging: { enabled: false },
      },
    ],
    [
      "a rate limit and a response",
      "block",
      {
        action_parameters: [{ response: [{ status_code: 429, content: "{}", content_type: "application/json" }] }],
        ratelimit: [
          {
            characteristics: ["ip.src", "cf.colo.id"],
            period: 60,
            requests_per_period: 10,
            mitigation_timeout: 0,
            score_per_period: 0,
            counting_expression: "",
            requests_to_origin: false,
            score_response_header_name: "",
          },
        ],
      },
      {
        actionParameters: { response: { statusCode: 429, content: "{}", contentType: "application/json" } },
        ratelimit: { characteristics: ["cf.colo.id", "ip.src"], period: 60, requestsPerPeriod: 10 },
      },
    ],
    [
      "cache settings and fields to log",
      "set_cache_settings",
      {
        action_parameters: [
          {
            cache: true,
            cookie_fields: ["a", "b"],
            edge_ttl: [
              {
                mode: "override_origin",
                default: 60,
                status_code_ttl: [{ status_code: 404, value: 1, status_code_range: [] }],
              },
            ],
            cache_key: [
              {
                custom_key: [
                  {
                    query_string: [{ include: ["*"], exclude: [] }],
                    user: [{ geo: true }],
                    header: [{ include: ["x-a"], check_presence: [] }],
                  },
                ],
              },
            ],
          },
        ],
      },
      {
        actionParameters: {
          cache: true,
          cookieFields: [{ name: "a" }, { name: "b" }],
          edgeTtl: { mode: "override_origin", default: 60, statusCodeTtls: [{ statusCode: 404, value: 1 }] },
          cacheKey: {
            customKey: { queryString: { include: { all: true } }, user: { geo: true }, header: { includes: ["x-a"] } },
          },
        },
      },
    ],
  ])("with the blocks of version 4: %s", (_what, action, given, expected) => {
    const rule = { action, expression: "ssl" };
    expect(contentOf(convertRule({ ...rule, ...given }))).toEqual({ ...rule, ...expected });
  });
});

describe("a state", () => {
  const waf: Given = { type: "cloudflare_ruleset", name: "waf", values: ruleset([block]) };
  const zone: Given = {
    type: "cloudflare_zone",
    name: "shop",
    mode: "data",
    values: { id: ZONE, name: "shop.example.com" },
  };

  test("of Terraform gives the same result from a file and from `terraform show`, with the names of zones", () => {
    const { text, leftOut } = programOf(state(waf, zone));
    expect(leftOut).toEqual([]);
    expect(text).toContain('new PhaseEntrypoint("shop-example-com-firewall-custom", {');
    expect(programOf(shown(waf, zone)).text).toBe(text);
    expect(programOf(state(waf, zone), shown(waf)).text).toBe(text);
    expect(programOf(state(waf)).text).toContain('new PhaseEntrypoint("zone-01234567-firewall-custom", {');
  });

  test("with fields that this package does not know has them in `wire` and names them, whatever the tool", () => {
    const newer = { action: "block", expression: "ssl", actionParameters: { newThing: { aB: 1 } } };
    const railgun = {
      action: "set_config",
      expression: "ssl",
      action_parameters: [{ disable_railgun: true, bic: true }],
    };
    const limit = { period: 60, characteristics: ["cf.colo.id"], mitigation_expression: "ssl" };
    const inside = { ...block, action_parameters: [{ response: [{ status_code: 418, content: "no", newer: "x" }] }] };
    const documents = [
      stack({ type: "cloudflare:index/ruleset:Ruleset", name: "waf", outputs: { ...ruleset([newer]), zoneId: ZONE } }),
      state({ ...waf, values: ruleset([railgun], { phase: "http_config_settings" }) }),
      state({ ...waf, values: ruleset([{ ...block, ratelimit: [limit] }]) }),
      state({ ...waf, values: ruleset([inside]) }),
    ];
    const found = documents.map((document) => programOf(document));
    expect(found.map(({ leftOut }) => leftOut)).toEqual([[], [], [], []]);
    const expected: readonly (readonly [string, string])[] = [
      ["actionParameters.new_thing", "wire: { new_thing: { aB: 1 } }"],
      ["actionParameters.disable_railgun", "wire: { disable_railgun: true }"],
      ["ratelimit.mitigation_expression", 'mitigation_expression: "ssl"'],
      ["actionParameters.response.newer", 'newer: "x"'],
    ];
    for (const [index, [field, code]] of expected.entries()) {
      expect(found[index]?.unchecked[0]?.reason).toMatch(`rules[0].${field}: this version does not know the field`);
      expect(found[index]?.text).toContain(code);
      expect(found[index]?.text).toContain(`because this version does not know it: rules[0].${field}.`);
    }
    const unset = { ...railgun, action_parameters: [{ disable_railgun: false, bic: true, version: "" }] };
    expect(programOf(state({ ...waf, values: ruleset([unset], { phase: "http_config_settings" }) })).leftOut).toEqual(
      [],
    );
  });

  test("with modules and instances is removed from Terraform by address", () => {
    const text = stepsOf(
      state(
        waf,
        { ...waf, name: "limits", index: "a b", module: 'module.edge["x"]' },
        { ...waf, name: "limits", index: 0 },
      ),
    );
    expect(text).toContain("  terraform state rm cloudflare_ruleset.waf\n");
    expect(text).toContain(`  terraform state rm 'module.edge["x"].cloudflare_ruleset.limits["a b"]'\n`);
    expect(text).toContain(
      "  removed {\n    from = cloudflare_ruleset.limits\n\n    lifecycle {\n      destroy = false\n    }\n  }",
    );
    expect(text).toContain("    from = module.edge.cloudflare_ruleset.limits\n");
    expect(stepsOf(shown({ ...waf, module: "module.edge" }))).toContain("module.edge.cloudflare_ruleset.waf");
  });

  test("leaves in Terraform what the program leaves out", () => {
    const other = { ...waf, name: "limits", values: ruleset([block], { id: ZONE, kind: "schema" }) };
    const off = { type: "cloudflare_total_tls", name: "tls", values: { zone_id: ZONE, enabled: false } };
    expect(programOf(state(waf, other, off)).leftOut).toHaveLength(2);
    expect(stepsOf(state(waf, other, off))).toContain("state rm cloudflare_ruleset.waf");
    expect(stepsOf(state(waf, other, off))).not.toMatch(/limits|total_tls/);
  });

  test("with certificates: authorities are declared, and hostnames stay with the old tool", () => {
    const hostname = (name: string, ssl: unknown): Given => ({
      type: "cloudflare_custom_hostname",
      name,
      values: { id: name, zone_id: ZONE, hostname: `${name}.test`, ssl },
    });
    const given = state(
      zone,
      hostname("four", [{ certificate_authority: "google" }]),
      hostname("five", { certificate_authority: "lets_encrypt" }),
      hostname("untold", [{ certificate_authority: "" }]),
      hostname("without", null),
      hostname("empty", []),
      {
        type: "cloudflare_total_tls",
        name: "tls",
        values: { zone_id: ZONE, enabled: true, certificate_authority: "google" },
      },
    );
    const { text, leftOut } = programOf(given);
    expect(text).toContain('"five.test": "lets_encrypt",\n  "four.test": "google",');
    expect(text).toContain("new TotalTlsCa(");
    expect(leftOut).toEqual([
      {
        where: "shop.example.com",
        what: "cloudflare_custom_hostname.untold",
        reason: "the state does not contain its certificate authority",
      },
      ...["without", "empty"].map((name) => ({
        where: "shop.example.com",
        what: `cloudflare_custom_hostname.${name}`,
        reason: "it has no certificate in the state",
      })),
    ]);
    const steps = stepsOf(given);
    expect(steps).toContain("ignore_changes = [ssl]");
    expect(steps).not.toContain("state rm cloudflare_custom_hostname");
  });

  test("of version 5 of @pulumi/cloudflare has the certificate of a hostname in a list", () => {
    const type = "cloudflare:index/customHostname:CustomHostname";
    const hostname = (name: string, ssl: object) =>
      stack({ type, name, outputs: { zoneId: ZONE, hostname: `${name}.test`, ssls: [ssl] } });
    expect(programOf(hostname("a", { certificateAuthority: "google" })).text).toContain(
      'certificateAuthority: "google"',
    );
    const own = hostname("b", { customCertificate: "-----BEGIN CERTIFICATE-----", certificateAuthority: "" });
    expect(programOf(own).leftOut.map(({ reason }) => reason)).toEqual([
      "its certificate was uploaded, so there is no authority to choose",
    ]);
  });

  test("of Pulumi keeps names and gives each ruleset an alias", async () => {
    const given = stack(
      {
        type: "cloudflare:index/ruleset:Ruleset",
        name: "waf",
        outputs: { zoneId: ZONE, kind: "zone", name: "default", phase: "http_request_firewall_custom", rules: [block] },
      },
      { type: "cloudflare:index/ruleset:Ruleset", name: "gone", outputs: {}, delete: true },
      { type: "cloudflare:index/zone:Zone", name: "zone", outputs: { zoneId: ZONE, name: "shop.example.com" } },
    );
    const { text } = programOf(given);
    expect(text).toContain('new Ruleset(\n  "waf",\n  {\n    zoneId,\n    kind: "zone",\n    name: "default",');
    expect(text).toContain('  { aliases: [{ type: "cloudflare:index/ruleset:Ruleset" }] },\n);');
    expect(await formatted(text)).toBe(text);
    expect(stepsOf(given)).toContain(
      "pulumi state delete urn:pulumi:prod::infra::cloudflare:index/ruleset:Ruleset::waf --yes",
    );
  });

  test("shows none of its sensitive values", () => {
    const rules = [
      block,
      { action: "block", expression: 'http.host eq "hush-hush"' },
      { action: "log", expression: "hush-hush" },
    ];
    const path = (index: number) => [
      { type: "get_attr", value: "rules" },
      { type: "index", value: { value: index, type: "number" } },
      { type: "get_attr", value: "expression" },
    ];
    const sensitive = [[path(1), path(2)], { rules: [{}, { expression: true }, { expression: true }] }] as const;
    const masked = rules.map((rule, index) =>
      index === 0 ? rule : { ...rule, expression: wrapSecret(rule.expression) },
    );
    const pulumi = stack({
      type: "cloudflare:index/ruleset:Ruleset",
      name: "waf",
      outputs: { ...ruleset(masked), zoneId: ZONE },
    });
    for (const document of [
      state({ ...waf, values: ruleset(rules), sensitive }),
      shown({ ...waf, values: ruleset(rules), sensitive }),
      pulumi,
    ]) {
      const generated = programOf(document);
      expect(JSON.stringify(generated)).not.toContain("hush-hush");
      expect(generated.secrets.map(({ key }) => key)).toEqual(["secretExpression", "secretExpressionZone01234567"]);
      expect(generated.text).toContain("expression: secretExpressionZone01234567 }");
    }
    const whole = programOf(state({ ...waf, values: ruleset(rules), sensitive: [[path(1).slice(0, 1)], {}] }));
    expect(JSON.stringify(whole)).not.toContain("hush-hush");
    expect(whole.leftOut).toMatchObject([{ reason: "all its rules are marked as sensitive in the state" }]);
  });

  test.each(["zoneId", "phase", "kind", "name", "description"])(
    "with a secret %s leaves the ruleset out, and in the old tool",
    (argument) => {
      const outputs = { ...ruleset([block], { description: "x" }), zoneId: ZONE };
      const document = stack({
        type: "cloudflare:index/ruleset:Ruleset",
        name: "waf",
        outputs: { ...outputs, [argument]: wrapSecret("hush-hush") },
      });
      const { text, leftOut } = programOf(document);
      expect(leftOut.map(({ reason }) => reason)).toEqual([
        `its ${argument === "zoneId" ? "zone_id" : argument} is marked as sensitive in the state`,
      ]);
      expect(text).not.toMatch(/hush-hush|04da6b54|new /);
      expect(stepsOf(document)).not.toContain("waf");
    },
  );

  test("without a zone or an account leaves the resource out, and in the old tool", () => {
    const document = state({ ...waf, values: { ...ruleset([block]), zone_id: undefined } });
    expect(programOf(document).leftOut).toEqual([
      {
        where: "an unknown zone or account",
        what: "cloudflare_ruleset.waf",
        reason: "the state contains neither its zone nor its account",
      },
    ]);
    expect(stepsOf(document)).not.toContain("waf");
  });

  test("with a ruleset of unknown type lists it", () => {
    const { leftOut } = programOf(state({ ...waf, values: { id: ID, zone_id: ZONE, rules: [block] } }));
    expect(leftOut).toMatchObject([
      { what: "cloudflare_ruleset.waf", reason: "the state does not contain its kind and its phase" },
    ]);
  });

  test("with unexpected content is read as far as possible", () => {
    const odd = [null, 1, "x", { instances: [null, { attributes: null }, { attributes: { zone_id: 5 } }] }];
    expect(resourcesOf({ version: 4, resources: [...odd, { type: "x", instances: { a: 1 } }] })).toHaveLength(1);
    const values = {
      zone_id: ZONE,
      rules: [null, 1],
      actions: [null],
      urls: "x",
      groups: [1],
      sensitivity: 5,
      settings: null,
    };
    const types = [
      "ruleset",
      "waf_package",
      "waf_group",
      "waf_rule",
      "waf_override",
      "page_rule",
      "firewall_rule",
      "filter",
    ];
    const given = types.map((type) => ({ type: `cloudflare_${type}`, name: type, values }));
    const generated = programOf(state(...given, { type: "cloudflare_zone_settings_override", name: "s", values }));
    for (const { what, reason } of generated.leftOut) expect([what, reason]).not.toContain("");
  });

  test("of any other tool is not recognised", () => {
    for (const document of [{}, [], "x", { version: 3, modules: [] }]) expect(readForeign(document)).toBeUndefined();
  });
});

import * as pulumi from "@pulumi/pulumi";
import { managedRulesets, PhaseEntrypoint, RulesetRule, type Action, type Rule } from "../../../provider/index.js";
import { checkRules, findingText } from "../../../provider/validation/index.js";
import { ACTION_NAMES } from "../../../provider/validation/tables.js";

/* The compiler checks these types: `npm run types` fails if an expected error is missing. */

const expression = "true";
const response = { statusCode: 403, contentType: "text/plain", content: "no" };
const id = managedRulesets.free;
const place = { zoneId: "z", phase: "http_request_firewall_custom" } as const;
const limit = { characteristics: ["cf.colo.id"], period: 60, requestsPerPeriod: 10 };

/** By phase, rules as a program writes them. */
const written: Readonly<Record<string, readonly Rule[]>> = {
  http_request_firewall_custom: [
    { action: "block", expression, actionParameters: { response } },
    { action: "challenge", expression, enabled: false },
    { action: "js_challenge", expression },
    { action: "managed_challenge", expression, description: "D" },
    { action: "log", expression, ref: "r" },
    { action: "skip", expression, actionParameters: { ruleset: "current" }, logging: { enabled: false } },
    { action: "skip", expression, actionParameters: { phases: ["http_ratelimit"], products: ["waf"] } },
  ],
  http_request_firewall_managed: [
    { action: "execute", expression, actionParameters: { id, overrides: { action: "log" } } },
  ],
  http_ratelimit: [{ action: "block", expression, ratelimit: limit, actionParameters: { response } }],
  http_request_dynamic_redirect: [
    { action: "redirect", expression, actionParameters: { fromValue: { targetUrl: { value: "https://a.example" } } } },
  ],
  http_request_transform: [{ action: "rewrite", expression, actionParameters: { uri: { path: { value: "/" } } } }],
  http_request_origin: [{ action: "route", expression, actionParameters: { origin: { port: 8080 } } }],
  http_custom_errors: [
    { action: "serve_error", expression, actionParameters: { contentType: "text/html", content: "<p>" } },
  ],
  http_response_compression: [
    { action: "compress_response", expression, actionParameters: { algorithms: [{ name: "zstd" }] } },
  ],
  http_log_custom_fields: [
    { action: "log_custom_field", expression, actionParameters: { cookieFields: [{ name: "c" }] } },
  ],
  http_config_settings: [{ action: "set_config", expression, actionParameters: { ssl: "strict" } }],
  http_request_cache_settings: [
    {
      action: "set_cache_settings",
      expression,
      actionParameters: { cache: true, edgeTtl: { mode: "override_origin", default: 60 } },
    },
  ],
  http_response_cache_settings: [
    { action: "set_cache_control", expression, actionParameters: { maxAge: { operation: "set", value: 60 } } },
    { action: "set_cache_tags", expression, actionParameters: { operation: "add", values: ["t"] } },
  ],
};

/** Rules whose phases are not those of every zone, and actions that only overrides use. */
const others: readonly Rule[] = [
  { action: "score", expression, actionParameters: { increment: -1 } },
  { action: "transform_response_html", expression, actionParameters: { linkMaze: {} } },
  { action: "ddos_dynamic", expression },
  { action: "force_connection_close", expression },
];

test.each(Object.entries(written))("in %s, a rule that the compiler accepts passes the preview", (phase, rules) => {
  expect(checkRules([...rules], { phase, kind: "zone" }).map(findingText)).toEqual([]);
});

test("every action has a type", () => {
  const actions = new Set<unknown>([...Object.values(written).flat(), ...others].map(({ action }) => action));
  expect(ACTION_NAMES.filter((action) => !actions.has(action))).toEqual([]);
});

declare const later: pulumi.Output<string>;
declare const known: Action;

/** Where values are known only when the program runs. */
export const ACCEPTED = (): Rule[] => [
  { action: later, expression: later, actionParameters: { products: [later] } },
  { action: "block", expression: Promise.resolve("ssl"), actionParameters: pulumi.output({ response }) },
  { action: "skip", expression, actionParameters: { rulesets: later.apply((one) => [one]), wire: { newer: true } } },
  { action: known === "log" ? "log" : "block", expression, enabled: later.apply((text) => text === "yes") },
];

const declared = (rule: Rule): Rule => rule;

export const REFUSED = (): Rule[] => [
  // @ts-expect-error an expression is required
  declared({ action: "block" }),
  // @ts-expect-error a response must be complete
  declared({ action: "block", expression, actionParameters: { response: { statusCode: 403 } } }),
  // @ts-expect-error parameters of another action
  declared({ action: "log", expression, actionParameters: { response } }),
  // @ts-expect-error one parameter of another action among its own
  declared({ action: "skip", expression, actionParameters: { ruleset: "current", increment: 1 } }),
  // @ts-expect-error parameters are required
  declared({ action: "skip", expression }),
  // @ts-expect-error a ruleset is required
  declared({ action: "execute", expression, actionParameters: { overrides: { enabled: false } } }),
  // @ts-expect-error a number is required
  declared({ action: "score", expression, actionParameters: {} }),
  // @ts-expect-error a value of another type
  declared({ action: "route", expression, actionParameters: { origin: { port: "8080" } } }),
  // @ts-expect-error a misspelled action
  declared({ action: "blok", expression }),
  // @ts-expect-error a parameter of a rule beside it
  declared({ action: "block", expression, response }),
];

export const REFUSED_IN_RESOURCES = [
  (): unknown =>
    // @ts-expect-error parameters of another action in a list
    new PhaseEntrypoint("a", { ...place, rules: [{ action: "log", expression, actionParameters: { response } }] }),
  (): unknown =>
    // @ts-expect-error parameters of another action in a rule of its own
    new RulesetRule("a", { ...place, action: "log", expression, actionParameters: { response } }),
];

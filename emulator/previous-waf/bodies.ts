import { bodyCheck, boolean, nonEmpty, listOf, object, oneOf, string } from "../body.js";
import type { Schema } from "../schemas.js";

/** Schemas for the bodies of the previous APIs, as in the public API description. */

const onOff = oneOf("on", "off");
const modes = ["challenge", "block", "simulate", "disable", "default"];
const CODES = [["", 1000]] as const;

export const checkPackage = bodyCheck(
  object({ sensitivity: oneOf("high", "medium", "low", "off"), action_mode: oneOf("simulate", "block", "challenge") }),
  CODES,
);
export const checkGroup = bodyCheck(object({ mode: onOff }), CODES);
export const checkRule = bodyCheck(object({ mode: string }), CODES);
export const checkSetting = bodyCheck(object({ value: onOff }, ["value"]), CODES);

const override = {
  urls: listOf(nonEmpty, { minItems: 1 }),
  rules: { type: "object", additionalProperties: oneOf(...modes) },
  groups: { type: "object", additionalProperties: oneOf(...modes) },
  rewrite_action: object(Object.fromEntries(modes.map((mode) => [mode, oneOf(...modes)]))),
  priority: { type: "number", minimum: -1_000_000_000, maximum: 1_000_000_000 },
  paused: boolean,
  description: { anyOf: [string, { type: "null" }] },
};
export const checkNewOverride = bodyCheck(object(override, ["urls"]), CODES);
export const checkOverride = bodyCheck(
  object({ ...override, id: { ...nonEmpty, maxLength: 32 } }, ["id", "urls", "rules", "rewrite_action"]),
  CODES,
);

const id = { type: "string", minLength: 32, maxLength: 32 };
const ref = { type: "string", maxLength: 50 };
const description = { type: "string", maxLength: 500 };
const filter = object({ id, expression: string, paused: boolean, description, ref }, [], {
  additionalProperties: false,
});
export const checkFilter = bodyCheck({ ...filter, required: ["expression"] }, [["", 10_016]]);

const ACTIONS = ["block", "challenge", "js_challenge", "managed_challenge", "allow", "log", "bypass"];
const PRODUCTS = ["zoneLockdown", "uaBlock", "bic", "hot", "securityLevel", "rateLimit", "waf"];
const firewallRule = {
  id: { type: "string", maxLength: 32 },
  /** The service accepts a name, or the object that its description shows. */
  action: {
    anyOf: [
      oneOf(...ACTIONS),
      object(
        {
          mode: oneOf("simulate", "ban", "challenge", "js_challenge", "managed_challenge"),
          timeout: { type: "number", minimum: 1, maximum: 86_400 },
          response: object({
            content_type: { type: "string", maxLength: 50 },
            body: { type: "string", maxLength: 10_240 },
          }),
        },
        ["mode"],
      ),
    ],
  },
  filter,
  products: listOf(oneOf(...PRODUCTS)),
  paused: boolean,
  priority: { anyOf: [{ type: "number", minimum: 0, maximum: 2_147_483_647 }, { type: "null" }] },
  ref,
  description,
};
export const checkNewFirewallRule = bodyCheck(object(firewallRule, ["action", "filter"]), [["", 10_014]]);
export const checkFirewallRule = bodyCheck(object(firewallRule), [["", 10_014]]);

const text = (maxLength: number): Schema => ({ type: "string", minLength: 1, maxLength });
const names = listOf(nonEmpty, { minItems: 1, maxItems: 50 });
const cacheKey = object({
  cookie: object({ check_presence: names, include: names }),
  header: object({ check_presence: names, include: names, exclude: names }),
  host: object({ resolved: boolean }),
  query_string: object({
    include: { anyOf: [oneOf("*"), names] },
    exclude: { anyOf: [oneOf("*"), names] },
  }),
  user: object({ device_type: boolean, geo: boolean, lang: boolean }),
});
const NO_VALUE = ["always_use_https", "disable_apps", "disable_performance", "disable_security", "disable_zaraz"];
const SWITCHES = [
  "automatic_https_rewrites",
  "browser_check",
  "cache_by_device_type",
  "cache_deception_armor",
  "email_obfuscation",
  "explicit_cache_control",
  "ip_geolocation",
  "mirage",
  "opportunistic_encryption",
  "origin_error_page_pass_thru",
  "respect_strong_etag",
  "response_buffering",
  "rocket_loader",
  "sort_query_string_for_cache",
  "true_client_ip_header",
  "waf",
];
/** The value of each action of page rules. */
const VALUES: Readonly<Record<string, Schema>> = {
  ...Object.fromEntries(SWITCHES.map((id) => [id, onOff])),
  browser_cache_ttl: { type: "integer", minimum: 0, maximum: 31_536_000 },
  bypass_cache_on_cookie: text(150),
  cache_key_fields: cacheKey,
  cache_level: oneOf("bypass", "basic", "simplified", "aggressive", "cache_everything"),
  cache_on_cookie: text(150),
  cache_ttl_by_status: {
    type: "object",
    additionalProperties: { anyOf: [oneOf("no-cache", "no-store"), { type: "integer" }] },
  },
  edge_cache_ttl: { type: "integer", minimum: 1, maximum: 31_536_000 },
  forwarding_url: object({ status_code: oneOf(301, 302), url: { type: "string", maxLength: 1500 } }),
  host_header_override: nonEmpty,
  polish: oneOf("off", "lossless", "lossy"),
  resolve_override: string,
  security_level: oneOf("off", "essentially_off", "low", "medium", "high", "under_attack"),
  ssl: oneOf("off", "flexible", "full", "strict", "origin_pull"),
};
const pageRule = {
  targets: listOf(
    object(
      {
        target: oneOf("url"),
        constraint: object(
          { operator: oneOf("matches", "contains", "equals", "not_equal", "not_contain"), value: nonEmpty },
          ["operator", "value"],
        ),
      },
      ["target", "constraint"],
    ),
    { minItems: 1 },
  ),
  actions: listOf(
    object({ id: oneOf(...NO_VALUE, ...Object.keys(VALUES)) }, ["id"], {
      allOf: Object.entries(VALUES).map(([id, value]) => ({
        if: { properties: { id: { const: id } } },
        then: { properties: { value } },
      })),
    }),
    { minItems: 1 },
  ),
  priority: { type: "integer" },
  status: oneOf("active", "disabled"),
};
export const checkWholePageRule = bodyCheck(object(pageRule, ["targets", "actions"]), [["", 1004]]);
export const checkPageRule = bodyCheck(object(pageRule), [["", 1004]]);

/** How a finish progresses. */
export const progressionSchema: Schema = {
  anyOf: [
    { const: "at-once" },
    object({ reads: { type: "integer", minimum: 0 } }, ["reads"], { additionalProperties: false }),
    object({ seconds: { type: "number", minimum: 0 } }, ["seconds"], { additionalProperties: false }),
    object({ never: { const: true } }, ["never"], { additionalProperties: false }),
  ],
};

/** What tests control about a zone's migration. */
export const checkControls = bodyCheck(
  object(
    {
      state: nonEmpty,
      finishingState: string,
      setting: onOff,
      managedOverrides: { type: "object" },
      progression: progressionSchema,
    },
    [],
    { additionalProperties: false },
  ),
  [],
);

import type { Body } from "../../call.js";
import { refuse, invalidValue, type ServiceError } from "../../failure.js";
import { ownValue } from "../../lookup.js";
import { accountFault } from "./account.js";
import { actionFault } from "./action.js";
import { cacheFault } from "./cache.js";
import type { Check, RuleContext } from "./check.js";
import { executeFault } from "./execute.js";
import { otherTextsFault, textFault } from "./expression.js";
import { fieldFault } from "./fields.js";
import { headersFault } from "./headers.js";
import { listFault } from "./lists.js";
import { parametersFault } from "./parameters.js";
import { ratelimitFault } from "./ratelimit.js";
import { schemaFault } from "./schema.js";
import { skipFault } from "./skip.js";

const MAX_BYTES = 4096;

/** Descriptions have a limit, in bytes. */
const descriptionFault: Check = ({ description }, _context, at) => {
  if (typeof description !== "string" || Buffer.byteLength(description) <= MAX_BYTES) return undefined;
  const reason = `it exceeds the maximum length of ${String(MAX_BYTES)} bytes`;
  return invalidValue(`${description.slice(0, 40)}…`, "description", reason, { pointer: `${at}/description` });
};

const CUSTOM = "http_request_firewall_custom";

const TYPES: readonly unknown[] = ["application/json", "text/html", "text/plain", "text/xml"];

/**
 * A page that is too large, or of another type: https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/,
 * https://developers.cloudflare.com/waf/custom-rules/create-dashboard/ and
 * https://developers.cloudflare.com/rules/custom-errors/create-rules/
 */
const responseFault: Check = ({ action, action_parameters }, { phase }, at) => {
  const parameters = (action_parameters ?? {}) as Body;
  const pointer = `${at}/action_parameters`;
  if (action === "serve_error" && parameters.content !== undefined && parameters.asset_name !== undefined)
    return refuse(400, undefined, "content and asset_name are mutually exclusive", pointer);
  if (action === "serve_error") return sizeFault(parameters.content, 10, `${pointer}/content`);
  if (action !== "block") return undefined;
  const most = phase === CUSTOM ? 2 : 30;
  const { content, content_type: type = "text/html" } = (parameters.response ?? {}) as Body;
  if (!TYPES.includes(type))
    return invalidValue(type, "content_type", "must be equal to one of the allowed values", {
      pointer: `${pointer}/response/content_type`,
    });
  return sizeFault(content, most, `${pointer}/response/content`);
};

function sizeFault(content: unknown, maxKb: number, pointer: string): ServiceError | undefined {
  if (typeof content !== "string" || Buffer.byteLength(content) <= maxKb * 1024) return undefined;
  return invalidValue(`${content.slice(0, 60)}…`, "content", `it is longer than ${String(maxKb)} KB`, { pointer });
}

/** Actions and parameters that the plan of the zone does not include. The texts about parameters are guesses. */
const entitlementFault: Check = ({ action, action_parameters }, { plan }, at) => {
  if (plan === undefined || plan === "enterprise") return undefined;
  if (action === "log") {
    const text = "not entitled: the use of the log action is not allowed, an Enterprise plan is required";
    return refuse(400, undefined, text, `${at}/action`);
  }
  const inside = (path: string): unknown =>
    path.split("/").reduce<unknown>((value, step) => (value as Body | undefined)?.[step], action_parameters);
  for (const [name, needs] of Object.entries(ownValue(NEEDS, String(action)) ?? {})) {
    const value = inside(name);
    const least = value === undefined ? undefined : needs(value);
    if (least === undefined || (least === "pro" && plan !== "free")) continue;
    const text = `not entitled: the use of ${name} is not allowed, ${least === "pro" ? "a Pro" : "an Enterprise"} plan is required`;
    return refuse(400, undefined, text, `${at}/action_parameters/${name}`);
  }
  return undefined;
};

/** The smallest plan that includes a value of a parameter; undefined if all do. */
type Least = (value: unknown) => "pro" | "enterprise" | undefined;
const always: Least = () => "enterprise";
const isNamed: Least = (value) =>
  (Array.isArray(value) ? value.join() !== "*" : (value as Body).list !== undefined) ? "enterprise" : undefined;

/** By action, the paths of parameters. */
const NEEDS: Readonly<Record<string, Readonly<Record<string, Least>>>> = {
  // https://developers.cloudflare.com/waf/custom-rules/create-dashboard/#configure-a-custom-response-for-blocked-requests
  block: { response: () => "pro" },
  // https://developers.cloudflare.com/rules/origin-rules/#availability
  route: { host_header: always, "origin/host": always, sni: always },
  // https://developers.cloudflare.com/cache/how-to/cache-rules/settings/ and …/cache/how-to/cache-keys/#availability
  set_cache_settings: {
    additional_cacheable_ports: always,
    "cache_key/custom_key/cookie": always,
    "cache_key/custom_key/header": always,
    "cache_key/custom_key/host": always,
    "cache_key/custom_key/query_string/exclude": isNamed,
    "cache_key/custom_key/query_string/include": isNamed,
    "cache_key/custom_key/user": always,
    origin_cache_control: (value) => (value === false ? "enterprise" : undefined),
    read_timeout: always,
  },
  // https://developers.cloudflare.com/images/polish/ and …/ssl/origin-configuration/ssl-modes/ssl-only-origin-pull/
  set_config: {
    polish: (value) => (value === "off" ? undefined : "pro"),
    ssl: (value) => (value === "origin_pull" ? "enterprise" : undefined),
  },
};

/** In the order in which the service reports errors. */
const CHECKS: readonly Check[] = [
  fieldFault,
  descriptionFault,
  actionFault,
  listFault,
  textFault,
  schemaFault,
  headersFault,
  responseFault,
  parametersFault,
  otherTextsFault,
  entitlementFault,
  ratelimitFault,
  cacheFault,
  skipFault,
  executeFault,
  accountFault,
];

/** Rejects a rule as the service would. */
export function checkRule(rule: unknown, context: RuleContext, at: string): asserts rule is Body {
  if (typeof rule !== "object" || rule === null || Array.isArray(rule))
    throw refuse(400, undefined, "invalid JSON: a rule must be an object", at);
  for (const check of CHECKS) {
    const fault = check(rule as Body, context, at);
    if (fault !== undefined) throw fault;
  }
}

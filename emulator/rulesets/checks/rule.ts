import type { Body } from "../../call.js";
import { refuse, invalidValue, type ServiceError } from "../../failure.js";
import { accountFault } from "./account.js";
import { actionFault } from "./action.js";
import type { Check, RuleContext } from "./check.js";
import { executeFault } from "./execute.js";
import { otherTextsFault, textFault } from "./expression.js";
import { fieldFault } from "./fields.js";
import { headersFault } from "./headers.js";
import { listFault } from "./lists.js";
import { ratelimitFault } from "./ratelimit.js";
import { schemaFault } from "./schema.js";
import { skipFault } from "./skip.js";

const RESPONSE_PHASE = "http_response_cache_settings";

/** Response and request settings belong to different phases. */
const cacheFault: Check = ({ action, action_parameters: parameters }, { phase }, at) => {
  if (action !== "set_cache_settings") return undefined;
  const stray = Object.keys(parameters as Body).find(
    (name) => name.startsWith("strip_") !== (phase === RESPONSE_PHASE),
  );
  if (stray === undefined) return undefined;
  const text = `it is not possible to use ${stray} in a ruleset with phase ${phase}`;
  return refuse(400, undefined, text, `${at}/action_parameters/${stray}`);
};

const MAX_BYTES = 4096;

/** Descriptions have a limit, in bytes. */
const descriptionFault: Check = ({ description }, _context, at) => {
  if (typeof description !== "string" || Buffer.byteLength(description) <= MAX_BYTES) return undefined;
  const reason = `it exceeds the maximum length of ${String(MAX_BYTES)} bytes`;
  return invalidValue(`${description.slice(0, 40)}…`, "description", reason, { pointer: `${at}/description` });
};

const LOGGING_PHASES = new Set(["http_request_firewall_custom", "http_ratelimit"]);

/** Actions that the plan of the zone does not include. */
const entitlementFault: Check = ({ action }, { plan, phase }, at) => {
  if (action !== "log" || plan === undefined || plan === "enterprise" || !LOGGING_PHASES.has(phase)) return undefined;
  const text = "not entitled: the use of the log action is not allowed, an Enterprise plan is required";
  return refuse(400, undefined, text, `${at}/action`);
};

/**
 * A page that is too large: https://developers.cloudflare.com/waf/rate-limiting-rules/parameters/ and
 * https://developers.cloudflare.com/rules/custom-errors/create-rules/
 */
const responseFault: Check = ({ action, action_parameters }, _context, at) => {
  const parameters = (action_parameters ?? {}) as Body;
  const pointer = `${at}/action_parameters`;
  if (action === "serve_error") return sizeFault(parameters.content, 10, `${pointer}/content`);
  if (action !== "block") return undefined;
  return sizeFault((parameters.response as Body | undefined)?.content, 30, `${pointer}/response/content`);
};

function sizeFault(content: unknown, maxKb: number, pointer: string): ServiceError | undefined {
  if (typeof content !== "string" || Buffer.byteLength(content) <= maxKb * 1024) return undefined;
  return invalidValue(`${content.slice(0, 60)}…`, "content", `it is longer than ${String(maxKb)} KB`, { pointer });
}

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

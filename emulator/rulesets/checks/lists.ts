import type { Body } from "../../call.js";
import { invalidValue, type ServiceError } from "../../failure.js";
import { withoutStrings } from "../without-strings.js";
import type { Kind } from "../../lists/model.js";
import type { Check, RuleContext } from "./check.js";

/**
 * The phase whose rules use redirect lists: https://developers.cloudflare.com/rules/url-forwarding/bulk-redirects/how-it-works/
 */
const REDIRECTS = "http_request_redirect";

/**
 * The phase whose expressions cannot use lists of addresses:
 * https://developers.cloudflare.com/rules/transform/response-header-modification/#important-remarks
 */
const RESPONSE_HEADERS = "http_response_headers_transform";

/** The lists that an expression uses, without `$`. */
export function listsIn(expression: unknown): string[] {
  return [...withoutStrings(expression).matchAll(/\$([a-z0-9_.]+)/g)].map(([, name = ""]) => name);
}

/** Lists that do not exist in the account or cannot be used in the expression. Cloudflare's own begin with `cf.`. */
export const listFault: Check = ({ action, action_parameters, expression, ratelimit }, { listKind, phase }, at) => {
  const counting = (ratelimit as Body | undefined)?.counting_expression;
  const texts = [
    ["expression", expression, `${at}/expression`],
    ["counting_expression", counting, `${at}/ratelimit/counting_expression`],
  ] as const;
  for (const [field, text, pointer] of texts) {
    for (const name of listsIn(text ?? "")) {
      const reason = faultOf(name, name.startsWith("cf.") ? "ip" : listKind(name), phase);
      if (reason === undefined) continue;
      return invalidValue(text, field, reason, { code: 20127, pointer });
    }
  }
  return action === "redirect" ? redirectsFault(action_parameters, { listKind, phase }, at) : undefined;
};

function faultOf(name: string, kind: Kind | undefined, phase: string): string | undefined {
  if (kind === undefined) return `there is no list $${name} in the account`;
  if (kind === "redirect" && phase !== REDIRECTS) return `the list $${name} is of redirects`;
  return kind === "ip" && phase === RESPONSE_HEADERS
    ? `lists of IP addresses such as $${name} cannot be used in the phase ${phase}`
    : undefined;
}

/** A redirect by list needs a redirect list, and its phase. */
function redirectsFault(
  parameters: unknown,
  { listKind, phase }: Pick<RuleContext, "listKind" | "phase">,
  at: string,
): ServiceError | undefined {
  const { name } = ((parameters as Body | undefined)?.from_list ?? {}) as Body;
  if (typeof name !== "string") return undefined;
  const isThere = listKind(name) === "redirect";
  if (isThere && phase === REDIRECTS) return undefined;
  const reason = isThere
    ? `the list ${name} is of redirects, which only the phase ${REDIRECTS} uses`
    : `there is no list of redirects ${name} in the account`;
  return invalidValue(name, "name", reason, { pointer: `${at}/action_parameters/from_list/name` });
}

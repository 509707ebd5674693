import type { Body } from "../../call.js";
import { invalidValue, type ServiceError } from "../../failure.js";
import { withoutStrings } from "../without-strings.js";
import type { Check, RuleContext } from "./check.js";

/** The phase whose expressions use redirect lists. */
const REDIRECTS = "http_request_redirect";

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
      if (name.startsWith("cf.")) continue;
      const kind = listKind(name);
      if (kind !== undefined && (kind !== "redirect" || phase === REDIRECTS)) continue;
      const reason =
        kind === undefined ? `there is no list $${name} in the account` : `the list $${name} is of redirects`;
      return invalidValue(text, field, reason, { code: 20127, pointer });
    }
  }
  return action === "redirect" ? redirectsFault(action_parameters, listKind, at) : undefined;
};

/** A redirect by list needs a redirect list. */
function redirectsFault(parameters: unknown, listKind: RuleContext["listKind"], at: string): ServiceError | undefined {
  const { name } = ((parameters as Body | undefined)?.from_list ?? {}) as Body;
  if (typeof name !== "string" || listKind(name) === "redirect") return undefined;
  const reason = `there is no list of redirects ${name} in the account`;
  return invalidValue(name, "name", reason, { pointer: `${at}/action_parameters/from_list/name` });
}

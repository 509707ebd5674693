import type { Body } from "../../call.js";
import { invalidValue, refuse, type ServiceError } from "../../failure.js";
import type { Check, RuleContext } from "./check.js";

const DDOS = new Set(["ddos_l4", "ddos_l7"]);
/** Phases of a zone in which each managed ruleset can be executed once. */
const ONCE = new Set(["http_request_firewall_managed", "http_response_firewall_managed"]);

/** Checks the ruleset that a rule executes, and its overrides. */
export const executeFault: Check = ({ action, action_parameters }, { find, phase }, at) => {
  if (action !== "execute") return undefined;
  const { id, overrides } = action_parameters as Body;
  const pointer = `${at}/action_parameters`;
  const target = typeof id === "string" ? find(id) : undefined;
  if (target === undefined || target.kind === "zone" || target.kind === "root")
    return invalidValue(id, "id", `could not find ruleset ${String(id)}`, { pointer: `${pointer}/id` });
  if (target.phase !== phase)
    return invalidValue(id, "id", `the ruleset is of phase ${target.phase}`, { pointer: `${pointer}/id` });
  return overridesFault((overrides ?? {}) as Body, DDOS.has(phase), `${pointer}/overrides`);
};

/** https://developers.cloudflare.com/ddos-protection/managed-rulesets/http/override-parameters/ */
const INTERNAL: readonly unknown[] = ["ddos_dynamic", "force_connection_close"];

/** Only the DDoS phases have sensitivity levels, and nothing there can be disabled; no override has the service's internal actions. */
function overridesFault(overrides: Body, isDdos: boolean, at: string): ServiceError | undefined {
  const parts: [Body, string][] = [
    [overrides, at],
    ...(["categories", "rules"] as const).flatMap((name) =>
      ((overrides[name] ?? []) as readonly Body[]).map((part, index): [Body, string] => [
        part,
        `${at}/${name}/${String(index)}`,
      ]),
    ),
  ];
  const internal = parts.find(([part]) => INTERNAL.includes(part.action));
  if (internal !== undefined)
    return invalidValue(internal[0].action, "action", "it cannot be used in overrides", {
      pointer: `${internal[1]}/action`,
    });
  const field = isDdos ? "enabled" : "sensitivity_level";
  const [, where] = parts.find(([part]) => part[field] !== undefined) ?? [];
  if (where === undefined) return undefined;
  return isDdos
    ? refuse(400, undefined, "DDoS overrides cannot use the enabled field", `${where}/enabled`)
    : refuse(400, undefined, "sensitivity_level is only allowed in the DDoS phases", `${where}/sensitivity_level`);
}

/** Rejects an entry point of a zone that executes one managed ruleset twice. */
export function checkExecutedOnce(rules: readonly Body[], { level, phase, find }: RuleContext): void {
  if (level !== "zones" || !ONCE.has(phase)) return;
  const seen = new Set<unknown>();
  rules.forEach(({ action, action_parameters }, index) => {
    if (action !== "execute") return;
    const { id } = action_parameters as Body;
    if (seen.has(id) && find(String(id))?.kind === "managed")
      throw invalidValue(id, "id", "more than one rule is trying to execute the same managed ruleset", {
        code: 20014,
        pointer: `/rules/${String(index)}/action_parameters/id`,
      });
    seen.add(id);
  });
}

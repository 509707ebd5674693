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
  return DDOS.has(phase) ? undefined : sensitivityFault((overrides ?? {}) as Body, `${pointer}/overrides`);
};

/** Only the DDoS phases have sensitivity levels. */
function sensitivityFault(overrides: Body, at: string): ServiceError | undefined {
  const parts: [Body, string][] = [
    [overrides, at],
    ...(["categories", "rules"] as const).flatMap((name) =>
      ((overrides[name] ?? []) as readonly Body[]).map((part, index): [Body, string] => [
        part,
        `${at}/${name}/${String(index)}`,
      ]),
    ),
  ];
  const found = parts.find(([part]) => part.sensitivity_level !== undefined);
  if (found === undefined) return undefined;
  const text = "sensitivity_level is only allowed in the DDoS phases";
  return refuse(400, undefined, text, `${found[1]}/sensitivity_level`);
}

/** Rejects an entry point of a zone that executes one managed ruleset twice. */
export function checkExecutedOnce(rules: readonly Body[], { level, phase, find }: RuleContext): void {
  if (level !== "zones" || !ONCE.has(phase)) return;
  const seen = new Set<unknown>();
  rules.forEach(({ action, action_parameters }, index) => {
    if (action !== "execute") return;
    const { id } = action_parameters as Body;
    if (seen.has(id) && find(String(id))?.kind === "managed")
      throw invalidValue(id, "id", "the managed ruleset is executed by another rule of the ruleset", {
        code: 20014,
        pointer: `/rules/${String(index)}/action_parameters/id`,
      });
    seen.add(id);
  });
}

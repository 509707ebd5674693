import type { Body } from "../../call.js";
import { invalidValue, refuse } from "../../failure.js";
import type { Check, RuleContext } from "./check.js";

const SKIPPABLE = ["http_ratelimit", "http_request_sbfm", "http_request_firewall_managed"];
const CUSTOM = "http_request_firewall_custom";
/** Parameters that are mutually exclusive. */
const EXCLUSIVE = [
  ["ruleset", "rulesets"],
  ["ruleset", "rules"],
  ["rulesets", "phases"],
  ["phase", "phases"],
  ["phase", "ruleset"],
  ["phase", "rulesets"],
  ["phase", "rules"],
] as const;

/** What a rule may skip. */
export const skipFault: Check = ({ action, action_parameters }, context, at) => {
  if (action !== "skip") return undefined;
  const parameters = action_parameters as Body;
  const pointer = `${at}/action_parameters`;
  const pair = EXCLUSIVE.find(([a, b]) => parameters[a] !== undefined && parameters[b] !== undefined);
  if (pair !== undefined)
    return refuse(
      400,
      undefined,
      `${pair[0]} and ${pair[1]} are mutually exclusive in the skip action`,
      `${pointer}/${pair[1]}`,
    );
  if (parameters.phase !== undefined && (context.level !== "zones" || context.phase !== CUSTOM))
    return refuse(400, undefined, `phase can only be skipped in the phase ${CUSTOM} of a zone`, `${pointer}/phase`);
  const elsewhere = ["rulesets", "rules"].find((name) => parameters[name] !== undefined && context.phase === CUSTOM);
  if (elsewhere !== undefined) {
    const text = `skip action parameter '${elsewhere}' cannot be used in the phase ${CUSTOM}`;
    return refuse(400, 20117, text, `${pointer}/${elsewhere}`);
  }
  const phases = (parameters.phases ?? []) as readonly string[];
  const foreign = phases.findIndex((phase) => !SKIPPABLE.includes(phase));
  if (foreign >= 0)
    return invalidValue(phases[foreign], "phases", `only ${SKIPPABLE.join(", ")} can be skipped`, {
      pointer: `${pointer}/phases/${String(foreign)}`,
    });
  return rulesetsFault(parameters, context, pointer) ?? rulesFault(parameters, context, pointer);
};

function isManaged(id: string, { find }: RuleContext): boolean {
  return find(id)?.kind === "managed";
}

function rulesetsFault({ rulesets = [] }: Body, context: RuleContext, at: string) {
  const ids = rulesets as readonly string[];
  const index = ids.findIndex((id) => !isManaged(id, context));
  if (index < 0) return undefined;
  return invalidValue(ids[index], "rulesets", `could not find ruleset ${String(ids[index])}`, {
    pointer: `${at}/rulesets/${String(index)}`,
  });
}

function rulesFault({ rules = {} }: Body, context: RuleContext, at: string) {
  for (const [rulesetId, list] of Object.entries(rules as Readonly<Record<string, readonly string[]>>)) {
    const pointer = `${at}/rules/${rulesetId}`;
    if (!isManaged(rulesetId, context))
      return invalidValue(rulesetId, "rules", `could not find ruleset ${rulesetId}`, { pointer });
    const index = list.findIndex((id) => context.belongs(rulesetId, id) === "elsewhere");
    if (index >= 0)
      return invalidValue(list[index], "rules", `could not find rule ${String(list[index])} in ruleset ${rulesetId}`, {
        pointer: `${pointer}/${String(index)}`,
      });
  }
  return undefined;
}

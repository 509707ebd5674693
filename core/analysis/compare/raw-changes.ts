import { differingFields } from "../program/raw-fields.js";
import type { Step } from "../program/steps.js";
import type { ChangedSteps } from "./align.js";
import type { RulesVersion } from "./rules-version.js";

/** What would decide what a raw field does. */
export const DECIDES_RAW = "Cloudflare's documentation of the field, which has no typed name in this version";

/**
 * Why a changed step cannot be judged because of its raw fields; undefined if they are the same in the other version. A rule
 * that stops requests, and that is added or removed as a whole, stops them whatever its raw fields do.
 */
export function rawChange(step: Step, changed: ChangedSteps, other: RulesVersion): string | undefined {
  const { raw, ratelimit } = step.rule;
  if (raw === undefined || other.steps.some((one) => one.rule.raw?.key === raw.key && one.phase === step.phase))
    return undefined;
  const hasSameAction = (one: Step): boolean =>
    one.phase === step.phase && one.rule.place.action === step.rule.place.action;
  const counterpart = changed[other.name].find((one) => hasSameAction(one) && mayBeOne(one, step));
  if (counterpart === undefined && step.effect.kind === "stop" && ratelimit === undefined) return undefined;
  const names = differingFields(raw, counterpart?.rule.raw).filter((name) => raw.values.has(name));
  if (names.length === 0) return undefined;
  const fields = names.map((name) => `"${name}"`).join(", ");
  return names.length === 1
    ? `what its field ${fields} does is not known`
    : `what its fields ${fields} do is not known`;
}

/** Whether two steps can be versions of one rule. */
function mayBeOne({ rule: { place: one } }: Step, { rule: { place: other } }: Step): boolean {
  return one.ref === undefined || other.ref === undefined || one.ref === other.ref;
}

import type { Effect } from "./effect.js";
import { lastSegment } from "./read-property.js";
import type { RulesetInput } from "./ruleset-input.js";

const CUSTOM_PHASES: ReadonlySet<string> = new Set(["http_request_firewall_custom", "http_ratelimit"]);

/** The IDs of custom rulesets. */
export function customIdsOf(rulesets: readonly RulesetInput[]): ReadonlySet<string> {
  return new Set(rulesets.flatMap(({ kind, id }) => (kind === "custom" && id !== undefined ? [lastSegment(id)] : [])));
}

/** Why it is not known what such a rule does. */
export const CUSTOM_OVERRIDES = "what overrides do to a custom ruleset is not documented";

/** Whether rules of a phase execute custom rulesets only. */
export function executesCustomOnly(phase: string): boolean {
  return CUSTOM_PHASES.has(phase);
}

/**
 * The effect of a rule, as far as it is known. The service accepts overrides of custom rulesets; its documentation advises against
 * them and does not say what they do: https://developers.cloudflare.com/ruleset-engine/custom-rulesets/.
 */
export function knownEffect(effect: Effect, phase: string, customIds: ReadonlySet<string>): Effect {
  if (effect.kind !== "execute" || !hasAny(effect.overrides)) return effect;
  const isCustom = customIds.has(effect.id) || executesCustomOnly(phase);
  return isCustom ? { kind: "unknown", overridden: effect.id } : effect;
}

function hasAny(overrides: unknown): boolean {
  return typeof overrides === "object" && overrides !== null && Object.keys(overrides).length > 0;
}

import type * as pulumi from "@pulumi/pulumi";
import { managedRulesets, SCORING_RULE } from "../../../core/managed/rulesets.js";
import type { ExecuteRule, RuleFields } from "../resources/generated/inputs.js";

const LEVELS = [1, 2, 3, 4] as const;
const THRESHOLDS = { low: 60, medium: 40, high: 25 } as const;

/** Options of {@link owasp}. */
export interface OwaspOptions extends Pick<RuleFields, "description" | "enabled" | "ref"> {
  /** Paranoia level; higher levels detect more, with more false positives. @default 1 */
  readonly paranoiaLevel?: 1 | 2 | 3 | 4;
  /** Score from which a request counts as an attack: `low` 60, `medium` 40, `high` 25, or a number. @default "medium" */
  readonly scoreThreshold?: keyof typeof THRESHOLDS | number;
  /** Action for attacks. @default "block" */
  readonly action?: "block" | "challenge" | "js_challenge" | "managed_challenge" | "log";
  /** @default "true": every request */
  readonly expression?: pulumi.Input<string>;
}

/**
 * A rule that executes the OWASP core ruleset: it disables the tags above the paranoia level, and sets threshold and action
 * of the scoring rule.
 *
 * @example
 * ```ts
 * rules: [owasp({ paranoiaLevel: 2, scoreThreshold: "high", action: "managed_challenge" })]
 * ```
 */
export function owasp(options: OwaspOptions = {}): ExecuteRule {
  const { expression = "true", paranoiaLevel = 1, scoreThreshold = "medium", action = "block", ...rule } = options;
  const above = LEVELS.filter((level) => level > paranoiaLevel);
  const categories = above.map((level) => ({ category: `paranoia-level-${String(level)}`, enabled: false }));
  const threshold = typeof scoreThreshold === "number" ? scoreThreshold : THRESHOLDS[scoreThreshold];
  return {
    action: "execute",
    expression,
    ...rule,
    actionParameters: {
      id: managedRulesets.owaspCore,
      overrides: {
        ...(categories.length > 0 ? { categories } : {}),
        rules: [{ id: SCORING_RULE, scoreThreshold: threshold, action }],
      },
    },
  };
}

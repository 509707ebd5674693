import type { RulesetRule } from "./generated/inputs.js";

/** The vendor's managed rulesets: the same ids in every account (API facts 4.4). */
export const managedRulesets = {
  /** Known vulnerabilities; phase `http_request_firewall_managed`. */
  cloudflareManaged: "efb7b8c949ac4650a09736fc376e9aee",
  /** OWASP core ruleset, by score; phase `http_request_firewall_managed`. See {@link owasp}. */
  owaspCore: "4814384a9e5d4991b9815dcfc25d2f1f",
  /** Leaked credentials; phase `http_request_firewall_managed`. */
  exposedCredentialsCheck: "c2e184081120413c86c3ab7e14069605",
  /** For every plan; phase `http_request_firewall_managed`. */
  free: "77454fe2d30c4220b5701f6fdfb893ba",
  /** Sensitive data in responses; phase `http_response_firewall_managed`. */
  sensitiveDataDetection: "e22d83c647c64a3eae91b71b499d988e",
  /** HTTP DDoS protection; phase `ddos_l7`. */
  httpDdos: "4d21379b4f9f4bb088e0729962c8b3cf",
  /** Network-layer DDoS protection; phase `ddos_l4`. */
  networkDdos: "3b64149bfa6e4220bbbc2bd6db589552",
  /** URL normalisation; phase `http_request_sanitize`. */
  normalization: "70339d97bdb34195bbf054b1ebe81f76",
} as const;

/** The rule of the core ruleset that compares the score with the threshold. */
const SCORING_RULE = "6179ae15870a4bb7b2d480d4843b323c";
const LEVELS = [1, 2, 3, 4] as const;
const THRESHOLDS = { low: 60, medium: 40, high: 25 } as const;

/** How the OWASP core ruleset shall run. */
export interface OwaspOptions {
  /** Paranoia level; higher ones find more and err more. @default 1 */
  readonly paranoiaLevel?: 1 | 2 | 3 | 4;
  /** Score from which a request counts as an attack: `low` 60, `medium` 40, `high` 25, or a number. @default "medium" */
  readonly scoreThreshold?: keyof typeof THRESHOLDS | number;
  /** What happens to it. @default "block" */
  readonly action?: "block" | "challenge" | "js_challenge" | "managed_challenge" | "log";
  /** @default "true" */
  readonly expression?: string;
  readonly description?: string;
  readonly enabled?: boolean;
  readonly ref?: string;
}

/**
 * The execute rule that runs the OWASP core ruleset: tags above the paranoia level are switched off, and the scoring
 * rule gets threshold and action.
 *
 * @example
 * ```ts
 * rules: [owasp({ paranoiaLevel: 2, scoreThreshold: "high", action: "managed_challenge" })]
 * ```
 */
export function owasp(options: OwaspOptions = {}): RulesetRule {
  const { paranoiaLevel = 1, scoreThreshold = "medium", action = "block", expression = "true", ...rest } = options;
  const above = LEVELS.filter((level) => level > paranoiaLevel);
  const categories = above.map((level) => ({ category: `paranoia-level-${String(level)}`, enabled: false }));
  const threshold = typeof scoreThreshold === "number" ? scoreThreshold : THRESHOLDS[scoreThreshold];
  return {
    action: "execute",
    expression,
    ...rest,
    actionParameters: {
      id: managedRulesets.owaspCore,
      overrides: {
        ...(categories.length > 0 ? { categories } : {}),
        rules: [{ id: SCORING_RULE, scoreThreshold: threshold, action }],
      },
    },
  };
}

import type { WafPackage } from "../../../model/migration.js";

/** How the new core ruleset is set. */
export interface CoreLevel {
  /** The highest level that is not switched off. */
  readonly paranoiaLevel: number;
  readonly scoreThreshold?: number;
  readonly action?: string;
}

type Level = Required<Pick<CoreLevel, "paranoiaLevel" | "scoreThreshold">>;

/**
 * What the vendor documents of the sensitivity of the core rule set. A sentence below its table contradicts it: the
 * migration sets paranoia level 2. So a migration computes nothing from the table; what it retrieves is compared with it.
 * https://developers.cloudflare.com/waf/reference/legacy/old-waf-managed-rules/upgrade/
 */
const SENSITIVITY: Readonly<Record<string, Level>> = {
  high: { paranoiaLevel: 2, scoreThreshold: 40 },
  medium: { paranoiaLevel: 1, scoreThreshold: 25 },
  low: { paranoiaLevel: 1, scoreThreshold: 40 },
  default: { paranoiaLevel: 2, scoreThreshold: 40 },
};

/** Other actions keep their names. */
const ACTIONS: Readonly<Record<string, string>> = { simulate: "log" };

/** Level and threshold for a sensitivity; undefined for `off` and for words that nobody documents. */
export function documentedLevel(sensitivity: string): Level | undefined {
  return Object.hasOwn(SENSITIVITY, sensitivity) ? SENSITIVITY[sensitivity] : undefined;
}

/** What an action of the previous WAF is called now. */
export function documentedAction(action: string): string {
  return Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? action) : action;
}

/** What the core rule set is documented to become; undefined where it is off. */
export function documentedCore({
  sensitivity = "default",
  actionMode,
}: Pick<WafPackage, "sensitivity" | "actionMode">): CoreLevel | undefined {
  const level = documentedLevel(sensitivity === "" ? "default" : sensitivity);
  if (level === undefined || actionMode === undefined || actionMode === "") return level;
  return { ...level, action: documentedAction(actionMode) };
}

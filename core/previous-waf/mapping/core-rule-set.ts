import type { WafPackage } from "../../model/migration.js";

/** The settings of the new core ruleset. */
export interface CoreLevel {
  /** The highest level that is not switched off. */
  readonly paranoiaLevel: number;
  readonly scoreThreshold?: number;
  readonly action?: string;
}

type Level = Required<Pick<CoreLevel, "paranoiaLevel" | "scoreThreshold">>;

/**
 * What Cloudflare documents for the sensitivity of the core rule set. A sentence below its table contradicts it: the
 * migration sets paranoia level 2. So nothing is computed from the table; it is only compared with what is retrieved.
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

/** Level and threshold for a sensitivity; undefined for `off` and for undocumented values. */
export function documentedLevel(sensitivity: string): Level | undefined {
  return Object.hasOwn(SENSITIVITY, sensitivity) ? SENSITIVITY[sensitivity] : undefined;
}

/** The new name of an action of the previous WAF. */
export function documentedAction(action: string): string {
  return Object.hasOwn(ACTIONS, action) ? (ACTIONS[action] ?? action) : action;
}

/** What the core rule set becomes according to the documentation; undefined if it is off. */
export function documentedCore({
  sensitivity = "default",
  actionMode,
}: Pick<WafPackage, "sensitivity" | "actionMode">): CoreLevel | undefined {
  const level = documentedLevel(sensitivity === "" ? "default" : sensitivity);
  if (level === undefined || actionMode === undefined || actionMode === "") return level;
  return { ...level, action: documentedAction(actionMode) };
}

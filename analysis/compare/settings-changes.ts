import { readProperty } from "../../simulator/read-property.js";
import type { Step } from "../program/steps.js";
import type { Change } from "./result.js";

/* A rule can change settings of a zone that stop requests. What they are where no rule sets them is not known here. */

/** What the values of a setting do, from least to most strict. */
const SWITCH: readonly unknown[] = [false, true];
const PROTECTING: Readonly<Record<string, readonly unknown[]>> = {
  bic: SWITCH,
  hotlinkProtection: SWITCH,
  securityLevel: ["off", "essentially_off", "low", "medium", "high", "under_attack"],
};

/** A setting that a rule makes weaker, or stricter, than it may be in the other version. */
export interface SettingLoss {
  readonly setting: string;
  /** Steps of the other version that set it at least as weakly, or as strictly. */
  readonly covering: readonly Step[];
}

/**
 * The settings of a step by which it may have an effect in this direction.
 * @param isGained whether the step is one of the version after the edit
 */
export function settingLosses(
  step: Step,
  others: readonly Step[],
  { direction, isGained }: { readonly direction: Change; readonly isGained: boolean },
): readonly SettingLoss[] {
  const isDown = (direction === "looser") === isGained;
  return Object.entries(PROTECTING).flatMap(([setting, values]): readonly SettingLoss[] => {
    const level = levelIn(step, setting, values);
    const end = isDown ? values.length - 1 : 0;
    if (direction === "other" || level === undefined || level === end) return [];
    const covering = others.filter((one) => {
      const other = levelIn(one, setting, values);
      return one.phase === step.phase && other !== undefined && (isDown ? other <= level : other >= level);
    });
    return [{ setting, covering }];
  });
}

/** Undefined if a step does not set it. A value that is not known here is as weak as possible, and as strict. */
function levelIn({ rule: { effect } }: Step, setting: string, values: readonly unknown[]): number | undefined {
  if (effect.kind !== "settings") return undefined;
  const value = readProperty(effect.settings, setting);
  return value === undefined ? undefined : values.indexOf(value);
}

import { readProperty } from "../../simulator/read-property.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
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
    const own = levelsIn(step, setting, values);
    const isHarmless = own === undefined || (isDown ? own.least === values.length - 1 : own.most === 0);
    if (direction === "other" || isHarmless) return [];
    const covering = others.filter((one) => {
      const other = levelsIn(one, setting, values);
      if (one.phase !== step.phase || other === undefined) return false;
      return isDown ? other.most <= own.least : other.least >= own.most;
    });
    return [{ setting, covering }];
  });
}

/** How weak, and how strict, a value may be. */
interface Levels {
  readonly least: number;
  readonly most: number;
}

/** Undefined if a step does not set it. A value that is not known here may be any of them. */
function levelsIn({ rule: { effect, input } }: Step, setting: string, values: readonly unknown[]): Levels | undefined {
  if (effect.kind !== "settings") return undefined;
  const value = readProperty(effect.settings, setting);
  if (value === undefined && !hidesParameters(input)) return undefined;
  const level = values.indexOf(value);
  return level < 0 ? { least: 0, most: values.length - 1 } : { least: level, most: level };
}

/** Whether a rule's parameters as a whole are what is not known here. */
function hidesParameters({ opaque, expression, actionParameters, action_parameters }: RuleInput): boolean {
  const parameters: unknown = actionParameters ?? action_parameters;
  return opaque !== undefined && expression !== undefined && (typeof parameters !== "object" || isEmpty(parameters));
}

function isEmpty(parameters: object | null): boolean {
  return Object.keys(parameters ?? {}).length === 0;
}

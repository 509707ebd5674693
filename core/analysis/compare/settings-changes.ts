import { readProperty } from "../../simulator/read-property.js";
import type { RuleInput } from "../../simulator/ruleset-input.js";
import { and, FALSE, not, or, type Formula } from "../formula/formula.js";
import { mayDoAnything } from "../program/rule.js";
import type { Step } from "../program/steps.js";
import type { RulesVersion } from "./rules-version.js";

/* A rule can change settings of a zone that stop requests. What they are where no rule sets them is not known here. */

/** What the values of a setting do, from least to most strict. */
const SWITCH: readonly unknown[] = [false, true];
const PROTECTING: Readonly<Record<string, readonly unknown[]>> = {
  bic: SWITCH,
  hotlinkProtection: SWITCH,
  securityLevel: ["off", "essentially_off", "low", "medium", "high", "under_attack"],
};

/** A setting that a rule makes weaker, or stricter, than it may be in the other version. */
interface SettingLoss {
  readonly setting: string;
  /** The requests for which it does. */
  readonly when: readonly Formula[];
}

/** The settings of a step by which it may have an effect in this direction. The last rule that sets a setting decides. */
export function settingLosses(
  step: Step,
  own: RulesVersion,
  other: RulesVersion,
  direction: "looser" | "stricter",
): readonly SettingLoss[] {
  const isDown = (direction === "looser") === (own.name === "after");
  return Object.entries(PROTECTING).flatMap(([setting, values]): readonly SettingLoss[] => {
    const levels = levelsIn(step, setting, values);
    if (levels === undefined || (isDown ? levels.least === values.length - 1 : levels.most === 0)) return [];
    const covers = ({ least, most }: Levels): boolean => (isDown ? most <= levels.least : least >= levels.most);
    const later = own.steps.filter((one) => own.isBefore(step, one) && sets(one, step, setting, values) !== undefined);
    const isCovered = other.steps.reduce<Formula>((covered, one) => {
      const found = sets(one, step, setting, values);
      if (found === undefined) return covered;
      return covers(found) ? or([covered, one.guard]) : and([covered, not(one.guard)]);
    }, FALSE);
    return [{ setting, when: [step.guard, ...later.map(({ guard }) => not(guard)), not(isCovered)] }];
  });
}

/** To what one step sets a setting in the phase of another one. */
function sets(one: Step, { phase }: Step, setting: string, values: readonly unknown[]): Levels | undefined {
  return one.phase === phase ? levelsIn(one, setting, values) : undefined;
}

/** How weak, and how strict, a value may be. */
interface Levels {
  readonly least: number;
  readonly most: number;
}

/** Undefined if a step does not set it. A value that is not known here may be any of them. */
function levelsIn({ rule }: Step, setting: string, values: readonly unknown[]): Levels | undefined {
  const { effect, input } = rule;
  if (mayDoAnything(rule)) return { least: 0, most: values.length - 1 };
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

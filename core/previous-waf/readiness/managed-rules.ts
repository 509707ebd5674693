import { plural } from "../../model/words.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import { managedRulesets } from "../../managed/rulesets.js";
import type { PreviousWaf, WafGroup, WafRule } from "../../model/migration.js";
import { effectOfMode, tagOfGroup, type OverrideEffect } from "../mapping/managed-groups.js";
import type { Outcome } from "./bypasses.js";
import { isChanged, unnamedWords } from "./core-rule-set.js";

/** The rules that a zone gets, and those that the service generated for it. */
interface Generated {
  readonly result: readonly RulesetRule[];
  readonly retrieved: readonly RulesetRule[];
}

/**
 * What happens to Cloudflare's own rules and their settings: looked up in the overrides of the managed ruleset, because
 * nothing documents how the service converts them.
 */
export function managedOutcomes(previous: PreviousWaf, { result, retrieved }: Generated): Outcome[] {
  const executions = executionsIn(result);
  if (executions.length === 0) return executionsIn(retrieved).length === 0 ? [] : [LEFT_OUT];
  const { managedGroups: groups = [], managedRules: rules = [] } = previous;
  const off = groups.filter(({ mode }) => mode === "off");
  const isOff = new Set(off.map(({ id }) => id));
  const changed = rules.filter((rule) => isChanged(rule) && !isOff.has(rule.groupId));
  const groupById = new Map(groups.map((group) => [group.id, group]));
  return [
    { carried: true, text: "Cloudflare's managed rules: the Cloudflare Managed Ruleset is executed." },
    ...off.map((group) => groupOutcome(group, executions)),
    ...changed.map((rule) => ruleOutcome(rule, { executions, changed, group: groupById.get(rule.groupId) })),
    ...groups
      .filter(({ id }) => !isOff.has(id))
      .flatMap((group) => unnamedWords(group, changed))
      .map((text) => ({ carried: false, text: `Cloudflare's managed rules: ${text}` })),
  ];
}

const LEFT_OUT: Outcome = {
  carried: false,
  text: "Cloudflare's managed rules: the retrieved configuration executes the Cloudflare Managed Ruleset, but the program leaves it out.",
};

/** Where the retrieved configuration does not do what the switches of Cloudflare's groups say. */
export function managedDeviations(
  { managedGroups: groups = [] }: PreviousWaf,
  retrieved: readonly RulesetRule[],
  plan: string,
): string[] {
  // Free zones have their own managed ruleset.
  if (groups.length === 0 || plan === "free") return [];
  const isOn = groups.some(({ mode }) => mode === "on");
  if (isOn === executionsIn(retrieved).length > 0) return [];
  return [
    isOn
      ? "Cloudflare's managed rules are on, but the retrieved configuration does not execute the Cloudflare Managed Ruleset."
      : "Every group of Cloudflare's managed rules is off, but the retrieved configuration executes the Cloudflare Managed Ruleset.",
  ];
}

/** A rule that executes the managed ruleset, with its name in the report. */
interface Execution {
  readonly name: string;
  readonly rule: RulesetRule;
}

function executionsIn(rules: readonly RulesetRule[]): Execution[] {
  return rules.flatMap((rule, index) => {
    const executes = rule.action === "execute" && rule.actionParameters?.id === managedRulesets.cloudflareManaged;
    return executes ? [{ name: `rule ${String(index + 1)}`, rule }] : [];
  });
}

/** A group that is off has a counterpart if each execution disables its tag, or everything. */
function groupOutcome({ name }: WafGroup, executions: readonly Execution[]): Outcome {
  const who = `The group ${JSON.stringify(name)} is off`;
  const tag = tagOfGroup(name);
  const effect = effectOfMode("off");
  const found = executions.map(({ name: rule, rule: { actionParameters } }) => {
    const { categories = [], enabled } = actionParameters?.overrides ?? {};
    const last = categories.findLast(({ category }) => category === tag);
    if (last?.enabled === false) return `${rule} disables the tag ${last.category}`;
    return enabled === false && last?.enabled === undefined ? `${rule} disables every rule` : undefined;
  });
  if (found.every((words) => words !== undefined)) return { carried: true, text: `${who}: ${found.join(", ")}.` };
  const lost = `${who}: not carried over, so its rules will run again.`;
  return {
    carried: false,
    text:
      tag === undefined
        ? `${lost} The managed ruleset has no tag for it; look up its rules there, and override those that you do not want.`
        : `${lost} ${keepWords(`categories: [{ category: ${JSON.stringify(tag)}, ${fieldsOf(effect)} }]`)}`,
  };
}

interface RuleContext {
  readonly executions: readonly Execution[];
  /** All changed rules whose group is on. */
  readonly changed: readonly WafRule[];
  readonly group: WafGroup | undefined;
}

/**
 * A changed rule has a counterpart if each execution has an override for it. Rules have new IDs, and no mapping is
 * published: as many overrides with the same effect as there are such rules count as theirs.
 */
function ruleOutcome(rule: WafRule, { executions, changed, group }: RuleContext): Outcome {
  const { id, name, mode, defaultMode } = rule;
  const effect = effectOfMode(mode);
  const instead = defaultMode === undefined ? "" : ` instead of ${defaultMode}`;
  const who = `Rule ${id} (${name}) is set to ${mode}${instead}`;
  const alike = changed.filter((other) => isSame(effectOfMode(other.mode), effect)).length;
  const found = executions.map((execution) => counterpart(execution, effect, { id, alike, group }));
  if (found.every((words) => words !== undefined)) return { carried: true, text: `${who}: ${found.join(", ")}.` };
  return {
    carried: false,
    text:
      `${who}: no counterpart in the overrides of the managed ruleset. It has a new ID there, and Cloudflare publishes no ` +
      `mapping. ${keepWords(`rules: [{ id: "<its new ID>", ${fieldsOf(effect)} }]`)}`,
  };
}

interface Sought {
  readonly id: string;
  /** How many changed rules need an override with this effect. */
  readonly alike: number;
  readonly group: WafGroup | undefined;
}

/** The override of an execution that sets what a rule was set to; undefined if there is none. */
function counterpart({ name, rule }: Execution, effect: OverrideEffect, { id, alike, group }: Sought) {
  const { categories = [], rules = [], ...whole } = rule.actionParameters?.overrides ?? {};
  if (rules.some((override) => override.id === id && isSame(override, effect))) return `${name} overrides it`;
  const tag = group === undefined ? undefined : tagOfGroup(group.name);
  const last = categories.findLast(({ category }) => category === tag);
  if (last !== undefined && isSame(last, effect)) return `${name} sets the tag ${last.category} to the same`;
  if (last === undefined && isSame(whole, effect)) return `${name} sets every rule to the same`;
  const same = rules.filter((override) => isSame(override, effect)).length;
  return same < alike
    ? undefined
    : `${name} sets ${plural(same, "rule")} to the same; compare them, because rules have new IDs`;
}

/** Whether an override has an effect: a rule that is disabled has no action, and one with an action is enabled. */
function isSame({ action, enabled }: OverrideEffect, effect: OverrideEffect): boolean {
  if (effect.enabled === false || enabled === false) return effect.enabled === enabled;
  return effect.action === undefined ? enabled === effect.enabled : action === effect.action;
}

function fieldsOf({ action, enabled }: OverrideEffect): string {
  return action === undefined ? `enabled: ${String(enabled)}` : `action: ${JSON.stringify(action)}`;
}

function keepWords(overrides: string): string {
  return `To keep it, add to \`adjustments.overrides\`:\n{ rulesetId: managedRulesets.cloudflareManaged, ${overrides} },`;
}

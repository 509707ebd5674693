import type { RulesetRule } from "../../model/generated/rule.js";
import type { PreviousWaf, WafGroup, WafPackage, WafRule } from "../../model/migration.js";
import { documentedAction, documentedLevel, type CoreLevel } from "../mapping/core-rule-set.js";
import { coreLevel, coreWords } from "./words.js";

/** The threshold of the new core ruleset if no override sets another. */
const DEFAULT_THRESHOLD = 40;

/** The core rule set among the packages of the previous WAF. */
export function findCore({ packages }: PreviousWaf): WafPackage | undefined {
  return packages?.find(({ detectionMode }) => detectionMode === "anomaly");
}

/** What the core rule set becomes, in one line. */
export function coreOutcome(core: WafPackage, rules: readonly RulesetRule[]): string {
  const level = levelIn(rules);
  const after = level === undefined ? "not executed" : `the core ruleset with ${coreWords(level)}`;
  return `The core rule set with ${settingsWords(core)}: ${after}.`;
}

function levelIn(rules: readonly RulesetRule[]): CoreLevel | undefined {
  return rules.map(coreLevel).find((found) => found !== undefined);
}

function settingsWords({ sensitivity = "default", actionMode }: WafPackage): string {
  return `sensitivity ${sensitivity}${actionMode === undefined ? "" : `, action ${actionMode}`}`;
}

/** Where the retrieved configuration of the core ruleset differs from the documentation. */
export function coreDeviations(core: WafPackage, retrieved: readonly RulesetRule[], plan: string): string[] {
  const { sensitivity = "default", actionMode } = core;
  const level = levelIn(retrieved);
  if (sensitivity === "off") {
    return level === undefined ? [] : [`The core rule set is off, but the retrieved configuration executes it.`];
  }
  // Free zones have their own managed ruleset.
  if (level === undefined) {
    return plan === "free" ? [] : [`The core rule set is on, but the retrieved configuration does not execute it.`];
  }
  return [...levelDeviation(sensitivity, level), ...actionDeviation(actionMode, level)];
}

function levelDeviation(sensitivity: string, level: CoreLevel): string[] {
  const documented = documentedLevel(sensitivity);
  if (documented === undefined) return [];
  const { paranoiaLevel, scoreThreshold = DEFAULT_THRESHOLD } = level;
  if (paranoiaLevel === documented.paranoiaLevel && scoreThreshold === documented.scoreThreshold) return [];
  const sentence =
    paranoiaLevel === 2 && documented.paranoiaLevel !== 2 ? " The documentation also says PL2 for all." : "";
  return [
    `Sensitivity ${sensitivity} of the core rule set is documented to become ${coreWords(documented)}; ` +
      `the retrieved configuration has ${coreWords({ paranoiaLevel, scoreThreshold })}.${sentence}`,
  ];
}

function actionDeviation(actionMode: string | undefined, { action }: CoreLevel): string[] {
  if (actionMode === undefined || action === undefined) return [];
  const documented = documentedAction(actionMode);
  return action === documented
    ? []
    : [
        `Action ${actionMode} of the core rule set is documented to become ${documented}; the retrieved configuration has ${action}.`,
      ];
}

/** Every group and rule of the core rule set that differs from its default: none of this is migrated. */
export function coreOverrides({ coreGroups = [], coreRules = [] }: PreviousWaf): string[] {
  const changed = coreRules.filter(isChanged);
  return [
    ...coreGroups.filter(({ mode }) => mode === "off").map(groupWords),
    ...changed.map(ruleWords),
    ...coreGroups.flatMap((group) => unnamedWords(group, changed)),
  ].map((text) => `Core rule set: ${text}`);
}

/** Rules of the core rule set are on by default; other rules have a default mode. */
export function isChanged({ mode, defaultMode = "on" }: WafRule): boolean {
  return mode !== defaultMode && mode !== "default";
}

function groupWords({ name }: WafGroup): string {
  return `the group ${JSON.stringify(name)} is off; its rules will run again.`;
}

function ruleWords({ id, name, mode, defaultMode }: WafRule): string {
  const who = `rule ${id} (${name})`;
  if (mode === "off") return `${who} is off; it will run again.`;
  return `${who} is set to ${mode} instead of ${defaultMode ?? "its default"}; the core ruleset decides what it does.`;
}

/** Rules that a group counts as changed but that are in no list. */
export function unnamedWords(group: WafGroup, changed: readonly WafRule[]): string[] {
  const named = changed.filter(({ groupId }) => groupId === group.id).length;
  const unnamed = group.modifiedRulesCount - named;
  if (unnamed <= 0) return [];
  const [count, verb] = unnamed === 1 ? ["1 rule", "was"] : [`${String(unnamed)} rules`, "were"];
  return [
    `${count} of ${String(group.rulesCount)} in the group ${JSON.stringify(group.name)} ${verb} changed from the default, ` +
      `and the service does not say ${unnamed === 1 ? "which" : "which or how"}; look in the dashboard.`,
  ];
}

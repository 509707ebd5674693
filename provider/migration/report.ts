import { managedRulesets } from "../model/managed-rulesets.js";
import type { PreviousWaf } from "../model/migration.js";
import { sameContent } from "../diff/content.js";
import type { RulesetRule } from "../model/generated/rule.js";
import type { DeployedRule } from "../model/ruleset.js";
import { typedRules } from "./adjust.js";
import { isDecided, PHASE_WORDS } from "./phase.js";
import { obstaclesOf, zoneWords, type Survey } from "./survey.js";
import { coreLevel, coreWords, plannedWords } from "./words.js";

/** A zone's migration in words that a security engineer reads: each list in order, each entry a line or more. */
export interface MigrationReport {
  readonly zone: string;
  readonly plan: string;
  /** Where the zone stands. */
  readonly standing: string;
  /** What must be done before it can go, and how. */
  readonly obstacles: readonly string[];
  /** The rules that will be written, in order. */
  readonly writes: readonly string[];
  /** What the previous settings become. */
  readonly carriedOver: readonly string[];
  /** What is lost unless it is declared again. */
  readonly notCarriedOver: readonly string[];
  /** Rules of the entry point that the result does not contain. */
  readonly existing: readonly string[];
  /** What is different afterwards. */
  readonly afterwards: readonly string[];
}

/** Rules that stand in the entry point and would be gone after the step. */
export function rulesLost(existing: readonly DeployedRule[], result: readonly RulesetRule[]): DeployedRule[] {
  return existing.filter((rule) => !result.some((wanted) => sameContent(rule, wanted)));
}

/** Everything that is known of a zone, and of the rules it is to get. */
export function makeReport(survey: Survey, result: readonly RulesetRule[], lost: readonly string[]): MigrationReport {
  const { phase, status } = survey;
  const raw = status.migrationState === "" ? "" : ` (the service says ${JSON.stringify(status.migrationState)})`;
  const over = isDecided(phase);
  return {
    zone: `${zoneWords(survey)} (${survey.zoneId})`,
    plan: survey.plan,
    standing: `${PHASE_WORDS[phase]}${raw}`,
    obstacles: obstaclesOf(survey),
    writes: over ? [] : result.map(plannedWords),
    carriedOver: over ? [] : carriedOver(survey),
    notCarriedOver: over ? [] : notCarriedOver(survey.previous),
    existing: lost,
    afterwards: over ? [] : AFTERWARDS,
  };
}

/** What changes with the finish (spec 1.4, 9.4, 9.5). */
const AFTERWARDS = [
  "There is no way back: no call returns the zone to the previous WAF.",
  "The new WAF has no switch for the whole zone; each managed ruleset is deployed by a rule of its own.",
  "Page rules with security disabled or WAF off no longer switch it off; rules with action skip do.",
  "The previous interfaces stop working for the zone: WAF packages, groups, rules, overrides and the zone setting. Tools that use them, and Terraform's WAF resources (provider up to 3.35), fail.",
];

function carriedOver({ previous, config }: Survey): string[] {
  const core = previous.packages?.find(({ detectionMode }) => detectionMode === "anomaly");
  const rules = config === undefined ? [] : typedRules(config);
  const level = rules.map(coreLevel).find((found) => found !== undefined);
  const executes = (id: string): boolean => rules.some(({ actionParameters }) => actionParameters?.id === id);
  return [
    ...(core === undefined ? [] : [coreCarried(core.sensitivity, core.actionMode, level)]),
    ...(executes(managedRulesets.cloudflareManaged)
      ? ["The vendor's own rules: the managed ruleset is executed."]
      : []),
    ...(previous.setting === "off"
      ? ["The zone's switch is off: the rules are written so that they do not run there."]
      : []),
    ...(previous.bypassRules ?? []).map(
      ({ description, id, expression, paused }) =>
        `Firewall rule ${description === "" ? id : JSON.stringify(description)} with bypass${paused ? " (paused)" : ""}: a skip rule when ${expression}.`,
    ),
    ...(previous.pageRules ?? []).map(({ url, does }) => `Page rule ${url} with ${does}: ${pageRuleBecomes(does)}.`),
  ];
}

function coreCarried(
  sensitivity: string | undefined,
  action: string | undefined,
  level: ReturnType<typeof coreLevel>,
): string {
  const before = `sensitivity ${sensitivity ?? "default"}${action === undefined ? "" : `, action ${action}`}`;
  return `The core rule set with ${before}: ${level === undefined ? "not executed" : `the core ruleset with ${coreWords(level)}`}.`;
}

function pageRuleBecomes(does: string): string {
  return does === "WAF on" ? "the managed rules run there" : "a skip rule";
}

function notCarriedOver({ coreGroupsOff, coreRulesOff, ...previous }: PreviousWaf): string[] {
  const unread = [
    ...(previous.packages === undefined ? ["packages"] : []),
    ...(coreGroupsOff === undefined || coreRulesOff === undefined ? ["overrides of groups and rules"] : []),
    ...(previous.bypassRules === undefined ? ["firewall rules"] : []),
    ...(previous.pageRules === undefined ? ["page rules"] : []),
  ];
  return [
    ...(coreGroupsOff ?? []).map(
      ({ name }) => `Core rule set: the group ${JSON.stringify(name)} is off; its rules run again.`,
    ),
    ...(coreRulesOff ?? []).map(({ id, name }) => `Core rule set: rule ${id} (${name}) is off; it runs again.`),
    ...(unread.length === 0 ? [] : [`Not read, so not looked at: ${unread.join(", ")}.`]),
  ];
}

import { Rule } from "../../rules/rule.js";
import type { RulesetRule } from "../../model/generated/rule.js";
import type { DeployedRule } from "../../model/ruleset.js";
import { typedRules } from "../adjust.js";
import { finishChecklist, PREPARATIONS, ROLLOUT, STOPPED_TOOLS } from "./finish-checklist.js";
import { bypassOutcome, type Outcome } from "./bypasses.js";
import { coreOutcome, coreDeviations, findCore, coreOverrides } from "./core-rule-set.js";
import { managedDeviations, managedOutcomes } from "./managed-rules.js";
import { pageRuleOutcome } from "./page-rules.js";
import { isDecided, PHASE_WORDS } from "../phase.js";
import { RuleIndex } from "./rule-index.js";
import { obstaclesOf, stateDisagreement, zoneWords, type Survey } from "../survey.js";
import { plannedWords } from "./words.js";

/** A zone's migration as text for a security engineer: each list in order, each entry one line or more. */
export interface MigrationReport {
  readonly zone: string;
  readonly plan: string;
  /** The phase of the zone before the step. */
  readonly standingBefore: string;
  /** What must be done before it can be migrated, and how. */
  readonly obstacles: readonly string[];
  /** The rules that will be written, in order. */
  readonly writes: readonly string[];
  /** What the previous settings become. */
  readonly carriedOver: readonly string[];
  /** What is lost unless it is declared again. */
  readonly notCarriedOver: readonly string[];
  /** Where the service differs from its documentation. */
  readonly differences?: readonly string[];
  /** Rules of the entry point that the result does not contain. */
  readonly existing: readonly string[];
  /** What to check in this zone before the step that cannot be undone. */
  readonly beforeTheFinish?: readonly string[];
  /** What to do before that step in every zone. */
  readonly preparations?: readonly string[];
  /** What is different afterwards, in every zone. */
  readonly afterwards: readonly string[];
  /** Tools that stop working, by version, and what replaces them; in every zone. */
  readonly tools?: readonly string[];
  /** When the phases of the rollout began. */
  readonly rollout?: readonly string[];
}

/** Rules of the entry point that would be lost with the step. */
export function findDroppedRules(existing: readonly DeployedRule[], result: readonly RulesetRule[]): DeployedRule[] {
  const wanted = new Set(result.map((rule) => Rule.of(rule).text));
  return existing.filter((rule) => !wanted.has(Rule.of(rule).text));
}

/** The report on a zone and the rules that it is to get. */
export function makeReport(survey: Survey, result: readonly RulesetRule[], lost: readonly string[]): MigrationReport {
  const { phase, status } = survey;
  const raw = status.migrationState === "" ? "" : ` (the service says ${JSON.stringify(status.migrationState)})`;
  const head = {
    zone: `${zoneWords(survey)} (${survey.zoneId})`,
    plan: survey.plan,
    standingBefore: `${PHASE_WORDS[phase]}${raw}`,
  };
  if (isDecided(phase)) {
    return { ...head, obstacles: [], writes: [], carriedOver: [], notCarriedOver: [], existing: lost, afterwards: [] };
  }
  const outcomes = outcomesOf(survey, result);
  const notCarriedOver = [
    ...withOutcome(outcomes, false),
    ...coreOverrides(survey.previous),
    ...unreadLine(unreadParts(survey)),
  ];
  const differences = [...deviations(survey), ...stateDisagreement(survey)];
  return {
    ...head,
    obstacles: obstaclesOf(survey),
    writes: result.map(plannedWords),
    carriedOver: [...carriedOver(survey, result), ...withOutcome(outcomes, true)],
    notCarriedOver,
    differences,
    existing: lost,
    beforeTheFinish:
      survey.config === undefined ? [] : finishChecklist(survey, notCarriedOver.length, differences.length),
    preparations: PREPARATIONS,
    afterwards: AFTERWARDS,
    tools: STOPPED_TOOLS,
    rollout: ROLLOUT,
  };
}

/** What changes with the finish. */
const AFTERWARDS = [
  "There is no way back: no API call returns the zone to the previous WAF.",
  "The new WAF has no switch for the whole zone; each managed ruleset is deployed by its own rule.",
  "Page rules with security disabled or WAF off no longer switch it off; skip rules do.",
  "The previous APIs stop working for the zone, and so do the tools that use them.",
];

/** What happens to Cloudflare's own rules, and to what bypasses them: looked up in the configuration, not derived. */
function outcomesOf({ previous, config }: Survey, rules: readonly RulesetRule[]): Outcome[] {
  if (config === undefined) return [];
  const retrieved = typedRules(config);
  const generated = { result: new RuleIndex(rules), retrieved: new RuleIndex(retrieved) };
  const { bypassRules = [], pageRules = [] } = previous;
  return [
    ...managedOutcomes(previous, { result: rules, retrieved }),
    ...bypassRules.map((rule) => bypassOutcome(rule, generated)),
    ...pageRules.map((rule) => pageRuleOutcome(rule, generated, pageRules)),
  ];
}

function withOutcome(outcomes: readonly Outcome[], carried: boolean): string[] {
  return outcomes.filter((outcome) => outcome.carried === carried).map(({ text }) => text);
}

function carriedOver({ previous, config }: Survey, rules: readonly RulesetRule[]): string[] {
  if (config === undefined) return [];
  const core = findCore(previous);
  return [
    ...(core === undefined ? [] : [coreOutcome(core, rules)]),
    ...(previous.setting === "off"
      ? ["The zone's WAF switch is off: the rules are written so that they do not run."]
      : []),
  ];
}

function deviations({ previous, config, plan }: Survey): string[] {
  if (config === undefined) return [];
  const [core, retrieved] = [findCore(previous), typedRules(config)];
  return [
    ...(core === undefined ? [] : coreDeviations(core, retrieved, plan)),
    ...managedDeviations(previous, retrieved, plan),
  ];
}

function unreadLine(parts: readonly string[]): string[] {
  return parts.length === 0 ? [] : [`Not read, so not checked: ${parts.join(", ")}.`];
}

/** What the report on a zone had to leave unchecked, because it could not be read. */
export function unreadParts({ phase, previous }: Survey): readonly string[] {
  if (isDecided(phase)) return [];
  const { packages, coreGroups, coreRules, managedGroups, managedRules, bypassRules, pageRules, setting } = previous;
  const hasCore = packages === undefined || findCore(previous) !== undefined;
  const hasManaged = packages === undefined || packages.some((one) => one !== findCore(previous));
  return [
    ...(packages === undefined ? ["packages"] : []),
    ...(hasCore && (coreGroups === undefined || coreRules === undefined) ? ["overrides of groups and rules"] : []),
    ...(hasManaged && (managedGroups === undefined || managedRules === undefined)
      ? ["groups and rules of Cloudflare's managed rules"]
      : []),
    ...(bypassRules === undefined ? ["firewall rules"] : []),
    ...(pageRules === undefined ? ["page rules"] : []),
    ...(setting === undefined ? ["the zone's WAF switch"] : []),
  ];
}

import { isDecided } from "../../../core/previous-waf/phase.js";
import { Rule } from "../../../core/rules/rule.js";
import { adjust, typedRules, withRules, type Adjusted } from "../../../core/previous-waf/adjust.js";
import { compareDigest, configDigest, isMutilated, MALFORMED_DIGEST } from "../../../core/previous-waf/digest.js";
import { makeReport, findDroppedRules } from "../../../core/previous-waf/readiness/report.js";
import { obstaclesOf, stateDisagreement, zoneWords, type Survey } from "../../../core/previous-waf/survey.js";
import { plannedWords } from "../../../core/previous-waf/readiness/words.js";
import { MANAGED_PHASE } from "../../../core/model/migration.js";
import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { RetrievedConfig } from "../../../core/model/migration.js";
import type { DeployedRule, Ruleset } from "../../../core/model/ruleset.js";
import { parseRule } from "../../../core/model/parse-rule.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { identityWords, seeTextsLine } from "../../ownership/rule-text.js";
import {
  checkRefs,
  checkRule,
  checkSkipOrder,
  failure,
  warning,
  type ArgumentFinding,
  type Findings,
} from "../../validation/index.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import type { MigrationArguments, MigrationPlan } from "./description.js";

interface Planned {
  readonly plan: MigrationPlan;
  readonly findings: Findings;
}

/** The retrieved configuration with the program's changes, in the wire format: what is sent to the service. */
export function adjustedConfig(inputs: MigrationArguments, config: RetrievedConfig): Adjusted {
  if (inputs.rules !== undefined) return { config: withRules(config, normalised(inputs.rules)), unmatched: [] };
  const { prepend = [], append = [], ...others } = inputs.adjustments ?? {};
  return adjust(config, { ...others, prepend: normalised(prepend), append: normalised(append) });
}

/** Normalises rules like those of any ruleset: without fields that mean nothing, and with bare ruleset IDs. */
function normalised(rules: readonly RulesetRule[]): RulesetRule[] {
  return rules.map((rule) => parseRule(normaliseRule(rule)));
}

/** Rules of the entry point that a step would drop, except those that this stack wrote itself. */
export function findDroppedForeignRules(
  existing: readonly DeployedRule[],
  result: readonly RulesetRule[],
  own: readonly RulesetRule[],
): DeployedRule[] {
  return findDroppedRules(findDroppedRules(existing, result), own);
}

/** Whether a step may drop existing rules: `replace` means replacing them with other rules, so there must be some. */
export function mayDrop({ existingRules }: MigrationArguments, result: readonly RulesetRule[]): boolean {
  return existingRules === "empty" || (existingRules === "replace" && result.length > 0);
}

/** A zone, as messages name it, and its entry point. */
interface ZoneOfRules {
  readonly zoneId: string;
  readonly name: string;
  readonly entrypoint?: Ruleset | undefined;
}

/** Why a step must not drop existing rules, and what to do. */
export function droppedRulesText(
  zone: ZoneOfRules,
  lost: readonly DeployedRule[],
  result: readonly RulesetRule[],
): string {
  const { zoneId, name, entrypoint } = zone;
  return [
    `the entry point of ${MANAGED_PHASE} in zone ${name} contains ${lost.length === 1 ? "1 rule" : `${String(lost.length)} rules`} that the migration would drop:`,
    ...lost.map((rule) => `  - ${identityWords(rule)}`),
    ...(entrypoint === undefined ? [] : [seeTextsLine({ level: "zones", id: zoneId }, entrypoint)]),
    ...keepText(
      "prepend",
      "before the rules that they skip",
      lost.filter(({ action }) => action === "skip"),
    ),
    ...keepText(
      "append",
      "after the retrieved ones",
      lost.filter(({ action }) => action !== "skip"),
    ),
    result.length === 0
      ? 'To drop them all, which leaves no rule, set existingRules: "empty".'
      : 'To drop them, set existingRules: "replace".',
  ].join("\n");
}

/** How to keep rules. Exceptions only affect rules after them, so the action of a rule determines where it goes. */
function keepText(adjustment: string, place: string, rules: readonly DeployedRule[]): string[] {
  if (rules.length === 0) return [];
  const refs = rules.map(({ ref }) => ref).join(", ");
  return [`To keep ${refs}, add ${rules.length === 1 ? "it" : "them"} to \`adjustments.${adjustment}\`, ${place}.`];
}

/** Makes the plan of a zone's migration from what was read, with all obstacles at once. */
export function makePlan(survey: Survey, args: MigrationArguments, written: readonly RulesetRule[]): Planned {
  const named = checkName(survey, args);
  if (isDecided(survey.phase)) {
    return { plan: { report: makeReport(survey, [], []) }, findings: named };
  }
  const { config } = survey;
  const obstacles = obstaclesOf(survey).map((reason) => failure([], reason));
  const findings = [named, checkMode(survey, args), ...obstacles];
  const compatibleBefore = survey.compatibility?.compatible === true;
  if (config === undefined) {
    return { plan: { compatibleBefore, report: makeReport(survey, [], []) }, findings: findings.flat() };
  }
  const adjusted = adjustedConfig(args, config);
  const result = typedRules(adjusted.config);
  const lost = findDroppedForeignRules(survey.entrypoint?.rules ?? [], result, written);
  const plan: MigrationPlan = {
    compatibleBefore,
    retrievedConfig: config,
    configDigest: configDigest(config),
    plannedRules: result,
    report: makeReport(
      survey,
      result,
      lost.map((rule) => identityWords(rule)),
    ),
  };
  return {
    plan,
    findings: [
      ...findings,
      ...stateDisagreement(survey).map((text) => warning([], text)),
      checkExpected(config, args),
      ...adjusted.unmatched.map(({ path, reason }) => failure(path, reason)),
      checkResult(config, result, args),
      checkProtected(config, result, args),
      lost.length > 0 && !mayDrop(args, result)
        ? failure(["existingRules"], droppedRulesText({ ...survey, name: zoneWords(survey) }, lost, result))
        : [],
    ].flat(),
  };
}

/** Refuses the ID of a zone other than the intended one, before a wrong migration begins. */
function checkName({ zoneId, zoneName }: Survey, { acknowledgeIrreversible: meant }: MigrationArguments): Findings {
  if (typeof meant !== "string" || isUnknown(meant) || meant === zoneName) return [];
  return zoneName === ""
    ? failure(
        ["acknowledgeIrreversible"],
        `names the zone ${JSON.stringify(meant)}, which cannot be compared with zoneId ${zoneId}: the credentials cannot read the zone. Give them the permission "Zone Read", or write true`,
      )
    : failure(
        ["acknowledgeIrreversible"],
        `names the zone ${JSON.stringify(meant)}, but zoneId ${zoneId} is the zone ${JSON.stringify(zoneName)}`,
      );
}

function checkMode({ plan, zoneName, phase }: Survey, { mode }: MigrationArguments): Findings {
  if (mode !== "validation" || phase !== "notStarted" || plan === "" || plan === "enterprise") return [];
  return failure(
    ["mode"],
    `validation mode requires an Enterprise zone, but ${zoneName} is on the ${plan} plan. Use mode: "pending"; to start gradually, ` +
      `make every rule only log at first: adjustments: { overrides: [{ action: "log" }] }`,
  );
}

function checkExpected(config: RetrievedConfig, { expectedConfig }: MigrationArguments): Findings {
  if (expectedConfig === undefined) return [];
  if (isMutilated(expectedConfig, config)) return failure(["expectedConfig"], MALFORMED_DIGEST);
  const change = compareDigest(expectedConfig, config);
  if (change === undefined) return [];
  const rules = typedRules(config);
  const lines = [
    ...change.gone.map((place) => `  - rule ${String(place)} of the reviewed configuration is gone or was changed`),
    ...change.added.flatMap((index) => {
      const rule = rules[index];
      return rule === undefined ? [] : [`  + rule ${String(index + 1)} is new or was changed: ${plannedWords(rule)}`];
    }),
    ...(change.reordered ? ["  > the same rules, in another order or under another name"] : []),
  ];
  const head = "the zone's previous WAF has changed since the review, so its configuration is different:";
  return failure(
    ["expectedConfig"],
    `${head}\n${lines.join("\n")}\nReview it again; its digest is now ${configDigest(config)}`,
  );
}

/** Validates the result like any ruleset. Faults in rules that the service itself generated are only warnings. */
function checkResult(config: RetrievedConfig, result: readonly RulesetRule[], args: MigrationArguments): Findings {
  const generated = new Set(typedRules(config).map((rule) => Rule.of(rule).text));
  const at = (index: number): Path => placeOf(index, result.length, args);
  return [
    ...result.map((rule, index) => {
      const found = checkRule(rule, { phase: MANAGED_PHASE, kind: "zone" }, at(index));
      return generated.has(Rule.of(rule).text)
        ? found.map((one): ArgumentFinding => ({ ...one, severity: "warning" }))
        : found;
    }),
    checkRefs(result, at),
    checkSkipOrder(result, at, ({ index, first }) =>
      at(index)[1] === "append"
        ? "move it to adjustments.prepend, which comes first"
        : `move it above ${pathText(at(first))}`,
    ),
  ].flat();
}

/** Warns if a zone that had managed rules would get none, which is possible but rarely intended. */
function checkProtected(config: RetrievedConfig, result: readonly RulesetRule[], args: MigrationArguments): Findings {
  const executes = ({ action, enabled }: RulesetRule): boolean => action === "execute" && enabled !== false;
  if (result.some(executes) || !typedRules(config).some(executes)) return [];
  return warning(
    [args.rules === undefined ? "adjustments" : "rules"],
    "no rule executes a managed ruleset, but the retrieved configuration does: after the finish no managed rule protects the zone",
  );
}

/** Where a rule of the result is in the program; retrieved rules are only in `plannedRules`. */
function placeOf(index: number, length: number, { rules, adjustments }: MigrationArguments): Path {
  if (rules !== undefined) return ["rules", index];
  const before = adjustments?.prepend?.length ?? 0;
  const firstAfter = length - (adjustments?.append?.length ?? 0);
  if (index < before) return ["adjustments", "prepend", index];
  return index < firstAfter ? ["plannedRules", index] : ["adjustments", "append", index - firstAfter];
}

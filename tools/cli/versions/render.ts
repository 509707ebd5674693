import type { Ruleset, RulesetSummary } from "../../../client/index.js";
import type { NameOf } from "../../../core/managed/rulesets.js";
import { writtenText } from "../../../core/model/json.js";
import { plural } from "../../../core/model/words.js";
import { ruleToTypeScript, ruleWords, timeText } from "../../../provider/ownership/rule-text.js";
import { countsOf, type FieldDifference, type VersionsDifference } from "../../../core/rules/compare-versions.js";
import { summaryLine } from "../../../core/rules/summary.js";
import { managedNamesBehind } from "../managed-names.js";
import { plainTable } from "../table.js";

/** `version 3 of 2026-11-21T16:04:29Z "By hand"`. */
export function summaryWords({ version, lastUpdated, description }: RulesetSummary): string {
  const since = lastUpdated === undefined ? "" : ` of ${timeText(lastUpdated)}`;
  return `version ${version}${since}${description === "" ? "" : ` ${JSON.stringify(description)}`}`;
}

/** A table of versions, newest first; the first is the current one. */
export function renderList(versions: readonly RulesetSummary[], columns?: number): string {
  return plainTable(
    {
      head: ["version", "last changed", "description", ""],
      rows: versions.map(({ version, lastUpdated, description }, index) => [
        version,
        timeText(lastUpdated ?? ""),
        description,
        index === 0 ? "current" : "",
      ]),
    },
    columns,
  );
}

/** A version with its rules, one line each. */
export function renderVersion(where: string, ruleset: Ruleset, nameOf?: NameOf): string {
  return [
    `${where}: ${summaryWords(ruleset)}, ${plural(ruleset.rules.length, "rule")}`,
    ...ruleset.rules.map((rule, index) => `  ${String(index + 1)}. ${ruleWords(rule, nameOf)}`),
  ].join("\n");
}

/** The rules of a version for a program's list of rules. */
export function renderProgram({ rules }: Ruleset, nameOf?: NameOf): string {
  return rules.map((rule) => ruleToTypeScript(rule, nameOf)).join("\n");
}

/** Describes a difference: a line with counts, and every rule that differs. */
export function renderDifference(difference: VersionsDifference, nameOf?: NameOf): string {
  const { added, removed, changed, reformatted, moved, description } = difference;
  return [
    summaryLine(countsOf(difference)),
    ...added.map((rule) => `  + ${ruleWords(rule, nameOf)}`),
    ...removed.map((rule) => `  - ${ruleWords(rule, nameOf)}`),
    ...changed.flatMap(({ rule, fields }) => [
      `  ~ ${ruleWords(rule, nameOf)}`,
      ...fields.flatMap((field) => fieldLines(field, nameOf)),
    ]),
    ...reformatted.map((ref) => `  ~ ${ref}: formatting only`),
    ...moved.map((ref) => `  > ${ref} was moved`),
    ...(description === undefined
      ? []
      : ["  ~ description of the ruleset", ...fieldLines({ name: "description", ...description })]),
  ].join("\n");
}

function fieldLines({ name, before, after }: FieldDifference, nameOf?: NameOf): string[] {
  return [
    ...(before === undefined ? [] : [`      - ${name}: ${writtenText(before)}${managedNamesBehind([before], nameOf)}`]),
    ...(after === undefined ? [] : [`      + ${name}: ${writtenText(after)}${managedNamesBehind([after], nameOf)}`]),
  ];
}

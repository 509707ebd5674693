import type { Check, CheckFinding } from "./finding.js";
import { meaningChecks } from "./meaning-checks.js";
import { inRuleset, ruleChecks } from "./rule-checks.js";
import { bytesIn, SHOWN_BYTES } from "../../../provider/validation/checks/fields.js";
import { expiryOf } from "../../../core/rules/written/expiry.js";
import { findNeeds, isEntitled, unmetNeed } from "../../../provider/validation/index.js";
import { listUsesOf } from "../../../provider/validation/list-uses.js";
import { wrongListKind } from "../../../provider/validation/checks/lists.js";
import { normaliseRule } from "../../../core/rules/normalise.js";
import { listNamed } from "../../../core/simulator/lists.js";

/** Lists of a kind that does not fit the field, as far as the source knows them. */
const listChecks: Check = ({ rulesets }) =>
  rulesets.flatMap(({ input }, ruleset) =>
    input.rules.flatMap((rule, index) =>
      listUsesOf(normaliseRule(rule), ["rules", index]).flatMap((use) => {
        const list = listNamed(input.lists, use.name);
        const found = list === undefined ? undefined : wrongListKind(use, list.kind, input.phase);
        return found === undefined ? [] : inRuleset([found], ruleset);
      }),
    ),
  );

/** What the plan of a zone does not include. Without a zone or `--plan` it reports nothing. */
const planChecks: Check = ({ rulesets, zone }) => {
  const plan = zone?.plan;
  if (zone === undefined || plan === undefined) return [];
  return rulesets.flatMap(({ input }, ruleset) => {
    if (input.accountId !== undefined) return [];
    const isCounted = input.kind !== "custom";
    const needs = findNeeds(input.rules, input.phase).filter(
      (need) => !isEntitled(need, plan) && (isCounted || need.count === undefined),
    );
    const isLive = zone.name !== "";
    return inRuleset(
      needs.map((need) => unmetNeed(need, { name: zone.name, plan }, isLive ? input.rules.length : 0, isLive)),
      ruleset,
    );
  });
};

/** Rules whose time is over, or soon will be. */
const expiryChecks: Check = ({ rulesets, now, expiryWarningDays }) =>
  rulesets.flatMap(({ input }, ruleset) =>
    input.rules.flatMap((rule, index): readonly CheckFinding[] => {
      const found = expiryOf({ ...rule }, now, expiryWarningDays);
      if (found === undefined) return [];
      const path = ["rules", index, "expression"];
      return [{ code: found.kind, severity: "warning", message: found.text, ruleset, path }];
    }),
  );

/** Descriptions of which logs show only the beginning. */
const descriptionChecks: Check = ({ rulesets }) =>
  rulesets.flatMap(({ input }, ruleset) =>
    input.rules.flatMap(({ description = "" }, index): readonly CheckFinding[] => {
      const bytes = bytesIn(description);
      if (bytes <= SHOWN_BYTES) return [];
      const message = `has ${String(bytes)} bytes; logs show the first ${String(SHOWN_BYTES)}`;
      return [{ code: "description", severity: "info", message, ruleset, path: ["rules", index, "description"] }];
    }),
  );

/** Every check of `rules check`. To add one, add a line. */
export const CHECKS: readonly Check[] = [
  ruleChecks,
  listChecks,
  planChecks,
  meaningChecks,
  expiryChecks,
  descriptionChecks,
];

import { listUsesOf } from "../../../provider/validation/list-uses.js";
import { wrongListKind } from "../../../provider/validation/checks/lists.js";
import { normaliseRule } from "../../../provider/rules/normalise.js";
import { listNamed } from "../../../simulator/lists.js";
import type { Check } from "./finding.js";
import { toFinding } from "./rule-checks.js";

/** Lists of a kind that does not fit the field, as far as the source knows them. */
export const listChecks: Check = {
  names: {},
  run: ({ rulesets }) =>
    rulesets.flatMap(({ input }, ruleset) =>
      input.rules.flatMap((rule, index) =>
        listUsesOf(normaliseRule(rule), ["rules", index]).flatMap((use) => {
          const list = listNamed(input.lists, use.name);
          const failure = list === undefined ? undefined : wrongListKind(use, list.kind);
          return failure === undefined ? [] : [toFinding(failure, "error", ruleset)];
        }),
      ),
    ),
};

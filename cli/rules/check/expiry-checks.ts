import { expiryOf } from "../../../provider/rules/written/expiry.js";
import type { Check, CheckFinding } from "./finding.js";

/** Rules whose time is over, or soon will be. */
export const expiryChecks: Check = {
  names: {
    expired: "The time of a rule is over",
    expiring: "The time of a rule will soon be over",
  },
  run: ({ rulesets, now, expiryWarningDays }) =>
    rulesets.flatMap(({ input }, ruleset) =>
      input.rules.flatMap((rule, index): readonly CheckFinding[] => {
        const found = expiryOf({ ...rule }, now, expiryWarningDays);
        if (found === undefined) return [];
        const path = ["rules", index, "expression"];
        return [{ check: found.kind, level: "warning", reason: found.text, ruleset, path }];
      }),
    ),
};

import { expiryOf } from "../../../provider/rules/written/expiry.js";
import type { Check, CheckFinding } from "./finding.js";

/** For how many days before its end a rule is reported. */
const EXPIRING_DAYS = 7;

/** Rules whose time is over, or soon will be. */
export const expiryChecks: Check = {
  names: {
    expired: "The time of a rule is over",
    expiring: "The time of a rule is over within seven days",
  },
  run: ({ rulesets, now }) =>
    rulesets.flatMap(({ input }, ruleset) =>
      input.rules.flatMap((rule, index): readonly CheckFinding[] => {
        const found = expiryOf({ ...rule }, now, EXPIRING_DAYS);
        if (found === undefined) return [];
        const path = ["rules", index, "expression"];
        return [{ check: found.kind, level: "warning", reason: found.text, ruleset, path }];
      }),
    ),
};

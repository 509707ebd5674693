import { bytesIn, SHOWN_BYTES } from "../../../provider/validation/checks/fields.js";
import type { Check, CheckFinding } from "./finding.js";

/** Descriptions of which logs show only the beginning. */
export const descriptionChecks: Check = {
  names: { description: "A description is longer than logs show, or than the service takes" },
  run: ({ rulesets }) =>
    rulesets.flatMap(({ input }, ruleset) =>
      input.rules.flatMap(({ description = "" }, index): readonly CheckFinding[] => {
        const bytes = bytesIn(description);
        if (bytes <= SHOWN_BYTES) return [];
        const reason = `has ${String(bytes)} bytes; logs show the first ${String(SHOWN_BYTES)}`;
        return [{ check: "description", level: "note", reason, ruleset, path: ["rules", index, "description"] }];
      }),
    ),
};

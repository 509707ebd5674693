import type { JsonObject } from "../../model/json.js";
import { checkId, checkRange, failure, join, NO_FINDINGS, type Findings } from "../../validation/index.js";
import { PERCENT } from "../../model/numbers.js";
import type { RulesetDescription } from "./description.js";

/** The arguments beside scope and rules: texts, and choices that this kind of ruleset has. */
export function checkOptions(kind: RulesetDescription["type"], args: JsonObject): Findings {
  return join([
    ...["name", "description", "rulesetId", "restoreVersion"].map((name) => checkText(name, args[name])),
    checkRange(["maxRemovedPercent"], args.maxRemovedPercent, PERCENT),
    checkRestore(args),
    typeof args.rulesetId === "string" ? checkId(["rulesetId"], args.rulesetId) : NO_FINDINGS,
    kind === "Ruleset" && (args.name === undefined || args.name === "") ? failure(["name"], "is missing") : NO_FINDINGS,
    kind === "Ruleset" && args.kind === "custom" && args.onDelete === "empty"
      ? failure(["onDelete"], "empty is for entry points; a custom ruleset is deleted or kept")
      : NO_FINDINGS,
  ]);
}

/** A version holds the rules of everybody, so it cannot be restored into a part of a ruleset. */
function checkRestore({ ownership, restoreVersion }: JsonObject): Findings {
  if (restoreVersion === undefined || ownership !== "shared") return NO_FINDINGS;
  return failure(
    ["restoreVersion"],
    'cannot go with ownership: "shared": a version holds the rules of others too, as they were then. ' +
      "To bring everything back, run `npx pulumi-rulesets versions restore`; to bring back rules of this program, write them into `rules`",
  );
}

function checkText(name: string, value: unknown): Findings {
  return value === undefined || typeof value === "string" ? NO_FINDINGS : failure([name], "must be a string");
}

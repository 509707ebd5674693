import type { JsonObject } from "../../model/json.js";
import { checkId, failure, join, NO_FINDINGS, type Findings } from "../../validation/index.js";
import type { RulesetDescription } from "./description.js";

/** The arguments beside scope and rules: texts, and choices that this kind of ruleset has. */
export function checkOptions(kind: RulesetDescription["type"], args: JsonObject): Findings {
  return join([
    ...["name", "description", "rulesetId"].map((name) => checkText(name, args[name])),
    typeof args.rulesetId === "string" ? checkId(["rulesetId"], args.rulesetId) : NO_FINDINGS,
    kind === "Ruleset" && (args.name === undefined || args.name === "") ? failure(["name"], "is missing") : NO_FINDINGS,
    kind === "Ruleset" && args.kind === "custom" && args.onDelete === "empty"
      ? failure(["onDelete"], "empty is for entry points; a custom ruleset is deleted or kept")
      : NO_FINDINGS,
  ]);
}

function checkText(name: string, value: unknown): Findings {
  return value === undefined || typeof value === "string" ? NO_FINDINGS : failure([name], "must be a string");
}

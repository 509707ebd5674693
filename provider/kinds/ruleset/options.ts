import type { JsonObject } from "../../model/json.js";
import { isUnknown } from "../../model/unknown.js";
import { failure, join, knownName, NO_FINDINGS, type Findings } from "../../validation/failure.js";
import { checkId } from "../../validation/index.js";
import { argumentNames, CHOICES } from "./argument-names.js";
import type { ResourceKind } from "./model.js";

/** The arguments beside scope and rules: known names, texts, and choices that exist. */
export function checkOptions(kind: ResourceKind, args: JsonObject): Findings {
  return join([
    ...Object.keys(args).map((name) => checkName(kind, name)),
    ...Object.entries(CHOICES).map(([name, choices]) => checkChoice(name, args[name], choices)),
    ...["name", "description", "rulesetId"].map((name) => checkText(name, args[name])),
    typeof args.rulesetId === "string" ? checkId(["rulesetId"], args.rulesetId) : NO_FINDINGS,
    kind === "Ruleset" && (args.name === undefined || args.name === "") ? failure(["name"], "is missing") : NO_FINDINGS,
    kind === "Ruleset" && args.kind === "custom" && args.onDelete === "empty"
      ? failure(["onDelete"], "empty is for entry points; a custom ruleset is deleted or kept")
      : NO_FINDINGS,
  ]);
}

function checkName(kind: ResourceKind, name: string): Findings {
  return name.startsWith("__") ? NO_FINDINGS : knownName([name], `${kind} takes no`, name, argumentNames(kind));
}

function checkChoice(name: string, value: unknown, choices: readonly string[]): Findings {
  if (value === undefined || isUnknown(value)) return NO_FINDINGS;
  return typeof value === "string" && choices.includes(value)
    ? NO_FINDINGS
    : failure([name], `must be one of ${choices.join(", ")}`);
}

function checkText(name: string, value: unknown): Findings {
  return value === undefined || typeof value === "string" ? NO_FINDINGS : failure([name], "must be a string");
}

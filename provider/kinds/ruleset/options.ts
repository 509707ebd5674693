import { checkId, checkRange, failure, joinFindings, NO_FINDINGS, type Findings } from "../../validation/index.js";
import { PERCENT } from "../../model/numbers.js";
import type { GivenRulesetArguments, RulesetDescription } from "./description.js";

/** Checks the arguments other than scope and rules. */
export function checkOptions(type: RulesetDescription["type"], args: GivenRulesetArguments): Findings {
  return joinFindings([
    ...(["name", "description", "rulesetId", "restoreVersion"] as const).map((name) => checkText(name, args[name])),
    checkRange(["maxRemovedPercent"], args.maxRemovedPercent, PERCENT),
    checkRestore(args),
    typeof args.rulesetId === "string" ? checkId(["rulesetId"], args.rulesetId) : NO_FINDINGS,
    checkName(type, args.name),
    checkShared(type, args),
    type === "Ruleset" && args.kind === "custom" && args.onDelete === "empty" && args.ownership !== "shared"
      ? failure(["onDelete"], "empty is for entry points; a custom ruleset is deleted or kept")
      : NO_FINDINGS,
  ]);
}

/** An entry point has a name of its own, and a custom ruleset needs one. */
function checkName(type: RulesetDescription["type"], name: unknown): Findings {
  if (type === "Ruleset") return name === undefined || name === "" ? failure(["name"], "is required") : NO_FINDINGS;
  return name === "" ? failure(["name"], "must not be empty; leave it out to keep the name") : NO_FINDINGS;
}

/** A version contains everybody's rules, so it cannot be restored into a part of a ruleset. */
function checkRestore({ ownership, restoreVersion }: GivenRulesetArguments): Findings {
  if (restoreVersion === undefined || ownership !== "shared") return NO_FINDINGS;
  return failure(
    ["restoreVersion"],
    'cannot be combined with ownership: "shared": a version also contains the rules of others, as they were then. ' +
      "To restore everything, run `npx pulumi-rulesets versions restore`; to restore rules of this program, add them to `rules`",
  );
}

/** Refuses arguments that affect the whole ruleset on a resource that shares it. */
function checkShared(type: RulesetDescription["type"], args: GivenRulesetArguments): Findings {
  if (args.ownership !== "shared") return NO_FINDINGS;
  const refuse = (name: keyof GivenRulesetArguments, reason: string): Findings =>
    args[name] === undefined ? NO_FINDINGS : failure([name], `${reason}; remove it, or set ownership: "exclusive"`);
  return joinFindings([
    args.onDelete === "delete"
      ? failure(
          ["onDelete"],
          'delete would remove the rules of others who share the ruleset; with ownership: "shared" it can be "empty", ' +
            'which deletes only this program\'s rules, or "keep"',
        )
      : NO_FINDINGS,
    args.onExisting === "replace" || args.onExisting === "empty"
      ? failure(
          ["onExisting"],
          `${args.onExisting} would drop the rules of others who share the ruleset; with ownership: "shared" it can be ` +
            '"fail", or "adopt", which takes over rules that match this program\'s own',
        )
      : NO_FINDINGS,
    refuse("description", "describes the whole ruleset, which is shared"),
    type === "PhaseEntrypoint" ? refuse("name", "names the whole ruleset, which is shared") : NO_FINDINGS,
  ]);
}

function checkText(name: string, value: unknown): Findings {
  return value === undefined || typeof value === "string" ? NO_FINDINGS : failure([name], "must be a string");
}

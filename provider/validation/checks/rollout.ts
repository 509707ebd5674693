import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import { MOMENT_FORM, parseMoment, parseStage, splitFault, STAGE_FORM } from "../../model/rollout.js";
import { failure, joinFindings, NO_FINDINGS, type Findings } from "../failure.js";

type Rule = Readonly<Record<string, unknown>>;

/**
 * Checks what a rule of a program says about its stage, its time and its parts. A preview turns valid fields into conditions
 * first, so only a rule with a fault still has them.
 */
export function checkRollout(rule: Rule, path: Path): Findings {
  return joinFindings([checkStage(rule, path), checkWindow(rule, path), checkSplit(rule, path)]);
}

function checkStage({ stage, ref }: Rule, path: Path): Findings {
  if (!isGiven(stage)) return NO_FINDINGS;
  if (typeof stage !== "string" || parseStage(stage) === undefined)
    return failure([...path, "stage"], `must be ${STAGE_FORM}`);
  // A resource that is one rule has a name.
  if (path.length === 0 || ref !== undefined) return NO_FINDINGS;
  return failure([...path, "stage"], "requires ref, by which the rule stays the same one through its stages");
}

function checkWindow(rule: Rule, path: Path): Findings {
  const faults = (["from", "until"] as const).map((field) => checkMoment(rule[field], field, path));
  const [from, until] = (["from", "until"] as const).map((field) => momentIn(rule[field], field));
  if (from === undefined || until === undefined || from < until) return joinFindings(faults);
  return failure([...path, "until"], "must be after from: the rule would never apply");
}

function checkMoment(value: unknown, field: "from" | "until", path: Path): Findings {
  if (!isGiven(value) || momentIn(value, field) !== undefined) return NO_FINDINGS;
  return failure([...path, field], `must be ${MOMENT_FORM}`);
}

function momentIn(value: unknown, field: "from" | "until"): number | undefined {
  return typeof value === "string" && !isUnknown(value) ? parseMoment(value, field) : undefined;
}

function checkSplit(rule: Rule, path: Path): Findings {
  const { split } = rule;
  if (!isGiven(split) || split === false) return NO_FINDINGS;
  const fault = split === true ? splitFault(rule) : "must be true or false";
  return fault === undefined ? NO_FINDINGS : failure([...path, "split"], fault);
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && !isUnknown(value);
}

import { isObject, type Json } from "../../model/json.js";
import type { Path } from "../../model/path.js";
import { isUnknown } from "../../model/unknown.js";
import { checkKnownName, failure, joinFindings, NO_FINDINGS, type Findings } from "../failure.js";

/**
 * Checks the form of a position.
 * @param names the ways to name a place
 */
export function checkPositionForm(path: Path, position: Json, names: readonly string[]): Findings {
  if (isUnknown(position)) return NO_FINDINGS;
  const listed = `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
  if (!isObject(position)) return failure(path, `must be an object: ${formsOf(names)}`);
  const given = Object.keys(position);
  const unknown = given.filter((name) => !names.includes(name));
  if (unknown.length > 0)
    return joinFindings(
      unknown.map((name) => checkKnownName([...path, name], "a position has no property", name, names)),
    );
  if (given.length !== 1) return failure(path, `needs exactly one of ${listed}`);
  const [name = ""] = given;
  const value = position[name];
  if (isUnknown(value)) return NO_FINDINGS;
  if (name === "index")
    return typeof value === "number" && Number.isInteger(value) && value >= 1
      ? NO_FINDINGS
      : failure([...path, name], "must be a whole number of at least 1");
  return typeof value === "string"
    ? NO_FINDINGS
    : failure(
        [...path, name],
        `must be the ref or the ID of a rule, a RulesetRule, or "" for ${name === "before" ? "first" : "last"}`,
      );
}

function formsOf(names: readonly string[]): string {
  const forms = names.map((name) => `{ ${name}: … }`);
  return `${forms.slice(0, -1).join(", ")} or ${forms.at(-1) ?? ""}`;
}

/** Checks the form of the positions of a list. */
export function checkPositionForms(positions: Json, names: readonly string[]): Findings {
  if (isUnknown(positions)) return NO_FINDINGS;
  if (!isObject(positions)) return failure(["positions"], "must be an object: { <ref>: { before: … } }");
  return joinFindings(
    Object.entries(positions).map(([ref, position = null]) => {
      const form = checkPositionForm(["positions", ref], position, names);
      const isEmpty = isObject(position) && names.some((name) => position[name] === "");
      return form.failures.length === 0 && isEmpty
        ? failure(["positions", ref], "must be the ref or the ID of a rule of somebody else")
        : form;
    }),
  );
}

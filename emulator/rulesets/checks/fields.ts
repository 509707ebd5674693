import type { Body } from "../../call.js";
import type { Check } from "./check.js";
import { parametersOf, unknownField } from "./schema.js";

const RULE = new Set([
  "id",
  "version",
  "action",
  "action_parameters",
  "categories",
  "description",
  "enabled",
  "exposed_credential_check",
  "expression",
  "last_updated",
  "logging",
  "ratelimit",
  "ref",
  "score_threshold",
]);
/** Parameters that the service accepts although its description does not list them. */
const MORE_PARAMETERS: Readonly<Record<string, readonly string[]>> = {
  execute: ["version"],
  set_config: ["disable_railgun"],
};

/** Unknown fields of a rule, and parameters that its action does not have. */
export const fieldFault: Check = (rule, _context, at) => {
  const stray = Object.keys(rule).find((name) => !RULE.has(name));
  if (stray !== undefined) return unknownField(stray, at);
  const { action, action_parameters: parameters } = rule;
  const known = typeof action === "string" ? parametersOf(action) : undefined;
  if (known === undefined || typeof parameters !== "object" || parameters === null) return undefined;
  const more = MORE_PARAMETERS[String(action)] ?? [];
  const unknown = Object.keys(parameters).find((name) => !known.has(name) && !more.includes(name));
  return unknown === undefined ? undefined : unknownField(unknown, `${at}/action_parameters`);
};

/** Rejects a body with an unknown field. */
export function checkFields(body: Body, known: readonly string[]): void {
  const stray = Object.keys(body).find((name) => !known.includes(name));
  if (stray !== undefined) throw unknownField(stray, "");
}

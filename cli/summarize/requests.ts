import { textOf } from "../../provider/model/json.js";
import type { JsonObject } from "../../provider/model/json.js";
import type { MovedStep } from "./moves.js";
import { scopePath } from "./scope-path.js";
import { ruleRequests, sharedRulesetRequests } from "./single-rule-requests.js";
import type { Drift, ResourceSummary, RuleRow, PlannedRequest } from "./summary.js";

type Op = Exclude<ResourceSummary["op"], Drift>;

/** The requests that a step on a ruleset, or on a rule of one, sends. */
export function rulesetRequests(
  type: string,
  op: Op,
  step: MovedStep,
  rows: readonly RuleRow[],
): readonly PlannedRequest[] {
  if (type === "RulesetRule") return ruleRequests(op, step, rows);
  const { ownership } = (step.after ?? step.before)?.inputs ?? {};
  return ownership === "shared" ? sharedRulesetRequests(op, step, rows) : wholeSends(op, step, rows);
}

function wholeSends(
  op: Op,
  { before, after, urn, moves }: MovedStep,
  rows: readonly RuleRow[],
): readonly PlannedRequest[] {
  const inputs = after?.inputs ?? before?.inputs ?? {};
  const root = `/${scopePath(inputs)}/rulesets`;
  const id = textOf(before?.outputs.rulesetId) || "<id>";
  switch (op) {
    case "read":
      return [];
    case "create":
      if (before !== undefined && moves.length > 0)
        return isWritten(rows, before.inputs, after?.inputs) ? [{ call: `PUT ${root}/${id}` }] : [];
      return [{ call: `POST ${root}`, unless: "a ruleset with the same rules already exists and is taken over" }];
    case "update":
      return isWritten(rows, before?.inputs, after?.inputs) ? [{ call: `PUT ${root}/${id}` }] : [];
    case "replace":
      return [{ call: `POST ${root}` }, ...deleted(before?.inputs ?? {}, urn, id)];
    case "delete":
      return moves.length > 0 && rows.length === 0 ? [] : deleted(inputs, urn, id);
  }
}

/** Arguments that only control how the provider acts are stored in the state alone. */
function isWritten(rows: readonly RuleRow[], before: JsonObject = {}, after: JsonObject = {}): boolean {
  return (
    rows.some(({ change }) => change !== "unchanged") ||
    before.description !== after.description ||
    before.name !== after.name ||
    typeof after.rules === "string"
  );
}

function deleted(inputs: JsonObject, urn: string, id: string): readonly PlannedRequest[] {
  const isEntrypoint = urn.includes("rulesets:PhaseEntrypoint::") || textOf(inputs.kind) !== "custom";
  const onDelete = textOf(inputs.onDelete) || (isEntrypoint ? "empty" : "delete");
  const call = `/${scopePath(inputs)}/rulesets/${id}`;
  const unless = "the rules were only taken over and never changed";
  if (onDelete === "keep") return [];
  return [{ call: `${onDelete === "empty" ? "PUT" : "DELETE"} ${call}`, unless }];
}

import { isObject, sameJson, type JsonObject } from "../../provider/model/json.js";
import { knownText } from "../../provider/model/unknown.js";
import type { MovedStep } from "./moves.js";
import { isMoved } from "./one-rule.js";
import type { ResourceState, Step } from "./preview.js";
import { scopePath } from "./scope-path.js";
import type { Drift, ResourceSummary, RuleRow, PlannedRequest } from "./summary.js";

type Op = Exclude<ResourceSummary["op"], Drift>;

/** The requests that a step on a shared ruleset sends: one for each of the program's rules that changes. */
export function sharedRulesetRequests(op: Op, step: MovedStep, rows: readonly RuleRow[]): readonly PlannedRequest[] {
  const { before, after } = step;
  switch (op) {
    case "read":
      return [];
    case "create":
      return before === undefined ? joinSends(after, rows) : updateSends(step, rows);
    case "update":
      return updateSends(step, rows);
    case "replace":
      return [
        ...joinSends(
          after,
          rows.filter(({ change }) => change !== "removed"),
        ),
        ...deleteSends(before),
      ];
    case "delete":
      return deleteSends(before);
  }
}

function updateSends({ before, after, gets }: MovedStep, rows: readonly RuleRow[]): readonly PlannedRequest[] {
  const ofAny = `PATCH ${rulesPath(before)}/<rule>`;
  if (typeof after?.inputs.rules === "string")
    return [{ call: ofAny, unless: "no rule changes; otherwise one for each that does" }];
  // A rule that moves here may be in another place than the list has it; which rules then change places is not in the preview.
  const ordering =
    gets === 0 || rows.length < 2 ? [] : [{ call: ofAny, unless: "the rules are already in this order" }];
  return [...rows.flatMap((row) => rowSends(row, before)), ...ordering];
}

/** A ruleset that does not exist yet is created with all rules in one request. */
function joinSends(after: ResourceState | undefined, rows: readonly RuleRow[]): readonly PlannedRequest[] {
  const root = `/${scopePath(after?.inputs ?? {})}/rulesets`;
  if (rows.length === 0) return [{ call: `POST ${root}`, unless: "the ruleset already exists" }];
  const id = knownText(after?.inputs.rulesetId);
  const made = id === "" ? `the ruleset does not exist yet (then one POST ${root} creates it with all rules), or ` : "";
  const unless = `${made}the same rule already exists`;
  return rows.map(() => ({ call: `POST ${root}/${id || "<id>"}/rules`, unless }));
}

function rowSends({ change, ref, moved }: RuleRow, before: ResourceState | undefined): readonly PlannedRequest[] {
  const id = member(before?.outputs.ruleIds, ref);
  const rules = rulesPath(before);
  if (change === "removed") return isTakenOver(before, ref) ? [] : [{ call: `DELETE ${rules}/${id || "<rule>"}` }];
  if (change === "added") return [{ call: `POST ${rules}` }];
  return change === "unchanged" && !moved ? [] : [{ call: `PATCH ${rules}/${id || "<rule>"}` }];
}

function deleteSends(before: ResourceState | undefined): readonly PlannedRequest[] {
  if (before === undefined || knownText(before.inputs.onDelete) === "keep") return [];
  const { ruleIds } = before.outputs;
  return Object.keys(isObject(ruleIds) ? ruleIds : {}).flatMap((ref) =>
    isTakenOver(before, ref) ? [] : [{ call: `DELETE ${rulesPath(before)}/${member(ruleIds, ref)}` }],
  );
}

/** Rules that were taken over and never changed are not deleted. */
function isTakenOver(before: ResourceState | undefined, ref: string): boolean {
  const { __takenOver: all, __takenOverRules: some } = before?.outputs ?? {};
  return all === true || (Array.isArray(some) && some.includes(ref));
}

/** The requests that a step on a `RulesetRule` sends. */
export function ruleRequests(op: Op, step: Step, [row]: readonly RuleRow[]): readonly PlannedRequest[] {
  const { before, after } = step;
  switch (op) {
    case "read":
      return [];
    case "create":
    case "update": {
      if (before === undefined) return [additionOf(after)];
      const says = row === undefined || (row.change !== "unchanged" && row.change !== "moved");
      if (!says && !isMoved(step)) return [];
      const call = `PATCH ${rulesPath(before)}/${knownText(before.outputs.ruleId) || "<rule>"}`;
      return [says ? { call } : { call, unless: "the rule is already in that position" }];
    }
    case "replace":
      return [
        isInSameRuleset(before, after) ? { call: `POST ${rulesPath(before)}` } : additionOf(after),
        ...deleteRuleSends(before),
      ];
    case "delete":
      return deleteRuleSends(before);
  }
}

function additionOf(after: ResourceState | undefined): PlannedRequest {
  const { rulesetId, __adopt: adopted } = after?.inputs ?? {};
  const rules = rulesPath(after);
  if (knownText(adopted) !== "")
    return { call: `PATCH ${rules}/${knownText(adopted)}`, unless: "the rule already has this content" };
  const same = "an equal rule already exists and is taken over";
  const made = `there is no entry point yet (then POST ${rules.split("/").slice(0, -2).join("/")} creates it), or `;
  return { call: `POST ${rules}`, unless: `${rulesetId === undefined ? made : ""}${same}` };
}

function deleteRuleSends(before: ResourceState | undefined): readonly PlannedRequest[] {
  if (before === undefined || knownText(before.inputs.onDelete) === "keep" || before.outputs.__takenOver === true)
    return [];
  // It moved to another resource.
  if (before.inputs.order === "") return [];
  return [{ call: `DELETE ${rulesPath(before)}/${knownText(before.outputs.ruleId) || "<rule>"}` }];
}

/** Whether a resource stays in its ruleset. */
export function isInSameRuleset(before: ResourceState | undefined, after: ResourceState | undefined): boolean {
  const place = ({ zoneId, accountId, phase, rulesetId }: JsonObject) => [zoneId, accountId, phase, rulesetId];
  return sameJson(place(before?.inputs ?? {}), place(after?.inputs ?? {}));
}

function rulesPath(state: ResourceState | undefined): string {
  const { inputs = {}, outputs = {} } = state ?? {};
  return `/${scopePath(inputs)}/rulesets/${knownText(outputs.rulesetId) || knownText(inputs.rulesetId) || "<id>"}/rules`;
}

function member(value: unknown, name: string): string {
  return isObject(value) && Object.hasOwn(value, name) ? knownText(value[name]) : "";
}

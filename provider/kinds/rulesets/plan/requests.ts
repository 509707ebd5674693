import type { PlannedRequest, PreviewPlan, TakenOver } from "../../../engine/preview-plan.js";
import { scopeText, type Scope } from "../../../../core/model/ids.js";
import { mapFrom } from "../../../../core/model/json.js";
import { isUnknown } from "../../../../core/model/unknown.js";
import { NO_DIFFERENCE } from "../../../../core/rules/diff.js";
import { summaryLine } from "../../../../core/rules/summary.js";
import { namesOfRule, type Desired } from "../desired.js";
import type { Change, OwnRules, Request } from "./change.js";
import { isRenamed } from "./content.js";

/* What a preview publishes of a change. */

/** What an update sends; where it is not known what exists, what it may send. */
export function previewOfUpdate(change: Change): Partial<PreviewPlan> {
  const { before, desired, there, requests, notes } = change;
  if (there.isRead)
    return previewOf(
      change,
      [...notes.recognised].map(([ref, { id }]) => [ref, id]),
    );
  if (desired.policy.ownership !== "shared") return { writes: requests.map(callIn(change)) };
  const path = rulesetPath(desired.target.scope, before.state.rulesetId);
  const [id] = Object.values(before.ruleIds);
  const [rule, unless] =
    desired.words.manages === "rule" && id !== undefined
      ? [id, "the rule is already as declared"]
      : ["<rule>", "no rule changes; otherwise one for each that does"];
  return { writes: [{ call: `PATCH ${path}/rules/${rule}`, unless }] };
}

/**
 * What a new resource sends.
 * @param deleted IDs of rules that another resource may delete before this one exists
 */
export function previewOfNew(change: Change, deleted: { has(id: string): boolean }): Partial<PreviewPlan> {
  const { desired, there, notes } = change;
  const isRule = desired.words.manages === "rule";
  const counts = there.deployed === undefined && !isRule ? countsOfNew(desired) : {};
  if (!there.isRead) return { ...counts, ...(isRule ? blindRule(desired) : blindList(desired)) };
  const kept = idsByRef(notes.own).filter(([, id]) => !deleted.has(id));
  return { ...counts, ...previewOf(change, kept) };
}

/** @param taken by ref, the IDs of existing rules that the resource has from then on */
function previewOf(change: Change, taken: readonly (readonly [string, string])[]): Partial<PreviewPlan> {
  const { requests, there, notes } = change;
  const changed = new Set(requests.flatMap((one) => (one.kind === "change" && one.rule !== undefined ? [one.id] : [])));
  const rules = taken.map(([ref, id]): readonly [string, TakenOver] => [ref, { id, changes: changed.has(id) }]);
  const replaces = requests.length === 0 && notes.own === undefined ? undefined : there.deployed?.version;
  return {
    writes: requests.map(callIn(change)),
    ...(replaces === undefined ? {} : { replaces }),
    ...(notes.own === undefined ? {} : { rules: mapFrom(rules) }),
  };
}

function idsByRef(own: OwnRules | undefined): readonly (readonly [string, string])[] {
  return [...(own?.ids ?? [])];
}

/** A request as people see it. */
function callIn({ before, desired, there }: Change): (request: Request) => PlannedRequest {
  const { scope, phase } = desired.target;
  const path = rulesetPath(scope, there.deployed?.id ?? before.state.rulesetId);
  const byPhase = `${rulesetsPath(scope)}/phases/${phase}/entrypoint`;
  return (request) => {
    switch (request.kind) {
      case "create":
        return { call: `POST ${rulesetsPath(scope)}` };
      case "replace":
        return { call: `PUT ${isRenamed(there.deployed, request.content, desired.target) ? byPhase : path}` };
      case "add":
        return { call: `POST ${path}/rules` };
      case "change":
        return { call: `PATCH ${path}/rules/${request.id}` };
      case "delete":
        return { call: `DELETE ${path}/rules/${request.id}` };
    }
  };
}

function countsOfNew({ rules }: Desired): Partial<PreviewPlan> {
  return rules === undefined ? {} : { counts: summaryLine({ ...NO_DIFFERENCE, added: rules.order }) };
}

/** The plan where it is not known what exists. */
function blindList({ target: { scope }, policy, rules }: Desired): Partial<PreviewPlan> {
  const root = `POST ${rulesetsPath(scope)}`;
  const order = rules?.order ?? [];
  if (policy.ownership !== "shared")
    return { writes: [{ call: root, unless: "a ruleset with the same rules already exists and is taken over" }] };
  if (order.length === 0) return { writes: [{ call: root, unless: "the ruleset already exists" }] };
  const made =
    policy.adopts === undefined
      ? `the ruleset does not exist yet (then one ${root} creates it with all rules), or `
      : "";
  const call = `POST ${rulesetPath(scope, policy.adopts ?? "<id>")}/rules`;
  return { writes: order.map(() => ({ call, unless: `${made}the same rule already exists` })) };
}

/** The same for a single rule. */
function blindRule(desired: Desired): Partial<PreviewPlan> {
  const { scope, rulesetId } = desired.target;
  const { adopts } = namesOfRule(desired);
  const path = rulesetPath(scope, rulesetId ?? "<id>");
  if (adopts !== undefined)
    return { writes: [{ call: `PATCH ${path}/rules/${adopts}`, unless: "the rule already has this content" }] };
  const made =
    rulesetId === undefined ? `there is no entry point yet (then POST ${rulesetsPath(scope)} creates it), or ` : "";
  const unless = `${made}an equal rule already exists and is taken over`;
  return { writes: [{ call: `POST ${path}/rules`, unless }] };
}

function rulesetPath(scope: Scope, rulesetId: string): string {
  return `${rulesetsPath(scope)}/${isUnknown(rulesetId) ? "<id>" : rulesetId}`;
}

function rulesetsPath(scope: Scope): string {
  if (isUnknown(scope.id)) return `/${scope.level}/<${scope.level === "zones" ? "zone" : "account"}>/rulesets`;
  return `/${scopeText(scope)}/rulesets`;
}

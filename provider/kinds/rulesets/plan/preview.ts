import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { rulesetResourceId, type Scope, scopeText } from "../../../../core/model/ids.js";
import { mapFrom, ownValue, sameJson } from "../../../../core/model/json.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { quotedRuleName } from "../../../../core/model/names.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { isComplete, isUnknown } from "../../../../core/model/unknown.js";
import { fieldsOf, NO_RULES, ruleEntries } from "../../../../core/rules/keyed.js";
import { displayFor } from "../../../engine/display.js";
import type { PlannedRequest, PreviewPlan, TakenOver } from "../../../engine/preview-plan.js";
import type { Session } from "../../../engine/session.js";
import type { Join } from "../../../ownership/join.js";
import { deletedBeforeText, mayBeDeletedText } from "../../../ownership/rule-messages.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { interleavingText, type JoinSummary, joinText, keptRulesText } from "../../../ownership/shared-messages.js";
import { type Desired, nothingAt } from "../desired.js";
import { ownersOf, runRecord, thereFor } from "../run.js";
import { type ParsedState, takenOverIn } from "../state.js";
import { requireNothingUndone } from "../write/stops.js";
import { type Change, type Edit, isRenamed, type Request } from "./change.js";
import { changedFieldsOf } from "./identity.js";
import { conflictSince, orderAfter } from "./rules.js";

/* What a preview publishes of a change. */

/** What an update sends; where it is not known what exists, what it may send. */
export function previewOfUpdate(change: Change): Partial<PreviewPlan> {
  const { desired, there, requests, notes } = change;
  if (there.isRead)
    return previewOf(
      change,
      [...notes.recognised].map(([ref, { id }]) => [ref, id]),
    );
  if (desired.policy.ownership !== "shared") return { writes: requests.map(callIn(change)) };
  return { writes: unreadWrites(change) };
}

/** The requests for single rules where it is not known what exists: one for each that the program changes. */
function unreadWrites({ recorded, desired, notes: { difference } }: Change): readonly PlannedRequest[] {
  const path = `${rulesetPath(desired.target.scope, recorded.state.rulesetId)}/rules`;
  const some = { call: `PATCH ${path}/<rule>`, unless: "no rule changes; otherwise one for each that does" };
  if (difference === undefined || recorded.state.__incomplete === true) return [some];
  const idOf = (ref: string): string => ownValue(recorded.ruleIds, ref) ?? "<rule>";
  const taken = takenOverIn(recorded);
  const isPlacedAnew = (ref: string): boolean => !sameJson(recorded.positions.get(ref), desired.positions.get(ref));
  const { changed, reformatted, moved, unchanged } = difference;
  const kept = new Set([...changed.map(({ ref }) => ref), ...reformatted, ...moved, ...unchanged.filter(isPlacedAnew)]);
  const pending = unchanged.some((ref) => desired.rules?.rules[ref]?.pending === true);
  return [
    ...difference.added.map(() => ({ call: `POST ${path}`, unless: "the same rule already exists" })),
    ...[...kept].map((ref) => ({ call: `PATCH ${path}/${idOf(ref)}`, unless: "the rule is already as declared" })),
    ...(pending ? [some] : []),
    ...difference.removed
      .filter((ref) => !taken.has(ref))
      .map((ref) => ({ call: `DELETE ${path}/${idOf(ref)}`, unless: "the rule no longer exists" })),
  ];
}

/**
 * What a new resource sends.
 * @param deleted IDs of rules that another resource may delete before this one exists
 */
export function previewOfNew(change: Change, deleted: { has(id: string): boolean }): Partial<PreviewPlan> {
  const { desired, there, notes } = change;
  if (!there.isRead) return blindPlan(desired);
  const kept = [...(notes.own?.ids ?? [])].filter(([, id]) => !deleted.has(id));
  return previewOf(change, kept);
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

/** A request as people see it. */
function callIn({ recorded, desired, there }: Change): (request: Request) => PlannedRequest {
  const { scope, phase } = desired.target;
  const path = rulesetPath(scope, there.deployed?.id ?? recorded.state.rulesetId);
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

/** The plan where it is not known what exists. */
function blindPlan({ target: { scope, rulesetId }, policy, rules = NO_RULES }: Desired): Partial<PreviewPlan> {
  const root = `POST ${rulesetsPath(scope)}`;
  const into = rulesetId ?? policy.adopts;
  if (policy.ownership !== "shared")
    return { writes: [{ call: root, unless: "a ruleset with the same rules already exists and is taken over" }] };
  if (rules.order.length === 0) return { writes: [{ call: root, unless: "the ruleset already exists" }] };
  const made = `the ruleset does not exist yet (then one ${root} creates it with all rules), or `;
  const unless = `${into === undefined ? made : ""}the same rule already exists`;
  const path = `${rulesetPath(scope, into ?? "<id>")}/rules`;
  const writes = ruleEntries(rules).map(({ rule }) => {
    const { id } = fieldsOf(rule);
    return id === undefined
      ? { call: `POST ${path}`, unless }
      : { call: `PATCH ${path}/${id}`, unless: "the rule already has this content" };
  });
  return { writes };
}

function rulesetPath(scope: Scope, rulesetId: string): string {
  return `${rulesetsPath(scope)}/${isUnknown(rulesetId) ? "<id>" : rulesetId}`;
}

function rulesetsPath(scope: Scope): string {
  if (isUnknown(scope.id)) return `/${scope.level}/<${scope.level === "zones" ? "zone" : "account"}>/rulesets`;
  return `/${scopeText(scope)}/rulesets`;
}

/** How the program's rules and those of others are interleaved after a plan is applied; undefined without rules of others. */
export function interleavingOf(session: Session, change: Change): string | undefined {
  const { desired } = change;
  const rules = orderAfter(change);
  if (rules.every(({ ref }) => ref !== undefined)) return undefined;
  const { __secretPaths: secretPaths = {} } = desired.secrets;
  const nameOf = (ref: string): string => {
    const rule = desired.rules?.rules[ref]?.fields;
    const description = rule === undefined || !isComplete<RulesetRule>(rule) ? undefined : rule.description;
    const isSecret = (secretPaths[ref] ?? []).some(([step]) => step === undefined || step === "description");
    const hides = description === undefined || description === "" || isSecret || session.secrets.contains(description);
    return hides ? ref : quotedRuleName({ description, ref });
  };
  return interleavingText(rules.map(({ ref }) => ({ own: ref === undefined ? undefined : nameOf(ref) })));
}

/** Warns about rules that stay although the resource no longer wants them, because it only took them over. */
export function reportKept(
  session: Session,
  { urn, words }: Desired,
  { state }: ParsedState,
  rules: Iterable<DeployedRule>,
): void {
  const kept = [...rules];
  if (kept.length > 0) session.reporter.warn(urn, keptRulesText(words.subject, kept, displayFor(session, state)));
}

/**
 * Warns in a preview about rules that move here from resources that were checked first, and that may delete them
 * before this one is written or checked.
 */
export function warnOfDeleters(
  session: Session,
  desired: Desired,
  rules: Iterable<Pick<DeployedRule, "id" | "ref">>,
  /** Whether the resource changes: then it creates the rule again in the same run. */
  writes = true,
): void {
  const { dropped } = runRecord(session);
  for (const rule of rules) {
    const deleter = dropped.get(rule.id);
    if (deleter !== undefined) session.reporter.warn(desired.urn, mayBeDeletedText(rule, deleter, writes));
  }
}

/**
 * Stops where another resource that had rules of an unchanged one too has deleted them before this one was checked: nothing but a
 * refresh shows that. Call it after they are claimed, so that no later write deletes them.
 */
export async function requireNotDeleted(
  session: Session,
  { target, where, urn }: Pick<Desired, "target" | "where" | "urn">,
  { ruleIds, state }: ParsedState,
): Promise<void> {
  const { deleted } = runRecord(session);
  const owners = ownersOf(session, { target, urn }, state.rulesetId);
  const ofOthers = Object.entries(ruleIds).flatMap(([ref, id]) => {
    const by = owners.ownerOf({ ref, id })?.urn;
    return by === undefined || by === urn ? [] : [{ ref, id, by }];
  });
  if (ofOthers.length === 0) return;
  await session.queue.settled(rulesetResourceId(target.scope, state.rulesetId));
  const gone = ofOthers.filter(({ id }) => deleted.has(id));
  if (gone.length > 0) throw conflictError(deletedBeforeText(where, gone));
}

/**
 * Stops an edit of a ruleset that somebody has deleted, unless `pulumi up` may create it again. With a single rule, that undoes the
 * change of somebody else.
 */
export function requireRecreatable(session: Session, { recorded, desired }: Pick<Edit, "recorded" | "desired">): void {
  const { target, where, reach } = desired;
  if (reach.isDeletedWithRuleset) {
    const { state, description } = recorded;
    const { rulesetId: id, version } = state;
    const there = thereFor(session, desired, { ...nothingAt(target), id, description, version });
    const conflict = conflictSince({ recorded, desired }, there);
    requireNothingUndone(session, desired, { version, conflict, operation: "change", state });
  }
  if (target.byPhase) return;
  const ways =
    target.rulesetId === undefined
      ? " To continue: run `pulumi refresh`, then `pulumi up`, which creates it again."
      : "";
  throw new RulesetsError(`${where} no longer exists at the service.${ways}`, { code: "RULESET_GONE" });
}

/** The existing rules that a change gives other content, and the fields that change. */
function changedBy({ desired, requests }: Change, existing: readonly DeployedRule[]): JoinSummary["changed"] {
  const written = new Map(
    requests.flatMap((one) => (one.kind === "change" && one.rule !== undefined ? [[one.id, one.ref]] : [])),
  );
  return existing.flatMap((rule) => {
    const ref = written.get(rule.id);
    const fields = ref === undefined ? [] : changedFieldsOf(desired, ref, rule, false);
    return fields.length === 0 ? [] : [{ rule, fields }];
  });
}

/** Reports what a resource finds in the ruleset that it will share. */
export function reportJoin(session: Session, urn: string, change: Change, join: Join): void {
  const { there, notes } = change;
  const { ids = new Map<string, string>(), takenOver } = notes.own ?? {};
  const { id = "", version = "", rules = [] } = there.deployed ?? {};
  const mine = new Map([...ids].map(([ref, ruleId]) => [ruleId, ref]));
  const kept = rules.filter((rule) => mine.has(rule.id));
  const joined = {
    rulesetId: id,
    version,
    others: rules.length - kept.length,
    kept,
    changed: changedBy(change, kept),
    taken: kept.filter((rule) => takenOver?.has(mine.get(rule.id) ?? "") === true),
    equalRules: join.equalRules.filter((rule) => !mine.has(rule.id)),
  };
  const interleaving = interleavingOf(session, change);
  const whole = interleaving === undefined ? joinText(joined) : `${joinText(joined)}\n  ${interleaving}`;
  if (joined.taken.length + joined.equalRules.length > 0) session.reporter.warn(urn, whole);
  else session.reporter.info(urn, whole);
}

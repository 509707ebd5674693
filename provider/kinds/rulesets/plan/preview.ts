import type { RulesetRule } from "../../../../core/model/generated/rule.js";
import { rulesetResourceId, type Scope, scopeText } from "../../../../core/model/ids.js";
import { mapFrom, ownValue, pick, sameJson } from "../../../../core/model/json.js";
import { parseRule } from "../../../../core/model/parse-rule.js";
import { contentOf } from "../../../../core/rules/content.js";
import { RulesetsError } from "../../../../core/model/errors.js";
import { quotedRuleName } from "../../../../core/model/names.js";
import type { DeployedRule } from "../../../../core/model/ruleset.js";
import { isComplete, isUnknown } from "../../../../core/model/unknown.js";
import { keyedEntries, type KeyedRules, NO_RULES } from "../../../../core/rules/keyed.js";
import { type OrderedRule, resultingOrder } from "../../../../core/rules/placing/resulting-order.js";
import { isMovedAmongOthers } from "../../../../core/rules/placing/steps.js";
import { Rule } from "../../../../core/rules/rule.js";
import { displayFor } from "../../../engine/display.js";
import type { PlannedRequest, PreviewPlan, TakenOver } from "../../../engine/preview-plan.js";
import type { Session } from "../../../engine/session.js";
import type { Join } from "../../../ownership/join.js";
import {
  deletedBeforeText,
  mayBeDeletedText,
  type RuleTakeoverGrounds,
  ruleTakeoverText,
} from "../../../ownership/rule-messages.js";
import { conflictError } from "../../../ownership/ruleset-messages.js";
import { interleavingText, type JoinSummary, joinText, keptRulesText } from "../../../ownership/shared-messages.js";
import { type Desired, nothingAt } from "../desired.js";
import { ownersOf, runRecord, type There, thereFor } from "../run.js";
import { type ParsedState, refsById } from "../state.js";
import { requireNothingUndone } from "../write/stops.js";
import { type Change, type Edit, isRenamed, type Request, stepsOf } from "./change.js";
import { changedFieldsOf } from "./identity.js";
import { conflictSince } from "./rules.js";

/* What a preview publishes of a change. */

/** What an update sends; where it is not known what exists, what it may send. */
export function previewOfUpdate(change: Change): Partial<PreviewPlan> {
  return previewOf(
    change,
    [...change.notes.recognised].map(([ref, { id }]) => [ref, id]),
  );
}

/**
 * What a new resource sends; where it is not known what exists, what it may send.
 * @param deleted IDs of rules that another resource may delete before this one exists
 */
export function previewOfNew(change: Change, deleted: { has(id: string): boolean }): Partial<PreviewPlan> {
  const ids = change.notes.own?.ids ?? [];
  return previewOf(
    change,
    [...ids].filter(([, id]) => !deleted.has(id)),
  );
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
  const { target, policy } = desired;
  const { scope, phase } = target;
  const ids = [there.deployed?.id, recorded.state.rulesetId, target.rulesetId, policy.adopts];
  const path = rulesetPath(scope, ids.find((id = "") => id !== "") ?? "<id>");
  const byPhase = `${rulesetsPath(scope)}/phases/${phase}/entrypoint`;
  const callOf = (request: Request): string => {
    switch (request.kind) {
      case "create":
        return `POST ${rulesetsPath(scope)}`;
      case "replace":
        return `PUT ${isRenamed(there.deployed, request.content, target) ? byPhase : path}`;
      case "add":
        return `POST ${path}/rules`;
      case "change":
        return `PATCH ${path}/rules/${request.id}`;
      case "delete":
        return `DELETE ${path}/rules/${request.id}`;
    }
  };
  return (request) => ({ call: callOf(request), ...pick(request, ["unless"]) });
}

function rulesetPath(scope: Scope, rulesetId: string): string {
  return `${rulesetsPath(scope)}/${isUnknown(rulesetId) ? "<id>" : rulesetId}`;
}

function rulesetsPath(scope: Scope): string {
  if (isUnknown(scope.id)) return `/${scope.level}/<${scope.level === "zones" ? "zone" : "account"}>/rulesets`;
  return `/${scopeText(scope)}/rulesets`;
}

/**
 * Every rule of the ruleset in the order that a change leads to, as far as that is known.
 * @param staying IDs of rules that are not deleted
 */
export function orderAfter(change: Change, staying: ReadonlySet<string> = new Set()): readonly OrderedRule[] {
  const { there, notes } = change;
  const steps = stepsOf(change).filter((step) => step.kind !== "delete" || !staying.has(step.id));
  return resultingOrder(there.deployed?.rules ?? [], notes.own?.ids ?? new Map(), steps);
}

/**
 * The rules of a whole ruleset before a change, by their refs in the program: those that are deployed, as the program last
 * declared them where nobody has changed them, or what was declared if it is not known what is deployed.
 */
export function rulesBefore({ recorded, there: { isRead, deployed }, notes: { recognised } }: Change): KeyedRules {
  const { declared, ruleIds, deployedRules } = recorded;
  if (deployed === undefined) return isRead ? NO_RULES : declared;
  const refs = new Map([...refsById(ruleIds), ...Array.from(recognised, ([ref, { id }]) => [id, ref] as const)]);
  const isAsWritten = (rule: DeployedRule, ref: string): boolean =>
    ownValue(declared.rules, ref) !== undefined && deployedRules.get(rule.id)?.meansSameAs(Rule.of(rule)) === true;
  const found = deployed.rules.map((rule) => {
    const ref = refs.get(rule.id) ?? rule.ref;
    return { ref, rule, known: isAsWritten(rule, ref) ? declared.rules[ref] : undefined };
  });
  const isSame = sameJson(
    found.map(({ ref, known }) => (known === undefined ? "" : ref)),
    declared.order,
  );
  if (isSame) return declared;
  return keyedEntries(
    found.map(({ ref, rule, known }) => ({ ref, rule: known?.fields ?? parseRule({ ...contentOf(rule), ref }) })),
  );
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
function changedBy({ desired, requests }: Change, deployed: readonly DeployedRule[]): JoinSummary["changed"] {
  const written = new Map(
    requests.flatMap((one) => (one.kind === "change" && one.rule !== undefined ? [[one.id, one.ref]] : [])),
  );
  return deployed.flatMap((rule) => {
    const ref = written.get(rule.id);
    const fields = ref === undefined ? [] : changedFieldsOf(desired, ref, rule, false);
    return fields.length === 0 ? [] : [{ rule, fields }];
  });
}

/** Reports what a resource finds in the ruleset that it will share: a single rule, only what it takes over. */
export function reportJoin(session: Session, change: Change, join: Join): void {
  const { desired, there, notes } = change;
  const { urn } = desired;
  if (desired.reach.manages === "rule") {
    reportRule(session, change, join);
    return;
  }
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

/** Reports what a single rule takes over. It is a warning if that seems to belong to somebody else. */
function reportRule(session: Session, change: Change, { kept: [kept] }: Join): void {
  if (kept === undefined) return;
  const { desired, there } = change;
  const { rule } = kept;
  const [ref = ""] = desired.rules?.order ?? [];
  const grounds = kept.grounds === "inherited" ? inheritedFrom(there, desired, rule) : { kind: kept.grounds };
  const differences = changedFieldsOf(desired, ref, rule, stepsOf(change).some(isMovedAmongOthers));
  const text = ruleTakeoverText(rule, differences, grounds);
  if (text === undefined) return;
  if (grounds.kind === "equal") session.reporter.warn(desired.urn, text);
  else session.reporter.info(desired.urn, text);
}

function inheritedFrom({ owners }: There, desired: Desired, rule: DeployedRule): RuleTakeoverGrounds {
  const owner = owners.ownerOf(rule);
  if (owner?.declares !== false) return { kind: "leftover" };
  return owner.urn === desired.urn ? { kind: "own" } : { kind: "inherited", urn: owner.urn };
}

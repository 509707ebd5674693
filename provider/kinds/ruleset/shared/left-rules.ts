import { byUrn } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { isObject, type JsonObject } from "../../../model/json.js";
import { leftInForceText } from "../../../ownership/shared-messages.js";
import type { RulesetState } from "../description.js";
import { targetOf, targetWords, type Target } from "../desired.js";
import { handedOverIn, leftIn, type HandedOverRule, type LeftRule } from "../handed-over-rule.js";
import { deployedRulesIn, ownedIds } from "../predecessor.js";
import { findAwaitedOwners, hasOwner, wasDeletedFirst } from "./hand-over.js";
import { othersWantRules } from "./wanted-rules.js";

/*
 * A resource that is replaced in another ruleset leaves its rules behind, and the engine deletes its old object only when
 * everything else is written. Until then no state that the provider can read says that they belong to the stack. So the new
 * object records those that another resource was to have.
 */

/** The state of a resource that was created, with the rules that its old object left for others, which have not written them. */
export async function withLeftRules<S extends { readonly rulesetId: string }>(
  session: Session,
  urn: string | undefined,
  state: S,
): Promise<S & { readonly __leftRules?: readonly LeftRule[] }> {
  const left: LeftRule[] = [];
  for (const before of await oldStates(session, urn)) {
    if (before.rulesetId !== state.rulesetId) left.push(...(await leftBy(session, urn, before)));
    left.push(...(await withoutOwner(session, leftIn(before))));
  }
  return left.length === 0 ? state : { ...state, __leftRules: left };
}

/** The state after an update, with the rules that the resource left in another ruleset and that nobody in the stack has yet. */
export async function keepLeftRules<S extends Pick<RulesetState, "__leftRules">>(
  session: Session,
  { __leftRules: left = [] }: Pick<RulesetState, "__leftRules">,
  state: S,
): Promise<S> {
  if (left.length === 0) return state;
  const open = await withoutOwner(session, left);
  return { ...state, __leftRules: open.length === 0 ? undefined : open };
}

async function withoutOwner(session: Session, left: readonly LeftRule[]): Promise<readonly LeftRule[]> {
  const owned = await Promise.all(left.map((rule) => hasOwner(session, rule)));
  return left.filter((_, index) => owned[index] === false);
}

/**
 * What a resource had when the run started. The state of the stack is the only source: with `--replace`, or after a taint, the
 * engine does not show it to `diff`. It is not read where no other resource is to be written.
 */
async function oldStates(session: Session, urn = ""): Promise<readonly JsonObject[]> {
  if (urn === "" || !othersWantRules(session, urn)) return [];
  const resources = (await session.predecessors.inStack({ by: byUrn, key: urn })) ?? [];
  return resources.map(({ state }) => state);
}

async function leftBy(session: Session, urn: string | undefined, before: JsonObject): Promise<readonly LeftRule[]> {
  const { rulesetId, name } = before;
  if (typeof rulesetId !== "string") return [];
  const target = oldTarget(before);
  const rules = rulesIn(before);
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const awaited = await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules });
  if (awaited.length > 0 && wasDeletedFirst(session, urn))
    session.reporter.warn(
      urn,
      `${targetWords(target, { id: rulesetId, ...(typeof name === "string" ? { name } : {}) })}: ${leftInForceText(awaited)}`,
    );
  return awaited.map((rule) => ({ ...rule, version: versions.get(rule.id) ?? "", rulesetId }));
}

/** The ruleset of a list or of a single rule. */
function oldTarget({ zoneId, accountId, phase, kind, __kind: found, __byId: byId }: JsonObject): Target {
  return targetOf({ zoneId, accountId, phase, kind: kind ?? found ?? (byId === true ? "custom" : undefined) });
}

/** The rules that a state owns or has given up. */
function rulesIn(state: JsonObject): readonly Omit<HandedOverRule, "to">[] {
  const { ruleId: id, ref, version } = state;
  const owned = new Set(ownedIds(state));
  const own = (deployedRulesIn(state) ?? [{ id, ref, version }]).filter(
    (rule) => isObject(rule) && typeof rule.id === "string" && owned.has(rule.id),
  );
  return [...handedOverIn(state), ...(own as Omit<HandedOverRule, "to">[])];
}

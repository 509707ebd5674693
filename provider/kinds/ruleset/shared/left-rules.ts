import { byUrn } from "../../../engine/predecessors.js";
import type { Session } from "../../../engine/session.js";
import { isList, isObject, type JsonObject } from "../../../model/json.js";
import { leftInForceText } from "../../../ownership/shared-messages.js";
import { targetOf, targetWords, type Target } from "../desired.js";
import { handedOverIn, type HandedOverRule, type LeftRule } from "../handed-over-rule.js";
import { ownedIds } from "../predecessor.js";
import { findAwaitedOwners, wasDeletedFirst } from "./hand-over.js";
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
  for (const before of await oldStates(session, urn, state.rulesetId))
    left.push(...(await leftBy(session, urn, before)));
  return left.length === 0 ? state : { ...state, __leftRules: left };
}

/**
 * What a resource had in other rulesets when the run started. The state of the stack is the only source: with `--replace`, or
 * after a taint, the engine does not show it to `diff`. It is not read where no other resource is to be written.
 */
async function oldStates(session: Session, urn = "", rulesetId: string): Promise<readonly JsonObject[]> {
  if (urn === "" || !othersWantRules(session, urn)) return [];
  const resources = (await session.predecessors.inStack({ by: byUrn, key: urn })) ?? [];
  return resources.map(({ state }) => state).filter((state) => state.rulesetId !== rulesetId);
}

async function leftBy(session: Session, urn: string | undefined, before: JsonObject): Promise<readonly LeftRule[]> {
  const { rulesetId } = before;
  if (typeof rulesetId !== "string") return [];
  const target = oldTarget(before);
  const rules = rulesIn(before);
  const versions = new Map(rules.map(({ id, version }) => [id, version]));
  const awaited = await findAwaitedOwners(session, { target, urn }, { id: rulesetId, rules });
  if (awaited.length > 0 && wasDeletedFirst(session, urn))
    session.reporter.warn(urn, `${targetWords(target)}: ${leftInForceText(awaited)}`);
  return awaited.map((rule) => ({ ...rule, version: versions.get(rule.id) ?? "", rulesetId }));
}

/** The ruleset of a list or of a single rule. */
function oldTarget({ zoneId, accountId, phase, kind, __kind: found, __byId: byId }: JsonObject): Target {
  return targetOf({ zoneId, accountId, phase, kind: kind ?? found ?? (byId === true ? "custom" : undefined) });
}

/** The rules that a state owns or has given up. */
function rulesIn(state: JsonObject): readonly Omit<HandedOverRule, "to">[] {
  const { deployedRules, ruleId: id, ref, version } = state;
  const owned = new Set(ownedIds(state));
  const own = (isList(deployedRules) ? deployedRules : [{ id, ref, version }]).filter(
    (rule) => isObject(rule) && typeof rule.id === "string" && owned.has(rule.id),
  );
  return [...handedOverIn(state), ...(own as Omit<HandedOverRule, "to">[])];
}

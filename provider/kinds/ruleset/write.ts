import { judgeWrite } from "../../engine/overwritten.js";
import { settle } from "../../engine/recover.js";
import { shownTo, type SecretPlaces } from "../../engine/shown.js";
import type { Session } from "../../engine/session.js";
import type { ApiError, RulesetsError } from "../../model/errors.js";
import { rulesetResourceId, scopeText } from "../../model/ids.js";
import { mapFrom } from "../../model/json.js";
import type { Ruleset } from "../../model/ruleset.js";
import { conflictError } from "../../ownership/messages.js";
import type { Overwriting } from "../../ownership/overwritten-words.js";
import type { RulesetSnapshot } from "../../ownership/overwritten.js";
import { targetWords, type Desired, type Target } from "./desired.js";
import { isUpToDate, containsRules, type Content } from "./plan/content.js";
import { creationOf, nameToCreate, replacementOf } from "./whole-write.js";

/** What a write returned, and the error to fail with if it undid somebody's change that this run had not read. */
export interface Written {
  readonly ruleset: Ruleset;
  readonly overwrote?: RulesetsError;
}

/**
 * Replaces a whole ruleset; `state` is the current state, if there is one. If it is unknown whether the write was
 * applied, reads the ruleset. If it contains what was sent, it is done. If it has the old version, sends the write once
 * more. Anything else is somebody else's change.
 */
export async function replaceRuleset(
  session: Session,
  desired: Desired,
  actual: Ruleset,
  content: Content,
  { doing = "change", state }: { readonly doing?: Overwriting; readonly state?: SecretPlaces } = {},
): Promise<Written> {
  const { target, where } = desired;
  const { scope } = target;
  const { rulesets } = session.client;
  const { send } = replacementOf(rulesets, target, actual, content);
  const answer = await session.queue.run(rulesetResourceId(scope, actual.id), () =>
    settle(send, {
      look: () => rulesets.find(scope, actual.id),
      landed: (now) => isUpToDate(now, content, target),
      refuse: (now, cause) => (now.version === actual.version ? undefined : conflictAfterLoss(where, now, cause)),
    }),
  );
  session.reads.learn(scope, answer);
  return withJudgement(session, desired, { before: actual, answer, doing, state });
}

/** A write that was applied. */
interface Landed {
  readonly before: RulesetSnapshot;
  readonly answer: Ruleset;
  readonly doing: Overwriting;
  /** The current state, if there is one. */
  readonly state?: SecretPlaces;
}

/** Checks whether a write that was applied undid what somebody changed since the ruleset was read. */
export async function withJudgement(
  session: Session,
  { target, where, urn, policy, secrets }: Desired,
  { state, ...write }: Landed,
): Promise<Written> {
  const ruleIds = mapFrom(write.before.rules.map(({ ref, id }) => [ref, id] as const));
  const overwrote = await judgeWrite(session, {
    ...write,
    shown: shownTo(session, state ?? { ...secrets, ruleIds }),
    where,
    scope: target.scope,
    urn,
    onConflict: session.onConflict(policy.onConflict),
  });
  return { ruleset: write.answer, ...(overwrote === undefined ? {} : { overwrote }) };
}

/** The response was lost and somebody else changed the ruleset: sending the write again would undo that change. */
function conflictAfterLoss(where: string, now: Ruleset, cause: ApiError): Error {
  return conflictError(
    `${where}: the response to the write was lost, and the ruleset now contains neither what was there nor what was sent ` +
      `(version ${now.version}). Run \`pulumi refresh\`, review what it shows, then \`pulumi up\`. ${cause.message}`,
  );
}

/**
 * Creates a ruleset. If the response is lost, it first looks for what its own write may have left. A ruleset that is to
 * be shared may already contain rules of others; if others have created it meanwhile, the service reports that.
 */
export async function createRuleset(
  session: Session,
  { target }: Desired,
  content: Content,
  { shared = false }: { readonly shared?: boolean } = {},
): Promise<Ruleset> {
  const { scope, phase, kind } = target;
  const { rulesets } = session.client;
  const name = nameToCreate(content);
  const { send } = creationOf(rulesets, target, content);
  const lost = { looked: false };
  const find = async (): Promise<Ruleset | undefined> => {
    lost.looked = true;
    if (target.entrypoint && shared) return findFirst(session, target, content);
    if (target.entrypoint) return rulesets.findEntrypoint(scope, phase);
    const list = await rulesets.list(scope);
    const sameName = list.filter((r) => r.kind === kind && r.phase === phase && r.name === name);
    const whole = await Promise.all(sameName.map(({ id }) => rulesets.get(scope, id)));
    return whole.find((ruleset) => isUpToDate(ruleset, content, target));
  };
  const answer = await session.queue.run(`${scopeText(scope)}/${phase}/${name}`, () =>
    settle(send, {
      look: find,
      landed: (now) => (shared ? containsRules(now, content) : isUpToDate(now, content, target)),
      refuse: (now, cause) => (shared ? undefined : conflictAfterLoss(targetWords(target, name), now, cause)),
    }),
  );
  // The ruleset that was found may be its first version, which others have changed since.
  if (shared && lost.looked) session.reads.forget(scope, phase, answer.id);
  else session.reads.learn(scope, answer);
  return answer;
}

/**
 * The entry point in its first version, if this run created it: later changes by others are theirs, and are found by
 * the next read. The current version, if somebody else created it.
 */
async function findFirst(session: Session, { scope, phase }: Target, content: Content): Promise<Ruleset | undefined> {
  const { rulesets } = session.client;
  const now = await rulesets.findEntrypoint(scope, phase);
  if (now === undefined || containsRules(now, content)) return now;
  const first = await rulesets.getVersion(scope, now.id, "1");
  return containsRules(first, content) ? first : now;
}

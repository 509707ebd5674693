import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { findConflict, isConflict, recognise } from "../../ownership/conflict.js";
import { conflictError, conflictText } from "../../ownership/messages.js";
import type { Standing } from "../../ownership/overwritten.js";
import type { Session } from "../../engine/session.js";
import { create } from "./create.js";
import { claims, hasChange } from "./diff.js";
import {
  keyedRules,
  outputsOf,
  targetOf,
  targetWords,
  type CheckedInputs,
  type ResourceKind,
  type RulesetState,
} from "./model.js";
import { currentRuleset } from "./read.js";
import { shownTo } from "../../engine/shown.js";
import { lastSeen, serviceRefs, stateFrom, wantedDescription, withOwnership } from "./state.js";
import { contentFrom, holds, replaceRuleset, withJudgement, type Content, type Written } from "./write.js";

/** Brings a ruleset to what the program wants: at most one read and one whole write, and none when nothing differs. */
export async function update(
  kind: ResourceKind,
  session: Session,
  id: string,
  olds: RulesetState,
  news: CheckedInputs,
): Promise<RulesetState> {
  const untouched = olds.__incomplete !== true && !hasChange(olds, news);
  if (untouched) return withOwnership({ ...outputsOf(olds), ...news }, isOwned(olds, news));
  const actual = await currentRuleset(session, id, olds);
  if (actual === undefined) return recreate(kind, session, news);
  const seen = lastSeen(olds);
  const description = wantedDescription(olds, news, actual);
  const wanted = { ...keyedRules(news), description };
  const conflict = findConflict(seen, actual, wanted);
  if (isConflict(conflict) && session.onConflict(news.onConflict) === "fail") {
    const where = targetWords(targetOf(news), news.name);
    throw conflictError(conflictText(where, actual.version, conflict, "change", shownTo(session, olds)));
  }
  const refs = serviceRefs(olds, actual.rules);
  for (const [ref, rule] of recognise(seen, wanted, actual)) refs.set(ref, rule.ref);
  const content = contentFrom(news, description, refs);
  const landed = hasLanded(olds, actual);
  const lost = landed ? (await judgeLost(session, olds, news, actual)).overwrote : undefined;
  if (holds(actual, content, targetOf(news))) {
    const state = withOwnership(stateFrom(news, actual, refs), isOwned(olds, news) || landed);
    return whole(id, state, [lost]);
  }
  const { ruleset, overwrote } = await send(session, id, olds, news, actual, content);
  return whole(id, stateFrom(news, ruleset, refs), [lost, overwrote]);
}

/** The state after a write, which also stands when the write, or a lost one before it, undid somebody's change. */
function whole(id: string, state: RulesetState, judgements: readonly (RulesetsError | undefined)[]): RulesetState {
  const found = judgements.filter((error) => error !== undefined);
  if (found.length === 0) return state;
  throw new PartialFailure<RulesetState>(id, state, conflictError(found.map(({ message }) => message).join("\n")));
}

/** A write whose answer was lost is judged by the next run, from what is known of the time before it. */
async function judgeLost(session: Session, olds: RulesetState, news: CheckedInputs, answer: Ruleset): Promise<Written> {
  const before = await standingBefore(session, olds, news);
  return withJudgement(session, news, { before, answer, doing: "change", known: olds });
}

/** What stood before a write whose answer was lost. A state that was refreshed since then names the version. */
async function standingBefore(session: Session, olds: RulesetState, news: CheckedInputs): Promise<Standing> {
  const { rulesetId: id } = olds;
  const { deployedRules: rules, description } = lastSeen(olds);
  const version = versionBefore(olds);
  const known = { id, version, rules, description };
  if (version === olds.version) return known;
  return session.client.rulesets.getVersion(targetOf(news).scope, id, version).catch(() => known);
}

/** The version that a write whose answer was lost was to replace. */
function versionBefore({ __lostOver, version }: RulesetState): string {
  return __lostOver ?? version;
}

function isOwned(olds: RulesetState, news: CheckedInputs): boolean {
  return olds.__takenOver !== true || claims(olds, news);
}

/** Whether a write of which nobody could tell may have landed: the ruleset has a new version. */
function hasLanded(olds: RulesetState, actual: Ruleset): boolean {
  return olds.__incomplete === true && actual.version !== versionBefore(olds);
}

async function recreate(kind: ResourceKind, session: Session, news: CheckedInputs): Promise<RulesetState> {
  const target = targetOf(news);
  if (kind === "PhaseEntrypoint") return (await create(kind, session, news)).state;
  throw new RulesetsError(
    `${targetWords(target, news.name)} is gone at the service. Run \`pulumi refresh\`; the next \`pulumi up\` creates it again.`,
    { code: "RULESET_GONE" },
  );
}

/** Sends the write. When nobody can tell whether it landed, the state keeps that, and the next `up` finishes it. */
async function send(
  session: Session,
  id: string,
  olds: RulesetState,
  news: CheckedInputs,
  actual: Ruleset,
  content: Content,
): Promise<Written> {
  try {
    return await replaceRuleset(session, news, actual, content, { known: olds });
  } catch (error) {
    const target = targetOf(news);
    session.reads.forget(target.scope, target.phase, actual.id);
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure<RulesetState>(id, { ...olds, __incomplete: true }, error);
  }
}

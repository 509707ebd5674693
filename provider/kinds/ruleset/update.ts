import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { findConflict, isConflict, recognise } from "../../ownership/conflict.js";
import { conflictError, conflictText } from "../../ownership/messages.js";
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
  if (holds(actual, content, targetOf(news))) {
    const { overwrote } = hasLanded(olds, actual) ? await judgeLost(session, olds, news, actual) : {};
    const state = withOwnership(stateFrom(news, actual, refs), isOwned(olds, news) || hasLanded(olds, actual));
    return whole(id, state, overwrote);
  }
  const { ruleset, overwrote } = await send(session, id, olds, news, actual, content);
  return whole(id, stateFrom(news, ruleset, refs), overwrote);
}

/** The state after a write, which also stands when the write undid somebody's change. */
function whole(id: string, state: RulesetState, overwrote: RulesetsError | undefined): RulesetState {
  if (overwrote !== undefined) throw new PartialFailure<RulesetState>(id, state, overwrote);
  return state;
}

/** A write whose answer was lost is judged by the next run, from what the state holds of the time before it. */
function judgeLost(session: Session, olds: RulesetState, news: CheckedInputs, answer: Ruleset): Promise<Written> {
  const { deployedRules, description } = lastSeen(olds);
  const before = { id: olds.rulesetId, version: olds.version, rules: deployedRules, description };
  return withJudgement(session, news, { before, answer, doing: "change" });
}

function isOwned(olds: RulesetState, news: CheckedInputs): boolean {
  return olds.__takenOver !== true || claims(olds, news);
}

/** Whether a write of which nobody could tell has landed: the ruleset has a new version, which says what was sent. */
function hasLanded(olds: RulesetState, actual: Ruleset): boolean {
  return olds.__incomplete === true && actual.version !== olds.version;
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
    return await replaceRuleset(session, news, actual, content);
  } catch (error) {
    const target = targetOf(news);
    session.reads.forget(target.scope, target.phase, actual.id);
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure<RulesetState>(id, { ...olds, __incomplete: true }, error);
  }
}

import { ApiError, PartialFailure, RulesetsError } from "../../model/errors.js";
import type { Ruleset } from "../../model/ruleset.js";
import { findConflict, isConflict, recognise } from "../../ownership/conflict.js";
import { conflictError, conflictText } from "../../ownership/messages.js";
import type { Session } from "../../session/session.js";
import { create } from "./create.js";
import { hasChange } from "./diff.js";
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
import { shownTo } from "./shown.js";
import { lastSeen, serviceRefs, stateFrom, wantedDescription } from "./state.js";
import { contentFrom, holds, replaceRuleset, type Content } from "./write.js";

/** Brings a ruleset to what the program wants: at most one read and one whole write, and none when nothing differs. */
export async function update(
  kind: ResourceKind,
  session: Session,
  id: string,
  olds: RulesetState,
  news: CheckedInputs,
): Promise<RulesetState> {
  const untouched = olds.__incomplete !== true && !hasChange(olds, news);
  if (untouched) return { ...outputsOf(olds), ...news };
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
  if (holds(actual, content, targetOf(news))) return stateFrom(news, actual, refs);
  return stateFrom(news, await send(session, id, olds, news, actual, content), refs);
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
): Promise<Ruleset> {
  try {
    return await replaceRuleset(session, news, actual, content);
  } catch (error) {
    const target = targetOf(news);
    session.reads.forget(target.scope, target.phase, actual.id);
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure<RulesetState>(id, { ...olds, __incomplete: true }, error);
  }
}

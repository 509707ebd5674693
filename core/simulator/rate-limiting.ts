import type { Effect, SentResponse } from "./effect.js";
import { bucketOf, currentCounter, findCounter, limitStatus, stoppedCounter, withCounter } from "./limits.js";
import type { Match } from "./match.js";
import type { RulePlace } from "./place.js";
import type { RateLimit, Rule } from "./program.js";
import type { PendingCount, State } from "./state.js";

/** Counts a request, and stops it when its client is over the limit. */
export function limitRequest(
  rule: Rule,
  limit: RateLimit,
  { at, match, state }: { readonly at: RulePlace; readonly match: Match; readonly state: State },
): void {
  const key = [at.level, at.ruleset ?? at.phase, at.id ?? at.ref ?? String(at.index)].join("/");
  const bucket = bucketOf(limit, state.request);
  const before = currentCounter(findCounter(state.limits, key, bucket), limit, state.now);
  const counts = limit.counting?.evaluate(state.request).value ?? match.value;
  const later = limit.scoreHeader !== undefined || (limit.counting !== undefined && counts === "unknown");
  const add = later || before.until > 0 ? 0 : 1;
  const counter =
    counts === "unknown"
      ? { ...before, uncertain: before.uncertain + add }
      : { ...before, count: before.count + (counts ? add : 0) };
  const where = limitStatus(counter, limit);
  const over = match.value === true && where === "over";
  if (over && limit.solved === true)
    state.limits = withCounter(state.limits, key, bucket, currentCounter(undefined, limit, state.now));
  else if (over) state.limits = withCounter(state.limits, key, bucket, stoppedCounter(counter, limit, state.now));
  // Without this, a request would copy the counters once for each rate limit that it does not match.
  else if (counts !== false) state.limits = withCounter(state.limits, key, bucket, counter);
  // A request that the rule itself stops has no origin response to count.
  if (later && !(over && rule.effect.kind !== "log")) state.pending.push({ key, bucket, limit, rule });
  if (match.value === false) return;
  state.log.appendToLast(
    at,
    `${String(counter.count)} of ${String(limit.requests ?? limit.score)}: ${WORDS[where]}`,
    where,
  );
  if (where === "within" || rule.effect.kind === "log") return;
  const because = [
    ...match.because,
    ...(where === "unknown" ? ["whether earlier requests counted is not known here"] : []),
  ];
  if (rule.effect.kind === "unknown") state.doubtAll(at, because);
  else state.stop("limited", at, limitedResponse(rule.effect), because);
}

const WORDS = { over: "over the limit", within: "within the limit", unknown: "limit not known" } as const;

/** Counts what depends on the origin's response. If no response is given, it may count. */
export function countResponse(state: State): void {
  for (const pending of state.pending) {
    const { key, bucket, limit } = pending;
    const counter = currentCounter(findCounter(state.limits, key, bucket), limit, state.now);
    const weight = weightIn(state, pending);
    const next =
      weight === undefined
        ? { ...counter, uncertain: counter.uncertain + 1 }
        : { ...counter, count: counter.count + weight };
    state.limits = withCounter(state.limits, key, bucket, next);
  }
}

/** How much a response adds; undefined if that is not known. */
function weightIn({ request, response }: State, { limit, rule }: PendingCount): number | undefined {
  const counted = (limit.counting ?? rule.expression)?.evaluate(request).value;
  if (counted === false) return 0;
  if (counted !== true) return undefined;
  if (limit.scoreHeader === undefined) return 1;
  if (response === undefined) return undefined;
  const score = Number([response.headers[limit.scoreHeader.toLowerCase()]].flat()[0]);
  return Number.isInteger(score) && score >= 1 && score <= 1_000_000 ? score : 0;
}

function limitedResponse(effect: Effect): SentResponse | undefined {
  if (effect.kind === "challenge") return effect.response;
  if (effect.kind !== "block") return undefined;
  const { response } = effect;
  return response.body === undefined && response.status === 403 ? { ...response, status: 429 } : response;
}

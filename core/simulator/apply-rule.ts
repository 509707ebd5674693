import type { RuleApplication } from "./rule-application.js";
import { CUSTOM_OVERRIDES } from "./custom-overrides.js";
import type { Effect } from "./effect.js";
import type { Rule } from "./program.js";
import { redirect, redirectByList } from "./redirect.js";
import { rewriteResponse, serveErrorPage } from "./responses.js";
import { type ActiveSkip, findSkip } from "./skips.js";
import { reasonsOf } from "./state.js";
import { canStop, readOverrides } from "./managed.js";
import { withManagedName } from "./managed-rulesets.js";
import { hasManagedStops } from "./phases.js";

/** Applies a rule, and returns the skip that a skip rule starts. */
export function applyRule({ effect, redirects }: Rule, acting: RuleApplication): ActiveSkip | undefined {
  const { at, because, state } = acting;
  switch (effect.kind) {
    case "block":
      state.stop("blocked", at, effect.response, because);
      return undefined;
    case "challenge":
      state.stop("challenged", at, effect.response, because);
      return undefined;
    case "redirect":
      redirect(effect, acting);
      return undefined;
    case "redirect-list":
      redirectByList(effect, acting, redirects);
      return undefined;
    case "execute":
      recordManagedRun(effect, acting);
      return undefined;
    case "skip":
      return startSkip(effect, acting);
    case "log":
      return undefined;
    case "unknown":
      doubtAll(effect, acting);
      return undefined;
    default:
      applyChange(effect, acting);
      return undefined;
  }
}

type Change = Extract<Effect, { kind: "rewrite" | "settings" | "score" | "error-page" }>;

/** Effects that change something and let the request continue. */
function applyChange(effect: Change, { at, because, state }: RuleApplication): void {
  if (because.length > 0) state.doubt(at, undefined, because);
  if (effect.kind === "rewrite" && !at.phase.startsWith("http_response_")) {
    const unknown = state.rewrites.add(effect, because).flatMap((why) => reasonsOf(why.because));
    if (unknown.length > 0) state.doubt(at, undefined, unknown);
    return;
  }
  if (because.length > 0) return;
  switch (effect.kind) {
    case "rewrite":
      rewriteResponse(effect, at, state);
      return;
    case "settings":
      state.settings[at.phase] = { ...state.settings[at.phase], ...effect.settings };
      return;
    case "score":
      state.score += effect.increment;
      return;
    case "error-page":
      serveErrorPage(effect, state);
      return;
  }
}

function startSkip(
  { target }: Extract<Effect, { kind: "skip" }>,
  { at, because, place, state }: RuleApplication,
): ActiveSkip {
  const skip: ActiveSkip = { by: at.name, target, phase: place.phase, level: place.level, because };
  state.skips.push(skip);
  if (because.length === 0) for (const product of target.products) state.products.add(product);
  return skip;
}

function doubtAll({ overridden }: Extract<Effect, { kind: "unknown" }>, { at, because, state }: RuleApplication): void {
  if (overridden === undefined) {
    state.doubtAll(at, because);
    return;
  }
  const doubts = doubtsUnlessSkipped(overridden, { at, because, state });
  if (doubts !== undefined) state.doubt(at, "any", [...doubts, CUSTOM_OVERRIDES]);
}

/** What it depends on whether a rule executes a ruleset; undefined if a skip rule skips that, which is noted. */
function doubtsUnlessSkipped(
  id: string,
  { at, because, state }: Omit<RuleApplication, "place">,
): readonly string[] | undefined {
  const skip = findSkip(state.skips, { kind: "ruleset", id });
  if (skip?.because.length === 0) {
    state.log.replaceLast(at, "skipped", `its ruleset ${withManagedName(id)} is skipped by ${skip.by}`);
    return undefined;
  }
  return [...because, ...(skip === undefined ? [] : skip.because.map((why) => `${skip.by}: ${why}`))];
}

/** Notes that a rule executes a ruleset whose rules are not known here. */
function recordManagedRun(
  { id, overrides: given }: Extract<Effect, { kind: "execute" }>,
  { at, because, state }: RuleApplication,
): void {
  const doubts = doubtsUnlessSkipped(id, { at, because, state });
  if (doubts === undefined) return;
  const overrides = readOverrides(given);
  const skippedRules = state.skips.flatMap(({ target, because: open }) =>
    open.length === 0 ? (target.rules.get(id) ?? []) : [],
  );
  const stops = hasManagedStops(at.phase) && canStop(overrides);
  state.managed.push({ ruleset: id, rule: at, ...overrides, skippedRules, canStop: stops, because: doubts });
}

import type { RuleApplication } from "./rule-application.js";
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
      state.doubtAll(at, because);
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

/** Notes that a rule executes a ruleset whose rules are not known here. */
function recordManagedRun(
  { id, overrides: given }: Extract<Effect, { kind: "execute" }>,
  { at, because, state }: RuleApplication,
): void {
  const skip = findSkip(state.skips, { kind: "ruleset", id });
  if (skip?.because.length === 0) {
    state.log.replaceLast(at, "skipped", `its ruleset ${withManagedName(id)} is skipped by ${skip.by}`);
    return;
  }
  const doubts = [...because, ...(skip === undefined ? [] : skip.because.map((why) => `${skip.by}: ${why}`))];
  const overrides = readOverrides(given);
  const skippedRules = state.skips.flatMap(({ target, because: open }) =>
    open.length === 0 ? (target.rules.get(id) ?? []) : [],
  );
  const stops = hasManagedStops(at.phase) && canStop(overrides);
  state.managed.push({ ruleset: id, rule: at, ...overrides, skippedRules, canStop: stops, because: doubts });
}

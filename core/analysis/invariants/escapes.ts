import { hasManagedStops } from "../../simulator/phases.js";
import { not, type Formula } from "../formula/formula.js";
import { mayDoAnything } from "../program/rule.js";
import type { Step } from "../program/steps.js";
import type { RulesVersion } from "../compare/rules-version.js";
import { isBlocked, isChallenged, type Ending, type Requirement } from "./requirement.js";

/**
 * One way in which a request can miss what is required: it reaches a step, or the origin if there is none, while other conditions
 * hold.
 */
export interface Escape {
  readonly target: Step | undefined;
  readonly when: readonly Formula[];
}

/** Every way in which a request can miss what is required. If no request takes any of them, the requirement is proved. */
export function escapesFrom(requirement: Requirement, version: RulesVersion): readonly Escape[] {
  const { steps, stops } = version;
  const at = (target: Step | undefined): Escape => ({ target, when: [] });
  const origin = at(undefined);
  switch (requirement.kind) {
    case "be-stopped":
      return [origin, ...stops.filter((step) => !ends(step, isStopped)).map(at)];
    case "block":
      return [origin, ...stops.filter((step) => !ends(step, isBlocked)).map(at)];
    case "challenge":
      return [origin, ...stops.filter((step) => !ends(step, isChallenged)).map(at)];
    case "be-allowed":
      return [...stops.map(at), ...steps.filter((step) => isManaged(step, undefined)).map(at)];
    case "redirect":
      return [origin, ...stops.filter((step) => !isRedirectTo(step, requirement)).map(at)];
    case "reach-managed-rules":
      return [{ target: undefined, when: none(steps.filter((step) => isManaged(step, requirement.ruleset))) }];
    case "be-limited":
      return [{ target: undefined, when: steps.filter(isLimit).map(({ seen }) => not(seen)) }];
    case "be-logged":
      return [undefined, ...stops.filter((step) => !ends(step, isStopped))].map((target) => ({
        target,
        when: none(steps.filter((step) => isLog(step) && (target === undefined || version.isBefore(step, target)))),
      }));
    case "not-be-skipped":
      return [...version.skips, ...steps.filter(({ rule }) => mayDoAnything(rule))].map(at);
  }
}

function none(steps: readonly Step[]): readonly Formula[] {
  return steps.map(({ guard }) => not(guard));
}

function ends({ effect, rule }: Step, isRight: (ending: Ending) => boolean): boolean {
  return effect.kind === "stop" && isRight({ outcome: effect.outcome, action: rule.place.action });
}

function isStopped({ outcome }: Ending): boolean {
  return outcome !== "redirected";
}

function isManaged({ effect, phase }: Step, ruleset: string | undefined): boolean {
  if (effect.kind !== "managed") return false;
  return ruleset === undefined ? hasManagedStops(phase) : effect.ruleset === ruleset;
}

/** A limit that only logs limits nothing, and one whose action is not known may only log. */
function isLimit({ effect, over }: Step): boolean {
  return over !== undefined && effect.kind === "stop";
}

function isLog({ rule, over }: Step): boolean {
  return rule.effect.kind === "log" && over === undefined && rule.ratelimit === undefined;
}

/** Whether it certainly redirects to the URL. A target that is computed is left to the search. */
function isRedirectTo(
  { effect, rule }: Step,
  { to, status }: { readonly to?: string; readonly status?: number },
): boolean {
  if (effect.kind !== "stop" || rule.effect.kind !== "redirect" || rule.input.opaque !== undefined) return false;
  const { target, preserveQueryString } = rule.effect;
  const isThere = to === undefined || (target === to && !preserveQueryString);
  return isThere && (status === undefined || rule.effect.status === status);
}

import type { Session } from "../../engine/session.js";
import { sameJson } from "../../model/json.js";
import type { Pending } from "../../model/unknown.js";
import type { RulesetInputs, RulesetState } from "./description.js";
import { desiredFrom, objectKeys, type Desired } from "./desired.js";
import { planOf } from "./plan/own-rules.js";
import type { Plan } from "./plan/plan.js";
import { parseState } from "./state.js";
import { type KeyedRules, NO_RULES } from "../../rules/keyed.js";

/** The plans of this run, as a part of the session. */
export const plans = (): ChangePlans => new ChangePlans();

/** The plan of a change: reused if `diff` has already made it in this run from the same state and inputs. */
export function planFor(session: Session, state: RulesetState, inputs: Pending<RulesetInputs>): Plan {
  const known = session.part(plans).find(state, inputs);
  if (known !== undefined) return known;
  const recorded = parseState(state);
  return planOf(recorded, desiredFrom(inputs, hasSameRules(state, inputs) ? recorded.declared : undefined));
}

function hasSameRules(before: RulesetInputs, after: Pending<RulesetInputs>): boolean {
  return before.order === after.order && sameJson(before.rules, after.rules);
}

/** By URN, what the resources checked in this run wanted in the last run, parsed once. Those that do not change are dropped. */
export const lastDesired = (): LastDesired => new LastDesired();

/** What the resource that is checked wanted in the last run; undefined if it is new. */
export function lastWanted<Inputs extends object>(
  { session, urn, olds }: { readonly session: Session; readonly urn: string; readonly olds: Inputs | undefined },
  desiredOf: (olds: Inputs) => Desired,
): Desired | undefined {
  return olds === undefined ? undefined : session.part(lastDesired).record(urn, olds, () => desiredOf(olds));
}

class LastDesired {
  private readonly parsed = new Map<string, { readonly from: object; readonly desired: Desired }>();

  record(urn: string, olds: object, parse: () => Desired): Desired {
    const known = this.parsed.get(urn);
    if (known?.from === olds) return known.desired;
    const desired = parse();
    this.parsed.set(urn, { from: olds, desired });
    return desired;
  }

  find(urn: string): Desired | undefined {
    return this.parsed.get(urn)?.desired;
  }

  /** Drops what a resource wanted: it does not change. */
  forget(urn: string): void {
    this.parsed.delete(urn);
  }
}

/** The rules that this same resource had before it was replaced in this run: they do not belong to others. */
export function replacedRules(
  session: Session,
  { urn, target }: Pick<Desired, "urn" | "target">,
): KeyedRules | undefined {
  const before = session.part(lastDesired).find(urn ?? "");
  if (before === undefined) return undefined;
  const same = objectKeys(before.target, undefined).join() === objectKeys(target, undefined).join();
  return same && before.target.scope.id === target.scope.id ? (before.rules ?? NO_RULES) : undefined;
}

/** By URN, the plans that `diff` made for the updates that follow them in the same run. */
class ChangePlans {
  private readonly plans = new Map<string, { readonly inputs: object; readonly plan: Plan }>();

  /** The plan of an update, if it was made from the same state and inputs. */
  find(state: object, inputs: { readonly __urn?: unknown }): Plan | undefined {
    const known = this.plans.get(typeof inputs.__urn === "string" ? inputs.__urn : "");
    if (known === undefined) return undefined;
    return sameJson(known.plan.recorded.state, state) && sameJson(known.inputs, inputs) ? known.plan : undefined;
  }

  /** Whether `diff` planned an update of a resource that has not followed yet. */
  has(urn: string): boolean {
    return this.plans.has(urn);
  }

  /** Keeps a plan for the update that follows. */
  keep(plan: Plan, inputs: object): void {
    this.plans.set(plan.desired.urn ?? "", { inputs, plan });
  }

  /** Drops the plan of a resource that is being changed: it is not needed again. */
  forget({ desired }: Plan): void {
    this.plans.delete(desired.urn ?? "");
  }
}

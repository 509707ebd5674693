import { sameJson } from "../model/json.js";

/** The plan of a change, which knows its resource and the state that it was made from. */
interface ChangePlan {
  readonly recorded: { readonly state: object };
  readonly desired: { readonly urn: string | undefined };
}

/** By URN, the plans that `diff` made for the updates that follow them in the same run. */
export class ChangePlans<Plan extends ChangePlan> {
  private readonly plans = new Map<string, { readonly inputs: object; readonly plan: Plan }>();

  /** The plan of a resource, if it was made from the same state and inputs. */
  find(state: object, inputs: { readonly __urn?: unknown }): Plan | undefined {
    const known = this.plans.get(typeof inputs.__urn === "string" ? inputs.__urn : "");
    if (known === undefined) return undefined;
    return sameJson(known.plan.recorded.state, state) && sameJson(known.inputs, inputs) ? known.plan : undefined;
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

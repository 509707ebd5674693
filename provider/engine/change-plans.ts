import { sameJson } from "../model/json.js";

/** A plan, and what it was made from. */
interface KnownPlan<Plan> {
  readonly state: object;
  readonly inputs: object;
  readonly plan: Plan;
}

/** By URN, the plans that `diff` made for the updates that follow them in the same run. */
export class ChangePlans<Plan> {
  private readonly plans = new Map<string, KnownPlan<Plan>>();

  /** The plan of a resource, if it was made from the same state and inputs. */
  find(urn: string, { state, inputs }: Omit<KnownPlan<Plan>, "plan">): Plan | undefined {
    const known = this.plans.get(urn);
    const isSame = known !== undefined && sameJson(known.state, state) && sameJson(known.inputs, inputs);
    return isSame ? known.plan : undefined;
  }

  keep(urn: string, known: KnownPlan<Plan>): void {
    this.plans.set(urn, known);
  }

  /** Drops the plan of a resource that is being changed: it is not needed again. */
  forget(urn: string): void {
    this.plans.delete(urn);
  }
}

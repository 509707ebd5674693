import type { Description, InputsOf, StateOf } from "../../../engine/description.js";
import type { Handlers } from "../../../engine/kind.js";
import type { Session } from "../../../engine/session.js";
import type { Pending } from "../../../model/unknown.js";
import { NO_FINDINGS } from "../../../validation/index.js";
import type { Judge, PlannedUpdate } from "../../rulesets/judge.js";
import { late } from "../../../model/late.js";

/** Only where dry runs are on. */
const loadWrites = late<typeof import("./writes.js")>(() => require("./writes.js"));

/** Whether dry runs are on, and previews may query the service. */
export function isDryRunOn({ dryRun, previewChecks }: Session): boolean {
  return dryRun !== "off" && previewChecks !== "off";
}

/** What the service says to the write of a new resource. Of a change, `diff` asks. */
export const dryRun: Judge = {
  checked: (resource) => {
    const { request, creation } = resource;
    return creation !== undefined && request.preview && isDryRunOn(request.session)
      ? loadWrites().dryRunCreation(request.session, resource.desired, creation)
      : NO_FINDINGS;
  },
};

/** The plan of an update, as `diff` made it; undefined if nothing is to be asked about it. */
export type PlanOf<D extends Description> = (
  session: Session,
  id: string,
  olds: StateOf<D>,
  news: Pending<InputsOf<D>>,
) => PlannedUpdate | undefined;

/** Handlers that ask the service in a preview whether it would accept a change. */
export function withDryRuns<D extends Description>(handlers: Handlers<D>, planOf: PlanOf<D>): Handlers<D> {
  return {
    ...handlers,
    diff: async (session, id, olds, news) => {
      const change = await handlers.diff(session, id, olds, news);
      const planned = change.kind === "update" && isDryRunOn(session) ? planOf(session, id, olds, news) : undefined;
      if (planned !== undefined) await loadWrites().dryRunPlan(session, planned);
      return change;
    },
  };
}

import type { Session } from "../../../engine/session.js";
import type { Judge } from "../../rulesets/judge.js";
import { late } from "../../../../core/model/late.js";

/** Only where dry runs are on. */
const loadWrites = late<typeof import("./writes.js")>(() => require("./writes.js"));

/** Whether dry runs are on, and previews may query the service. */
export function isDryRunOn({ dryRun, previewChecks }: Session): boolean {
  return dryRun !== "off" && previewChecks !== "off";
}

/** Asks the service in a preview whether it would accept what a new resource, or an update, writes. */
export const dryRun: Judge = {
  checked: (resource) => {
    const { request, change } = resource;
    return change !== undefined && request.preview && isDryRunOn(request.session)
      ? loadWrites().dryRunNew(request.session, change)
      : [];
  },
  planned: async ({ session, preview }, change) => {
    if (preview && isDryRunOn(session)) await loadWrites().dryRunUpdate(session, change);
  },
};

import type { Unseen } from "../../../provider/engine/preview-plan.js";
import type { MovedStep } from "./moves.js";
import type { NotJudged } from "../../../provider/validation/published-effect.js";

const TAKEN_OVER: NotJudged = {
  what: "rules that exist already",
  why: "the state of the stack does not contain the rules that are taken over",
  decidedBy: "the list of what changes in them, in the preview's note",
};

const UNDONE: NotJudged = {
  what: "changes by others",
  why: "the state of the stack does not contain what somebody else changed, and this run undoes it",
  decidedBy: "the list of these changes in the preview's note, or a preview after `pulumi refresh`",
};

const NO_PLAN: NotJudged = {
  what: "what `pulumi up` would do",
  why: "the preview has no plan for this resource, so another version of pulumi-rulesets made it, or it ended early",
  decidedBy: "a complete preview by the version that summarizes it",
};

/** What could not be judged, because the states of the preview do not show it, or because the plan is missing. */
export function notJudgedIn({
  plan,
  changesUnknown,
}: Pick<MovedStep, "plan" | "changesUnknown">): readonly NotJudged[] {
  if (plan === undefined) return [NO_PLAN];
  return [...(changesUnknown ? [TAKEN_OVER] : []), ...plan.unseen.map(notSeen)];
}

function notSeen(unseen: Unseen): NotJudged {
  if (unseen === "changes by others") return UNDONE;
  const decidedBy = "a preview with credentials, when the service responds";
  return { what: unseen.notRead, why: "the preview could not ask the service", decidedBy };
}

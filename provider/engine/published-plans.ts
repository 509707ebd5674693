import { perRun } from "./session.js";
import { planText } from "./plan-text.js";
import type { PlannedRequest, PreviewPlan } from "./preview-plan.js";
import type { Session } from "./session.js";

/** That `pulumi up` undoes what somebody else changed. */
export const UNDOES_OTHERS: Partial<PreviewPlan> = { unseen: ["changes by others"] };

const NOTHING: PreviewPlan = { writes: [], rules: {}, unseen: [] };

/** Joins what the parts of a run know of one resource. */
function joinPlans(parts: readonly Partial<PreviewPlan>[]): PreviewPlan {
  return parts.reduce<PreviewPlan>(
    (plan, part) => ({
      ...plan,
      ...part,
      rules: { ...plan.rules, ...part.rules },
      unseen: [...plan.unseen, ...(part.unseen ?? [])],
    }),
    NOTHING,
  );
}

const NOT_ASKED: Partial<PreviewPlan> = { unseen: [{ notRead: "what is at the service (previewChecks is off)" }] };

/** By URN, what a preview plans until it is published, and the writes that were published. */
const plansOfRun = perRun(() => ({
  planned: new Map<string, readonly Partial<PreviewPlan>[]>(),
  published: new Map<string, readonly PlannedRequest[]>(),
}));

/** The writes that were published last for a resource; undefined if nobody knew them. */
export function plannedWritesOf(session: Session, urn: string): readonly PlannedRequest[] | undefined {
  return plansOfRun(session).published.get(urn);
}

/** Records what `pulumi up` would do to a resource, as far as one part of a preview knows. Outside of previews, nothing. */
export function planUp(session: Session, urn: string | undefined, part: Partial<PreviewPlan>): void {
  if (urn === undefined || !isPreview(session, urn)) return;
  const { planned } = plansOfRun(session);
  planned.set(urn, [...(planned.get(urn) ?? []), part]);
}

/**
 * Publishes what was recorded for a resource, in a preview. Nothing if nobody knows its writes: whoever reads previews then says
 * that the plan is missing.
 * @param usual what holds unless something else was recorded
 */
export function publishPlan(
  session: Session,
  urn: string,
  more: Partial<PreviewPlan>,
  usual: Partial<PreviewPlan> = {},
): void {
  if (!isPreview(session, urn)) return;
  const { planned, published } = plansOfRun(session);
  const parts = [usual, ...(planned.get(urn) ?? []), more];
  planned.delete(urn);
  if (parts.every(({ writes }) => writes === undefined)) return;
  const plan = joinPlans(parts);
  published.set(urn, plan.writes);
  const isBlind = session.previewChecks === "off" && plan.writes.length > 0;
  session.reporter.plan?.(urn, planText(isBlind ? joinPlans([plan, NOT_ASKED]) : plan));
}

/** Records whether the writes of a kind are needed, where its check has read that. */
export function planKnown(session: Session, urn: string, writes: readonly PlannedRequest[], areNeeded: boolean): void {
  planUp(session, urn, { writes: areNeeded ? writes.map(({ call }) => ({ call })) : [] });
}

/** Forgets what was recorded for a resource that is replaced: the check of the new one plans it. */
export function dropPlan(session: Session, urn: string): void {
  plansOfRun(session).planned.delete(urn);
}

function isPreview(session: Session, urn: string): boolean {
  const { preview = false, provisional = false } = session.checked.get(urn) ?? {};
  return preview && !provisional;
}

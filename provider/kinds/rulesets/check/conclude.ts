import type { Description, InputsOf } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { planUp } from "../../../engine/published-plans.js";
import type { Session } from "../../../engine/session.js";
import type { Pending } from "../../../../core/model/unknown.js";
import { hasErrors, joinFindings, NO_FINDINGS, type Findings } from "../../../../core/model/failure.js";
import type { Desired } from "../desired.js";
import { acceptRules, judgeRules, type CheckedResource, type DeclaredRules, type Judges } from "../judge.js";
import type { Change } from "../plan/change.js";
import { previewOfNew } from "../plan/requests.js";
import { lastWanted, runRecord, unreadThere } from "../run.js";
import { planNew } from "../write/new.js";

/** What a new resource would do with what exists. */
export interface PlannedCreation {
  readonly change: Change;
  /** Why it must not. */
  readonly refused: Findings;
  /** Reports what it takes over or joins. */
  readonly report?: () => void | Promise<void>;
}

/** The rules that a program gives a resource, with their refs. */
export interface MatchedRules<D extends Description> {
  /** The inputs that the engine keeps. */
  readonly inputs: Pending<InputsOf<D>>;
  readonly findings: Findings;
  /** What the program wants by these inputs, if that is already parsed. */
  readonly desired?: Desired;
  /** What judges look at; undefined where no rules are given, or none that are known. */
  readonly declared?: DeclaredRules;
  /** Plans a new resource; undefined where nothing is created. */
  readonly plan?: (desired: Desired) => PlannedCreation | Promise<PlannedCreation>;
  /** Reports what is no fault. Called if nothing is refused. */
  readonly report?: () => void;
}

/** How the inputs of a kind are read. */
export interface RulesInputs<D extends Description> {
  readonly desiredOf: (inputs: Pending<InputsOf<D>>) => Desired;
  /** The fields of each rule, as far as they are known; they need not be parsed. */
  readonly fieldsOf: (inputs: Pending<InputsOf<D>>) => readonly unknown[];
}

/** Plans a new resource where it is not known what exists. */
export function planBlindly(session: Session, desired: Desired): PlannedCreation {
  return { change: planNew(session, desired, unreadThere(session, desired)).change, refused: NO_FINDINGS };
}

/**
 * The end of every check of rules: judges look at them, what a new resource would do is planned and published, and judges look at
 * what comes of it.
 */
export async function concludeCheck<D extends Description>(
  request: CheckRequest<D>,
  { inputs, findings, desired: known, declared, plan, report }: MatchedRules<D>,
  { desiredOf, fieldsOf }: RulesInputs<D>,
  judges: Judges,
): Promise<Checked<D>> {
  const { session, urn, preview } = request;
  let parsed: Desired | undefined;
  // Most resources do not change, and nobody looks at them.
  const desired = (): Desired => (parsed ??= { ...(known ?? desiredOf(inputs)), urn });
  const judged = declared === undefined ? NO_FINDINGS : await judgeRules(judges, declared);
  const planned = hasErrors(findings) ? undefined : await plan?.(desired());
  let found = joinFindings([findings, judged, planned?.refused ?? NO_FINDINGS]);
  if (hasErrors(found)) return { inputs, findings: found };
  if (declared !== undefined) await acceptRules(judges, declared);
  report?.();
  await planned?.report?.();
  const change = planned?.change;
  if (change !== undefined && preview) planUp(session, urn, previewOfNew(change, runRecord(session).dropped));
  const resource: CheckedResource = {
    request,
    fields: fieldsOf(inputs),
    change,
    get desired() {
      return desired();
    },
    get last() {
      return lastWanted(request, desiredOf);
    },
  };
  for (const { checked } of judges)
    if (checked !== undefined && !hasErrors(found)) found = joinFindings([found, await checked(resource)]);
  return { inputs, findings: found };
}

import type { RulesList } from "../../../client/index.js";
import type { Session } from "../../engine/session.js";
import {
  excessWords,
  exceededQuotas,
  SMALLEST_PLAN,
  strainedQuotas,
  type CountedList,
  type StrainedQuota,
} from "../../../core/lists/quota.js";
import { ApiError, isAboutTheRequest, RulesetsError } from "../../../core/model/errors.js";
import { strainOf, quotaWords } from "../../../core/model/quota.js";
import { capital } from "../../../core/model/words.js";
import { failure, warning, type Findings } from "../../validation/index.js";
import type { ListInputs } from "./description.js";
import { listsOfRun, type ListsOfRun } from "./run.js";

/** A list as this run leaves it. */
type PlannedList = Pick<ListInputs, "accountId" | "name" | "kind"> & Pick<CountedList, "size">;

/**
 * Judges in a preview lists and items that the account does not include, counting what this run adds to other lists. The
 * service tells what is there and the plans of the zones, which decide; the zones are read only if the smallest plan is not
 * enough.
 */
export async function checkQuota(session: Session, planned: PlannedList): Promise<Findings> {
  const { accountId, name, kind, size } = planned;
  const existing = await session.lists.of(accountId);
  const declared = listsOfRun(session).in(accountId);
  const before = listsWith(existing, declared);
  for (const list of declared) if (list.name === name) list.size = size;
  const change = { now: existing, before, after: listsWith(existing, declared) };
  if (strainedQuotas(kind, SMALLEST_PLAN, change).length === 0) return [];
  const plan = await session.zones.accountPlan(accountId);
  if (plan === undefined)
    return exceededQuotas(kind, SMALLEST_PLAN, change).flatMap((use) => warning(["items"], unknownWords(use)));
  return strainedQuotas(kind, plan, change).flatMap((use) => judged(use, plan));
}

/** Contracts extend the Enterprise plan, and whoever has more than the plan includes has it by contract too. */
function judged(use: StrainedQuota, plan: string): Findings {
  if (strainOf(use) === "near")
    return warning(
      ["items"],
      `the account would use ${quotaWords(use)} that the ${capital(plan)} plan includes (${String(use.now)} now)`,
    );
  const text = `the account would have ${excessWords(use, plan)}, which is the highest plan of the zones that the credentials can read`;
  return plan !== "enterprise" && use.now <= use.included
    ? failure(
        ["items"],
        `${text}. To continue: remove lists or items, or let the credentials read a zone of the account with a higher plan`,
      )
    : warning(["items"], `${text}. The service refuses more unless the account has them by contract`);
}

function unknownWords({ what, count }: StrainedQuota): string {
  return (
    `the account would have ${String(count)} ${what}, more than the ${capital(SMALLEST_PLAN)} plan includes. It is not known ` +
    "whether it has a higher one: no zone of it could be read, so the service decides"
  );
}

function listsWith(existing: readonly RulesList[], declared: ReturnType<ListsOfRun["in"]>): CountedList[] {
  const planned = declared.flatMap(({ name, kind, size }) => (size === undefined ? [] : [{ name, kind, size }]));
  return [...existing.filter(({ name }) => !planned.some((list) => list.name === name)), ...planned];
}

/** A refused write as an error that names the quota with its numbers, if the write exceeds one; otherwise the error itself. */
export async function explainRefusal(
  session: Session,
  planned: PlannedList,
  error: ApiError | RulesetsError,
): Promise<ApiError | RulesetsError> {
  const mayBeQuota =
    error instanceof ApiError ? isAboutTheRequest(error) && error.status === 400 : error.code === "LIST_WRITE_FAILED";
  if (!mayBeQuota) return error;
  const { accountId, name, kind } = planned;
  try {
    session.lists.forget(accountId);
    const before = await session.lists.of(accountId);
    const plan = await session.zones.accountPlan(accountId);
    const after = [...before.filter((list) => list.name !== name), planned];
    const [excess] = plan === undefined ? [] : exceededQuotas(kind, plan, { now: before, before, after });
    if (plan === undefined || excess === undefined) return error;
    return new RulesetsError(
      `the account has no room for the list ${name}: it would have ${excessWords(excess, plan)}.\n${error.message}\n` +
        "To continue: remove items or lists, or let your account team raise the quota; then run `pulumi up` again.",
      { code: "LIST_QUOTA_EXCEEDED", cause: error },
    );
  } catch {
    return error;
  }
}

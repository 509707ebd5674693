import { declaredLists } from "../../../engine/declared-lists.js";
import type { Session } from "../../../engine/session.js";
import { ApiError, PartialFailure, RulesetsError } from "../../../model/errors.js";
import type { Scope } from "../../../model/ids.js";
import { joinNames } from "../../../model/words.js";
import { COMES_FIRST } from "../../../validation/checks/lists.js";
import { listUsesOf } from "../../../validation/list-uses.js";
import { scopeIn } from "../desired.js";

/** What is needed of inputs to tell which lists they use, and in which account. */
interface InputsWithRules {
  readonly zoneId?: string | undefined;
  readonly accountId?: string | undefined;
}

/**
 * Carries out a write of rules. If the service refuses it and the rules use lists that do not exist, the error says so: most
 * often the program declares such a list, and nothing makes the rules wait for it.
 */
export async function explainingMissingLists<T>(
  session: Session,
  inputs: InputsWithRules,
  rules: readonly unknown[],
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof PartialFailure && error.cause instanceof ApiError)
      throw new PartialFailure(error.id, error.state, await explained(session, inputs, rules, error.cause));
    throw error instanceof ApiError ? await explained(session, inputs, rules, error) : error;
  }
}

async function explained(
  session: Session,
  inputs: InputsWithRules,
  rules: readonly unknown[],
  error: ApiError,
): Promise<RulesetsError> {
  const names = [...new Set(rules.flatMap((rule) => listUsesOf(rule).map(({ name }) => name)))];
  if (error.status !== 400 || names.length === 0) return error;
  const missing = await missingAmong(session, scopeIn(inputs), names).catch(() => []);
  if (missing.length === 0) return error;
  const declared = session.part(declaredLists);
  const later = missing.filter((name) => declared.kindsOf(name).length > 0);
  const shown = joinNames(missing.map((name) => `$${name}`));
  const why =
    later.length === 0
      ? `To continue: correct the name, or declare the list as a RulesList. Where the program declares it after these rules, ${COMES_FIRST}.`
      : `The program declares ${joinNames(later.map((name) => `$${name}`))}, but nothing says that it comes before these rules. To continue: ${COMES_FIRST}. ` +
        "Or run `pulumi up` again, after the list has been created.";
  return new RulesetsError(`${error.message}\nThe account has no list ${shown} now. ${why}`, {
    code: error.code,
    cause: error,
  });
}

/** Those of the lists that do not exist. Throws if that cannot be told. */
export async function missingAmong(
  session: Session,
  { level, id }: Scope,
  names: readonly string[],
): Promise<readonly string[]> {
  const accountId = level === "accounts" ? id : (await session.zones.find(id))?.accountId;
  if (accountId === undefined)
    throw new RulesetsError("the account of the zone is not known", { code: "API_NOT_FOUND" });
  session.lists.forget(accountId);
  const existing = new Set((await session.lists.of(accountId)).map(({ name }) => name));
  return names.filter((name) => !existing.has(name));
}

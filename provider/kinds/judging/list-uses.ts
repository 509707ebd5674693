import { checkCache } from "../../engine/check-cache.js";
import { declaredLists, type JudgeList } from "../../engine/declared-lists.js";
import type { Description, InputsOf } from "../../engine/description.js";
import type { Handlers } from "../../engine/kind.js";
import { redactFindings } from "../../engine/secrets.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError, ApiError, isAboutTheRequest, PartialFailure } from "../../model/errors.js";
import type { JsonObject } from "../../model/json.js";
import type { Scope } from "../../model/ids.js";
import { isListKind, unknownKindWords } from "../../lists/kind.js";
import { isUnknown } from "../../model/unknown.js";
import { nameIn } from "../../model/urn.js";
import { joinNames } from "../../model/words.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Failure, type Findings } from "../../validation/index.js";
import { missingList, wrongListKind, COMES_FIRST } from "../../validation/checks/lists.js";
import { listNamesIn, listUsesOf, type ListUse } from "../../validation/list-uses.js";
import { fieldsOf, NO_RULES, ruleEntries } from "../../rules/keyed.js";
import { scopeIn } from "../rulesets/desired.js";
import { pathIn, type DeclaredRules, type Judge } from "../rulesets/judge.js";

/** Lists of the account that rules use. */
export const listUses: Judge = { declared: checkListUses };

/**
 * Finds in a preview lists that neither exist nor are declared, and lists of a kind that does not fit. What the service has
 * accepted before is not looked up, and neither is what the program declares.
 */
async function checkListUses(rules: DeclaredRules): Promise<Findings> {
  const { request, target, isRestored, last } = rules;
  const { session, urn, preview } = request;
  const now = usesIn(session, rules);
  if (!preview || now.length === 0) return NO_FINDINGS;
  const declared = session.part(declaredLists);
  const before = ruleEntries(last?.rules ?? NO_RULES).flatMap(({ rule }) => listUsesOf(fieldsOf(rule)));
  const known = new Set(before.map(keyOf));
  const added = now.filter((use) => !known.has(keyOf(use)));
  const own = added.flatMap((use) => wrongKinds(use, declared.kindsOf(use.name)));
  const others = added.filter(({ name }) => declared.kindsOf(name).length === 0);
  const later = added.flatMap(({ name }) =>
    declared.isAnnounced(name) && declared.named(name).length === 0 ? [name] : [],
  );
  session.part(rulesBeforeLists).set(urn, { scope: target.scope, names: new Set(later) });
  const elsewhere = await checkElsewhere(session, target.scope, others);
  const found = redactFindings(joinFindings([{ failures: own, warnings: [] }, elsewhere]), request);
  return isRestored ? withoutPlaces(found) : found;
}

/** Where the rules use lists of the account. */
function usesIn(session: Session, declared: DeclaredRules): readonly ListUse[] {
  const { rules, manages } = declared;
  return session
    .part(checkCache)
    .get("list uses", [rules, manages], () =>
      rules.flatMap((rule, index) => listUsesOf(rule, pathIn(declared, ["rules", index]))),
    );
}

/** An earlier version has no place in the program. */
function withoutPlaces({ failures, warnings }: Findings): Findings {
  const whole = ({ reason }: Failure): Failure => ({ check: "unknown-list", path: ["restoreVersion"], reason });
  return { failures: failures.map(whole), warnings: warnings.map(whole) };
}

/** The lists that a resource uses from now on, and that the engine has not checked before it. */
interface RulesBeforeLists {
  readonly scope: Scope;
  readonly names: ReadonlySet<string>;
}

/**
 * By URN, in a preview. The engine checks what a resource depends on before the resource: where a list is checked after its rules,
 * nothing makes them wait for it. That is a mistake if it does not exist yet.
 */
function rulesBeforeLists(session: Session): Map<string, RulesBeforeLists> {
  const early = new Map<string, RulesBeforeLists>();
  const judge: JudgeList = async ({ accountId, name }, { preview }) => {
    const users = [...early].filter(([, { names }]) => names.has(name));
    if (!preview || users.length === 0 || session.previewChecks === "off") return NO_FINDINGS;
    try {
      if ((await session.lists.of(accountId)).some((list) => list.name === name)) return NO_FINDINGS;
      const accounts = await Promise.all(users.map(([, { scope }]) => accountOf(session, scope)));
      const own = users.flatMap(([urn], index) => (accounts[index] === accountId ? [nameIn(urn)] : []));
      return own.length === 0 ? NO_FINDINGS : failure([], tooEarly(name, own));
    } catch (error) {
      // Another check says what cannot be reached.
      if (error instanceof RulesetsError) return NO_FINDINGS;
      throw error;
    }
  };
  session.part(declaredLists).onCheck(judge);
  return early;
}

function tooEarly(name: string, resources: readonly string[]): string {
  return (
    `the rules of ${joinNames(resources)} use $${name}, and nothing makes them wait for this list, which does not exist yet. The service ` +
    `refuses rules before their lists. To continue: ${COMES_FIRST}`
  );
}

function keyOf({ name, kinds }: ListUse): string {
  return `${name} ${kinds.join()}`;
}

/** Several accounts may have lists of one name: one that fits is enough. */
function wrongKinds(use: ListUse, kinds: readonly string[]): Findings["failures"] {
  const faults = kinds.map((kind) => wrongListKind(use, kind));
  const [first] = faults;
  return first === undefined || faults.includes(undefined) ? [] : [first];
}

/** Looks up lists that the program does not declare, as far as it is known. */
async function checkElsewhere(session: Session, scope: Scope, uses: readonly ListUse[]): Promise<Findings> {
  if (uses.length === 0 || session.previewChecks === "off") return NO_FINDINGS;
  try {
    const accountId = await accountOf(session, scope);
    if (accountId === undefined) return notChecked(session, uses, "the account of the zone is not known");
    const existing = await session.lists.of(accountId);
    const declared = session.part(declaredLists);
    const names = [...new Set([...existing.map(({ name }) => name), ...declared.names])];
    return joinFindings(
      uses.map((use): Findings => {
        const list = existing.find(({ name }) => name === use.name);
        if (list !== undefined)
          return isListKind(list.kind)
            ? { failures: wrongKinds(use, [list.kind]), warnings: [] }
            : notFoundOut(session, `$${use.name} fits: ${unknownKindWords(list)}`);
        if (!declared.hasUnknown) return { failures: [missingList(use, names)], warnings: [] };
        return notChecked(
          session,
          [use],
          "the account does not have it, and the program declares lists whose names are not known yet",
        );
      }),
    );
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    return notChecked(session, uses, error.message);
  }
}

async function accountOf({ zones }: Session, scope: Scope): Promise<string | undefined> {
  if (isUnknown(scope.id)) return undefined;
  return scope.level === "accounts" ? scope.id : (await zones.find(scope.id))?.accountId;
}

/** Nothing is guessed about lists that could not be looked up. */
function notChecked(session: Session, uses: readonly ListUse[], why: string): Findings {
  const names = [...new Set(uses.map(({ name }) => `$${name}`))];
  const [lists, exist] = names.length === 1 ? ["the list", "exists"] : ["the lists", "exist"];
  return notFoundOut(session, `${lists} ${joinNames(names)} ${exist}: ${why}`);
}

function notFoundOut({ previewChecks }: Session, what: string): Findings {
  const text = `could not check whether ${what}`;
  return previewChecks === "require" ? failure([], text) : warning([], text);
}

/**
 * Handlers that write rules after the lists which they use and this run is creating: where nothing but the text of the rules says that
 * they need them, the engine does not wait. If the service refuses the rules and there are lists missing, they are written again once
 * the run has created them; otherwise the error says which they are.
 */
export function writingAfterLists<D extends Description>(
  handlers: Handlers<D>,
  rulesOf: (inputs: InputsOf<D>) => readonly unknown[],
): Handlers<D> {
  const after = <T>(session: Session, inputs: InputsOf<D>, write: () => Promise<T>): Promise<T> =>
    writeAfterLists(session, scopeIn(inputs as JsonObject), listNamesIn(rulesOf(inputs)), write);
  return {
    ...handlers,
    create: (session, inputs) => after(session, inputs, () => handlers.create(session, inputs)),
    update: (session, id, olds, news) => after(session, news, () => handlers.update(session, id, olds, news)),
  };
}

async function writeAfterLists<T>(
  session: Session,
  scope: Scope,
  names: readonly string[],
  write: () => Promise<T>,
): Promise<T> {
  const declared = session.part(declaredLists);
  const early = names.filter((name) => declared.isCreating(name));
  await Promise.all(early.map((name) => declared.created(name)));
  try {
    return await write();
  } catch (error) {
    if (error instanceof PartialFailure && error.cause instanceof ApiError) {
      const missing = await missingAfter(session, scope, names, error.cause);
      throw new PartialFailure(error.id, error.state, explained(session, missing, error.cause));
    }
    if (!(error instanceof ApiError)) throw error;
    const missing = await missingAfter(session, scope, names, error);
    const pending = names.filter(
      (name) => !early.includes(name) && (missing.includes(name) || declared.isCreating(name)),
    );
    if (await areCreated(session, pending)) return write();
    throw explained(session, missing, error);
  }
}

/** The lists that rules name and that do not exist, if the service may have refused the rules for that. */
async function missingAfter(
  session: Session,
  scope: Scope,
  names: readonly string[],
  error: ApiError,
): Promise<readonly string[]> {
  if (!isAboutTheRequest(error) || error.status !== 400 || names.length === 0) return [];
  return missingAmong(session, scope, names).catch(() => []);
}

/** How often it is looked, once a second, whether the engine begins to create a list that it has checked. */
const LOOKS = 10;

/** Waits for lists that this run creates. Whether it has created one. */
async function areCreated(session: Session, names: readonly string[]): Promise<boolean> {
  const declared = session.part(declaredLists);
  const coming = names.filter((name) => declared.named(name).length > 0);
  for (let look = 0; look < LOOKS && !coming.every((name) => declared.isCreating(name)); look += 1)
    await session.clock.sleep(1000);
  return (await Promise.all(coming.map((name) => declared.created(name)))).includes(true);
}

function explained(session: Session, missing: readonly string[], error: ApiError): RulesetsError {
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
  scope: Scope,
  names: readonly string[],
): Promise<readonly string[]> {
  const accountId = await accountOf(session, scope);
  if (accountId === undefined)
    throw new RulesetsError("the account of the zone is not known", { code: "API_NOT_FOUND" });
  session.lists.forget(accountId);
  const existing = new Set((await session.lists.of(accountId)).map(({ name }) => name));
  return names.filter((name) => !existing.has(name));
}

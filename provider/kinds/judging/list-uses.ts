import { checkCache } from "../../engine/check-cache.js";
import { listsOfRun } from "../lists/run.js";
import { redactFindings } from "../../engine/secrets.js";
import type { Session } from "../../engine/session.js";
import { RulesetsError } from "../../../core/model/errors.js";
import type { Scope } from "../../../core/model/ids.js";
import { isListKind, unknownKindWords } from "../../../core/lists/kind.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { joinNames } from "../../../core/model/words.js";
import { failure, warning, type Findings } from "../../validation/index.js";
import { missingList, wrongListKind } from "../../validation/checks/lists.js";
import { listUsesOf, type ListUse } from "../../validation/list-uses.js";
import { fieldsOf, NO_RULES, ruleEntries } from "../../../core/rules/keyed.js";
import type { Target } from "../rulesets/desired.js";
import type { DeclaredRules, Judge } from "../rulesets/judge.js";

/** Lists of the account that rules use. */
export const listUses: Judge = { declared: checkListUses };

/**
 * Finds in a preview lists that neither exist nor are declared, and lists of a kind that does not fit. What the service has
 * accepted before is not looked up, and neither is a list of the program that this run has checked before the rules.
 */
async function checkListUses(rules: DeclaredRules): Promise<Findings> {
  const { request, target, last } = rules;
  const { session, preview } = request;
  const now = usesIn(session, rules);
  if (!preview || now.length === 0) return [];
  const declared = listsOfRun(session);
  const kindsOf = (name: string): string[] => declared.named(name).map(({ kind }) => kind);
  const before = ruleEntries(last?.rules ?? NO_RULES).flatMap(({ rule }) => listUsesOf(fieldsOf(rule)));
  const known = new Set(before.map(keyOf));
  const added = now.filter((use) => !known.has(keyOf(use)));
  const own = added.flatMap((use) => wrongKinds(use, kindsOf(use.name), target.phase));
  const others = added.filter(({ name }) => kindsOf(name).length === 0);
  const elsewhere = await checkElsewhere(session, target, others);
  return redactFindings([own, elsewhere].flat(), request);
}

/** Where the rules use lists of the account. */
function usesIn(session: Session, declared: DeclaredRules): readonly ListUse[] {
  const { rules, reach } = declared;
  return checkCache(session).get("list uses", [rules, reach.manages], () =>
    rules.flatMap((rule, index) => listUsesOf(rule, reach.argumentPath(["rules", index]))),
  );
}

function keyOf({ name, kinds }: ListUse): string {
  return `${name} ${kinds.join()}`;
}

/** Several accounts may have lists of one name: one that fits is enough. */
function wrongKinds(use: ListUse, kinds: readonly string[], phase: unknown): Findings {
  const faults = kinds.map((kind) => wrongListKind(use, kind, phase));
  const [first] = faults;
  return first === undefined || faults.includes(undefined) ? [] : [first];
}

/** Looks up lists that the program does not declare, as far as it is known. */
async function checkElsewhere(
  session: Session,
  { scope, phase }: Pick<Target, "scope" | "phase">,
  uses: readonly ListUse[],
): Promise<Findings> {
  if (uses.length === 0 || session.previewChecks === "off") return [];
  try {
    const accountId = await accountOf(session, scope);
    if (accountId === undefined) return notChecked(session, uses, "the account of the zone is not known");
    const deployed = await session.lists.of(accountId);
    const names = [...new Set([...deployed.map(({ name }) => name), ...listsOfRun(session).names])];
    return uses.flatMap((use): Findings => {
      const list = deployed.find(({ name }) => name === use.name);
      if (list === undefined) return [missingList(use, names)];
      return isListKind(list.kind)
        ? wrongKinds(use, [list.kind], phase)
        : notFoundOut(session, `$${use.name} fits: ${unknownKindWords(list)}`);
    });
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    return notChecked(session, uses, error.message);
  }
}

/** The account whose lists the rules of a zone or an account use; undefined if it cannot be told. */
export async function accountOf({ zones }: Session, scope: Scope): Promise<string | undefined> {
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

import { checkCache } from "../../../engine/check-cache.js";
import { declaredLists } from "../../../engine/declared-lists.js";
import type { Request } from "../../../engine/request.js";
import { redactFindings } from "../../../engine/secrets.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import type { Scope } from "../../../model/ids.js";
import { isUnknown } from "../../../model/unknown.js";
import { joinNames } from "../../../model/words.js";
import { failure, joinFindings, NO_FINDINGS, warning, type Findings } from "../../../validation/index.js";
import { missingList, wrongListKind } from "../../../validation/checks/lists.js";
import { listUsesOf, type ListUse } from "../../../validation/list-uses.js";

/** Where lists of rules use lists of the account. */
export function listUsesIn(session: Session, rules: readonly unknown[]): readonly ListUse[] {
  return session
    .part(checkCache)
    .get("list uses", [rules], () => rules.flatMap((rule, index) => listUsesOf(rule, ["rules", index])));
}

/** Where rules use lists, as the program declares them and as they were last written. */
interface UsesOfLists {
  readonly now: readonly ListUse[];
  readonly before: readonly ListUse[];
}

/**
 * Finds in a preview lists that neither exist nor are declared, and lists of a kind that does not fit. What the service has
 * accepted before is not looked up, and neither is what the program declares.
 */
export async function checkListUses(
  request: Pick<Request, "session" | "urn" | "preview" | "secretPaths">,
  scope: Scope,
  { now, before }: UsesOfLists,
): Promise<Findings> {
  const { session, urn, preview } = request;
  session.part(declaredLists).use(
    urn,
    now.map(({ name }) => name),
  );
  if (!preview || now.length === 0) return NO_FINDINGS;
  const known = new Set(before.map(keyOf));
  const added = now.filter((use) => !known.has(keyOf(use)));
  const declared = session.part(declaredLists);
  const own = added.flatMap((use) => wrongKinds(use, declared.kindsOf(use.name)));
  const others = added.filter(({ name }) => declared.kindsOf(name).length === 0);
  const findings = { failures: own, warnings: [] };
  return redactFindings(joinFindings([findings, await checkElsewhere(session, scope, others)]), request);
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
        if (list !== undefined) return { failures: wrongKinds(use, [list.kind]), warnings: [] };
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
function notChecked({ previewChecks }: Session, uses: readonly ListUse[], why: string): Findings {
  const names = [...new Set(uses.map(({ name }) => `$${name}`))];
  const text = `could not check whether ${names.length === 1 ? "the list" : "the lists"} ${joinNames(names)} ${names.length === 1 ? "exists" : "exist"}: ${why}`;
  return previewChecks === "require" ? failure([], text) : warning([], text);
}

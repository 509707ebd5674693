import { perRun } from "../../engine/session.js";
import type { Session } from "../../engine/session.js";
import { withManagedName } from "../../../core/managed/rulesets.js";
import { executedOnce, type ExecutedOnce } from "../../validation/checks/executed.js";
import { ruleEntries } from "../../../core/rules/keyed.js";
import { failure, withCode, type Findings } from "../../validation/index.js";
import { scopeText } from "../../../core/model/ids.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { isKnownTarget, objectKeys, type Target } from "../rulesets/desired.js";
import type { DeclaredRules, Judge } from "../rulesets/judge.js";
import { ownersOf } from "../rulesets/run.js";

/* What a ruleset can have once, or only so often, whichever resources of the program have its rules. */

/** The rules that a resource of the program has in a ruleset. */
interface OwnRules {
  readonly urn: string;
  /** The name of the ruleset, where the program gives it. */
  readonly name: string | undefined;
  readonly refs: readonly string[];
  /** How many there were. */
  readonly before: number;
  /** Whether the resource is new. */
  readonly isNew: boolean;
  readonly executed: readonly ExecutedOnce[];
}

/** The resources that this run has checked, by ruleset and URN, and by place and URN. */
const checkedRules = perRun((): Map<string, Map<string, OwnRules>> => new Map());

/** The other resources of the program that have rules in the ruleset of this one, as far as this run has checked them. */
export function ownersBeside({ request: { session, urn }, ...declared }: DeclaredRules): readonly OwnRules[] {
  const known = checkedRules(session);
  const found = keysOf(declared).flatMap((key) => [...(known.get(key)?.values() ?? [])]);
  return [...new Map(found.map((one) => [one.urn, one])).values()].filter((one) => one.urn !== urn);
}

/** How many rules a resource had, or its ruleset if it is new. */
export function countBefore({ last, deployed }: Pick<DeclaredRules, "last" | "deployed">): number {
  return last?.rules?.order.length ?? deployed?.rules.length ?? 0;
}

/** Rulesets of the same kind and phase in the same zone or account, this one among them, as this run has checked them with names. */
export function rulesetsBeside(session: Session, target: Target): readonly (OwnRules & { readonly name: string })[] {
  const known = checkedRules(session).get(placeOf(target))?.values() ?? [];
  return [...known].flatMap(({ name, ...own }) => (name === undefined ? [] : [{ name, ...own }]));
}

function placeOf({ scope, kind, phase }: Target): string {
  return `${scopeText(scope)} ${kind} ${phase}`;
}

/** The rules that somebody else has in a shared ruleset at the service. */
export async function rulesOfOthers(declared: DeclaredRules): Promise<readonly DeployedRule[]> {
  const { request, target, reach, last, deployed, own } = declared;
  if (!reach.isPart) return [];
  if (last === undefined) return deployed?.rules.filter(({ id }) => !own.has(id)) ?? [];
  const refs = new Set(last.rules?.order);
  const { scope, phase } = target;
  const current = await request.session.reads.entrypoint(scope, phase).catch(() => undefined);
  return current?.rules.filter(({ ref }) => !refs.has(ref)) ?? [];
}

/** Refuses a managed ruleset that a zone executes twice: the checks of one resource see its own rules only. */
export const programRules: Judge = {
  declared: async (declared) => {
    const { target, rules, refs, request, name, last } = declared;
    const { session, urn } = request;
    const executed = isKnownTarget(target) ? executedOnce(rules, target) : [];
    const own = { urn, name, refs, before: countBefore(declared), isNew: last === undefined, executed };
    recordRules(session, declared, own);
    const others = executed.length === 0 ? [] : ownersBeside(declared);
    const found = refuseSecond(declared, executed, others);
    return withCode("executed", found.length > 0 ? found : await refuseBesideOthers(declared, executed));
  },
};

/** Refuses one that a rule outside the program executes, as far as a preview may read it. */
async function refuseBesideOthers(declared: DeclaredRules, executed: readonly ExecutedOnce[]): Promise<Findings> {
  const { request, target, last } = declared;
  const { session, preview, urn } = request;
  if (!preview || session.previewChecks === "off" || !isKnownTarget(target)) return [];
  const before = new Set(executedOnce(wantedRules(last), target).map(({ id }) => id));
  const added = executed.filter(({ id }) => !before.has(id));
  if (added.length === 0) return [];
  const rules = await rulesOfOthers(declared);
  const owners = ownersOf(session, { target, urn }, declared.deployed?.id ?? "");
  const foreign = rules.filter((rule) => owners.ownerOf(rule) === undefined);
  return executedOnce(foreign, target).flatMap(({ id, index }) =>
    added.flatMap((own) =>
      own.id === id ? secondFailure(declared, own, `the rule ${foreign[index]?.ref ?? ""} of somebody else`) : [],
    ),
  );
}

function wantedRules(last: DeclaredRules["last"]): readonly unknown[] {
  return last?.rules === undefined ? [] : ruleEntries(last.rules).map(({ rule }) => rule);
}

function recordRules(session: Session, declared: DeclaredRules, own: OwnRules): void {
  if (own.urn === "") return;
  const known = checkedRules(session);
  for (const key of [...keysOf(declared), placeOf(declared.target)])
    known.set(key, (known.get(key) ?? new Map<string, OwnRules>()).set(own.urn, own));
}

function keysOf({ target, deployed }: Pick<DeclaredRules, "target" | "deployed">): readonly string[] {
  return isKnownTarget(target) ? objectKeys(target, target.rulesetId ?? deployed?.id) : [];
}

function refuseSecond(
  declared: DeclaredRules,
  executed: readonly ExecutedOnce[],
  others: readonly OwnRules[],
): Findings {
  return executed.flatMap((own) => {
    const other = others.find((one) => one.executed.some((first) => first.id === own.id));
    return other === undefined ? [] : secondFailure(declared, own, `a rule of ${other.urn}`);
  });
}

function secondFailure(declared: DeclaredRules, { id, index }: ExecutedOnce, other: string): Findings {
  return failure(
    declared.reach.argumentPath(["rules", index, "actionParameters", "id"]),
    `${withManagedName(id)} is already executed by ${other}, and a zone can execute it only once; join the two rules`,
  );
}

import type { Session } from "../../engine/session.js";
import { withManagedName } from "../../../core/managed/rulesets.js";
import { executedOnce, type ExecutedOnce } from "../../validation/checks/executed.js";
import { failure, withCode, type Findings } from "../../validation/index.js";
import { isKnownTarget, objectKeys } from "../rulesets/desired.js";
import { pathIn, type DeclaredRules, type Judge } from "../rulesets/judge.js";

/* What a ruleset can have once, or only so often, whichever resources of the program have its rules. */

/** The rules that a resource of the program has in a ruleset. */
interface OwnRules {
  readonly urn: string;
  readonly refs: readonly string[];
  readonly executed: readonly ExecutedOnce[];
}

/** The resources that this run has checked, by ruleset and URN. */
const checkedRules = (): Map<string, Map<string, OwnRules>> => new Map();

/** The other resources of the program that have rules in the ruleset of this one, as far as this run has checked them. */
export function ownersBeside({ request: { session, urn }, ...declared }: DeclaredRules): readonly OwnRules[] {
  const known = session.part(checkedRules);
  const found = keysOf(declared).flatMap((key) => [...(known.get(key)?.values() ?? [])]);
  return [...new Map(found.map((one) => [one.urn, one])).values()].filter((one) => one.urn !== urn);
}

/** Refuses a managed ruleset that a zone executes twice: the checks of one resource see its own rules only. */
export const programRules: Judge = {
  declared: (declared) => {
    const { target, rules, refs, request } = declared;
    const { session, urn } = request;
    const executed = isKnownTarget(target) ? executedOnce(rules, target) : [];
    recordRules(session, declared, { urn, refs, executed });
    const others = executed.length === 0 ? [] : ownersBeside(declared);
    return withCode("executed", refuseSecond(declared, executed, others));
  },
};

function recordRules(session: Session, declared: DeclaredRules, own: OwnRules): void {
  if (own.urn === "") return;
  const known = session.part(checkedRules);
  for (const key of keysOf(declared)) known.set(key, (known.get(key) ?? new Map<string, OwnRules>()).set(own.urn, own));
}

function keysOf({ target, existing }: Pick<DeclaredRules, "target" | "existing">): readonly string[] {
  return isKnownTarget(target) ? objectKeys(target, target.rulesetId ?? existing?.id) : [];
}

function refuseSecond(
  declared: DeclaredRules,
  executed: readonly ExecutedOnce[],
  others: readonly OwnRules[],
): Findings {
  return executed.flatMap(({ id, index }) => {
    const other = others.find((one) => one.executed.some((first) => first.id === id));
    if (other === undefined) return [];
    const at = pathIn(declared, ["rules", index, "actionParameters", "id"]);
    return failure(
      at,
      `${withManagedName(id)} is already executed by a rule of ${other.urn}, and a zone can execute it once; join the two rules`,
    );
  });
}

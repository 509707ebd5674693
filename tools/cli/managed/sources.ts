import type { Facts } from "../../audit/facts.js";
import { whereOf } from "../../audit/scope.js";
import type { ManagedExecution } from "../../../core/managed/lock-changes.js";
import { shortRulesetId, type Scope } from "../../../core/model/ids.js";
import { isObject, textOf } from "../../../core/model/json.js";
import type { RulesetInput } from "../../../core/simulator/index.js";

/** A rule that may name parts of managed rulesets, and where it is. */
interface PlacedRule {
  readonly place: string;
  readonly rule: unknown;
}

/** What executes managed rulesets, and what names their rules. */
export interface ManagedUses {
  readonly executions: readonly ManagedExecution[];
  readonly rules: readonly PlacedRule[];
}

const RULESET_ID = /^[0-9a-f]{32}$/;

/** The uses in a ruleset. Rulesets that are among those of the same source are its own, and not managed. */
function usesIn(place: string, rules: RulesetInput["rules"], own: ReadonlySet<string>): ManagedUses {
  const executions = rules.flatMap((rule): readonly ManagedExecution[] => {
    if (rule.action !== "execute") return [];
    const { id, overrides } = isObject(rule.actionParameters) ? rule.actionParameters : {};
    const ruleset = shortRulesetId(textOf(id));
    if (!RULESET_ID.test(ruleset) || own.has(ruleset)) return [];
    return [{ place, ruleset, overrides, enabled: rule.enabled !== false }];
  });
  return { executions, rules: rules.map((rule) => ({ place, rule })) };
}

/** What zones and their accounts execute. */
export function usesOfFacts({ zones, accounts }: Facts): ManagedUses {
  const found = [...accounts, ...zones];
  const own = new Set(found.flatMap(({ rulesets, unread }) => [...rulesets, ...unread].map(({ id }) => id)));
  return joinUses(
    found.flatMap((one) => {
      const { level, name } = whereOf(one);
      const place = level === "account" ? `account ${name}` : name;
      return one.rulesets.map(({ rules }) => usesIn(place, rules, own));
    }),
  );
}

/** What a program declares, and where each executed ruleset can be read: nowhere if the program does not know its zone. */
export function usesOfProgram(
  rulesets: readonly { readonly label: string; readonly input: RulesetInput }[],
): ManagedUses & { readonly scopes: ReadonlyMap<string, readonly Scope[]> } {
  const own = new Set(rulesets.flatMap(({ input }) => input.id ?? []));
  const uses = rulesets.map(({ label, input }) => ({ input, ...usesIn(label, input.rules, own) }));
  const scopes = new Map<string, readonly Scope[]>();
  for (const { input, executions } of uses)
    for (const { ruleset } of executions) scopes.set(ruleset, [...(scopes.get(ruleset) ?? []), ...scopesOf(input)]);
  return { ...joinUses(uses), scopes };
}

function scopesOf({ zoneId = "", accountId = "" }: RulesetInput): readonly Scope[] {
  return [
    ...(RULESET_ID.test(accountId) ? [{ level: "accounts" as const, id: accountId }] : []),
    ...(RULESET_ID.test(zoneId) ? [{ level: "zones" as const, id: zoneId }] : []),
  ];
}

export function joinUses(uses: readonly ManagedUses[]): ManagedUses {
  return {
    executions: uses.flatMap(({ executions }) => executions),
    rules: uses.flatMap(({ rules }) => rules),
  };
}

import { stopsRequests } from "../../core/analysis/order/actions.js";
import type { DeployedRule, Ruleset } from "../../client/index.js";
import { shortRulesetId } from "../../core/model/ids.js";
import type { FoundAccount, FoundZone } from "./facts.js";
import { managedEffect } from "./managed.js";
import type { Meanings } from "./meaning.js";
import type { Context } from "./scope.js";

/** How many rules of a phase affect requests of a zone. */
export interface Running {
  /** Rules that stop requests; each rule of a managed ruleset counts. */
  readonly stopping: number;
  readonly logging: number;
  readonly fromAccount: boolean;
  /** IDs of the managed rulesets that run. */
  readonly managed: readonly string[];
}

/** The rules of a phase that requests of a zone meet, both its own and its account's. Rules that can never run do not count. */
export function runningIn(
  phase: string,
  zone: FoundZone,
  account: FoundAccount,
  context: Context & { readonly meanings: Meanings },
): Running {
  const parts = [account, zone].flatMap(({ rulesets }, index) =>
    rulesets
      .filter((ruleset) => ruleset.phase === phase && ruleset.kind !== "custom")
      .flatMap((ruleset) => countRules(ruleset, [...account.rulesets, ...zone.rulesets], { zone, ...context }))
      .map((part) => ({ ...part, fromAccount: index === 0 })),
  );
  return {
    stopping: sum(parts.map(({ stopping }) => stopping)),
    logging: sum(parts.map(({ logging }) => logging)),
    fromAccount: parts.some(({ fromAccount }) => fromAccount),
    managed: parts.flatMap(({ managed }) => managed),
  };
}

type Part = Omit<Running, "fromAccount">;

function countRules(
  ruleset: Ruleset,
  all: readonly Ruleset[],
  context: Context & { readonly meanings: Meanings; readonly zone: FoundZone },
): Part[] {
  return ruleset.rules
    .filter((rule) => isRunning(rule, ruleset, context))
    .flatMap((rule): Part[] => {
      const reach = context.reach(rule, ruleset.phase, context.zone);
      if (reach === "none") return [];
      if (rule.action !== "execute") return countOrdinary(rule);
      const id = shortRulesetId(rule.actionParameters?.id ?? "");
      const own = all.find((one) => one.id === id && one.kind === "custom");
      if (own !== undefined) return own === ruleset ? [] : countRules(own, all, context);
      const { stopping, logging } = managedEffect(rule, {
        phase: ruleset.phase,
        expression: "",
        reach,
        ruleset: context.managed.get(id),
      });
      return stopping + logging === 0 ? [] : [{ stopping, logging, managed: [id] }];
    });
}

/** A rule without effect is not counted, since another rule does the same in its place and is counted there. */
function isRunning(rule: DeployedRule, { kind }: Ruleset, { meanings }: { readonly meanings: Meanings }): boolean {
  if (rule.enabled === false || (kind === "custom" && rule.action === "execute")) return false;
  return !(meanings.get(rule.id) ?? []).some(({ code }) => code === "never-matches" || code === "covered");
}

function countOrdinary({ action }: DeployedRule): Part[] {
  if (stopsRequests(action)) return [{ stopping: 1, logging: 0, managed: [] }];
  return action === "log" ? [{ stopping: 0, logging: 1, managed: [] }] : [];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

import { managedRulesetPhase, withManagedName } from "../../../core/managed/rulesets.js";
import { isObject } from "../../../core/model/json.js";
import { pathText, type Path } from "../../../core/model/path.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type Findings } from "../../../core/model/failure.js";

/** Phases of a zone in which each managed ruleset can be executed once (code 20014). */
const ONCE: readonly unknown[] = ["http_request_firewall_managed", "http_response_firewall_managed"];

/** A managed ruleset that a zone can execute once, and the index of the rule that executes it. */
export interface ExecutedOnce {
  readonly id: string;
  readonly index: number;
}

/** The managed rulesets that rules execute, of which a zone can execute each once. */
export function executedOnce(
  rules: readonly unknown[],
  { phase, kind }: { readonly phase: unknown; readonly kind: unknown },
): readonly ExecutedOnce[] {
  if (kind !== "zone" || !ONCE.includes(phase)) return [];
  return rules.flatMap((rule, index) => {
    const id = executedBy(rule);
    return id === undefined || managedRulesetPhase(id) !== phase ? [] : [{ id, index }];
  });
}

/** Checks that rules execute Cloudflare's managed rulesets in the phases of these, and in a zone no more than once. */
export function checkExecuted(
  rules: readonly unknown[],
  { phase, kind }: { readonly phase: unknown; readonly kind: unknown },
  where: (index: number) => Path,
): Findings {
  const first = new Map<string, number>();
  return rules
    .map((rule, index) => {
      const id = executedBy(rule);
      const own = id === undefined ? undefined : managedRulesetPhase(id);
      if (id === undefined || own === undefined || typeof phase !== "string" || isUnknown(phase)) return [];
      const at = [...where(index), "actionParameters", "id"];
      const shown = withManagedName(id);
      if (own !== phase) return failure(at, `${shown} is a ruleset of the phase ${own}, not of ${phase}`);
      const before = first.get(id);
      first.set(id, before ?? index);
      if (before === undefined || kind !== "zone" || !ONCE.includes(phase)) return [];
      return failure(
        at,
        `${shown} is already executed by ${pathText(where(before))}, and a zone can execute it only once; join the two rules`,
      );
    })
    .flat();
}

function executedBy(rule: unknown): string | undefined {
  if (!isObject(rule) || rule.action !== "execute" || !isObject(rule.actionParameters)) return undefined;
  const { id } = rule.actionParameters;
  return typeof id === "string" ? id : undefined;
}

import type { CheckRequest } from "../../../engine/kind.js";
import type { Session } from "../../../engine/session.js";
import { RulesetsError } from "../../../model/errors.js";
import { scopeText } from "../../../model/ids.js";
import { isKnown, valueIfKnown } from "../../../model/unknown.js";
import { joinNames } from "../../../model/words.js";
import { ACCOUNT_CUSTOM_RULES, failure, NO_FINDINGS, type Findings } from "../../../validation/index.js";
import type { RULESET } from "../description.js";
import { isKnownTarget, targetOf, type Target } from "../desired.js";
import { isDryRunOn } from "../write/dry-runs.js";

/** A custom ruleset of an account as this run leaves it. */
interface Planned {
  readonly place: string;
  readonly name: string;
  readonly rules: number;
  readonly grows: boolean;
}

/** The custom rulesets of accounts that this run has checked, by URN. */
const plannedRulesets = (): Map<string, Planned> => new Map();

const PHASE = "http_request_firewall_custom";

/**
 * Refuses in a preview more custom rules than an account can have in all of its custom rulesets together. A dry run tells what
 * one ruleset would exceed; what several of this run exceed together, only their sum does, and then the others are read.
 */
export async function checkAccountRules(
  { session, preview, urn, wanted: args }: CheckRequest<typeof RULESET>,
  rules: number,
  before: number,
): Promise<Findings> {
  const target = targetOf(args);
  const name = valueIfKnown(args.name);
  if (!preview || session.previewChecks === "off" || !isKnownTarget(target) || !isCounted(target)) return NO_FINDINGS;
  if (name === undefined || !isKnown(name)) return NO_FINDINGS;
  const planned = session.part(plannedRulesets);
  const place = scopeText(target.scope);
  planned.set(urn, { place, name, rules, grows: rules > before });
  const ours = [...planned.values()].filter((one) => one.place === place);
  const growing = ours.filter(({ grows }) => grows).length;
  if (rules <= before || growing < (isDryRunOn(session) ? 2 : 1)) return NO_FINDINGS;
  try {
    const all = [...ours, ...(await others(session, target, new Set(ours.map((one) => one.name))))];
    const total = all.reduce((sum, one) => sum + one.rules, 0);
    return total <= ACCOUNT_CUSTOM_RULES ? NO_FINDINGS : failure(["rules"], excessText(total, all));
  } catch (error) {
    // The service decides.
    if (error instanceof RulesetsError) return NO_FINDINGS;
    throw error;
  }
}

function isCounted({ scope, kind, phase }: Target): boolean {
  return scope.level === "accounts" && kind === "custom" && phase === PHASE;
}

/** The account's custom rulesets that this run has not checked. */
async function others(
  { reads }: Session,
  { scope }: Target,
  known: ReadonlySet<string>,
): Promise<Pick<Planned, "name" | "rules">[]> {
  const listed = (await reads.listOfRun(scope)).filter(
    ({ kind, phase, name }) => kind === "custom" && phase === PHASE && !known.has(name),
  );
  return Promise.all(
    listed.map(async ({ id, name }) => ({ name, rules: (await reads.byId(scope, id))?.rules.length ?? 0 })),
  );
}

function excessText(total: number, all: readonly Pick<Planned, "name" | "rules">[]): string {
  const largest = all.toSorted((one, other) => other.rules - one.rules);
  const parts = joinNames(largest.map(({ name, rules }) => `${String(rules)} in ${name}`));
  return (
    `the custom rulesets of the account would have ${String(total)} rules together, ${parts}, and no account can have more ` +
    `than ${String(ACCOUNT_CUSTOM_RULES)}. To continue: remove rules, or put addresses into a list that one rule refers to`
  );
}

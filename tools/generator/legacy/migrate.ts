import plans from "../../../schema/plans.json";
import { compare, type RulesetInput } from "../../../core/analysis/index.js";
import { bulkRedirects, type BulkRedirects } from "../../../core/legacy/bulk.js";
import { convert } from "../../../core/legacy/convert.js";
import { listsOf, withoutLists, type Conversion, type NewList, type NewRule } from "../../../core/legacy/new-rules.js";
import { parseOldRules } from "../../../core/legacy/old-rules.js";
import { unprovedRules } from "../../../core/legacy/proof.js";
import type { Migration } from "../../../core/legacy/report.js";
import { REDIRECT } from "../../../core/legacy/settings.js";
import { quotasOfLists } from "../../../core/lists/quota.js";
import { quotaState, quotaWords } from "../../../core/model/quota.js";
import { parseItem } from "../../../core/lists/item.js";
import { mapFrom, ownValue } from "../../../core/model/json.js";
import type { FoundList, FoundRule, FoundRuleset } from "../inventory.js";
import { isOurs, withoutOurs } from "./ours.js";
import { enabled, foundRule, NOTE, type MigratedZone, type WithRulesets } from "./zone.js";
import { adviceOf, redirectsOf, withNotes, without } from "./redirects.js";
import { refusalOf } from "../sources/previous-waf/outcome.js";

/** Adds rules to those of a zone that do what its previous features do. Nothing of the zone is replaced or removed. */
export function migrateZone(zone: WithRulesets, { isDisabled = false } = {}): MigratedZone {
  const { migration: judged, added } = judge(zone, zone.rulesets);
  const migration = { ...judged, isDisabled };
  const lists = migration.conversion.lists.map(({ name, addresses }): FoundList => {
    const parsed = addresses.map((address) => parseItem("ip", address));
    const items = mapFrom(parsed.flatMap((item) => (item.kind === "item" ? [[item.key, item.details] as const] : [])));
    return { name, kind: "ip", description: `Addresses of previous rules of ${zone.name}`, items };
  });
  const known = new Set(lists.map(({ name }) => name));
  const own = added.filter(({ ref }) => migration.bulk?.replaced.has(ref) !== true);
  const rulesets = join(zone.rulesets, own, (rule) => foundRule(rule, isDisabled)).map((ruleset) => {
    const here = own.filter(({ phase }) => phase === ruleset.phase);
    const newLists = [...known].filter((name) => here.some(({ expression }) => expression.includes(`$${name}`)));
    return here.length === 0 ? ruleset : { ...ruleset, newLists, notes: [...(ruleset.notes ?? []), NOTE] };
  });
  const { bulk } = migration;
  return {
    rulesets,
    lists,
    migration,
    ...(bulk === undefined ? {} : { redirects: redirectsOf(zone, bulk, isDisabled) }),
  };
}

/** Converts, and compares with the rules that the program then has. */
export function judge(
  { name: zone, id, plan: known, accountId, account, wire, rulesets: all }: WithRulesets,
  rulesets: readonly FoundRuleset[],
): { readonly migration: Migration; readonly added: readonly NewRule[] } {
  const old = parseOldRules(wire);
  const plan = known === "" ? undefined : known;
  const conversion = convert(old, {
    plan,
    listSuffix: id.slice(0, 8),
    refusalOf: (rule) =>
      accountId === "" && rule.expression.includes(" in $legacy_") ? NO_ACCOUNT : refusalOf(enabled(rule), rule.phase),
  });
  const here = new Set(rulesets.flatMap(({ rules }) => rules.map(({ ref }) => ref)));
  // An earlier run may have added them; what was edited since stays.
  const added = conversion.rules.filter(({ ref }) => !here.has(ref));
  // The same rules with their addresses written out, beside what is not theirs.
  const reference = withoutLists(conversion);
  const after = join(rulesets, added, enabled);
  const proof = proofOf(
    inputsOf(join(withoutOurs(rulesets), reference, enabled), []),
    inputsOf(after, conversion.lists),
  );
  const unproved = unprovedRules(old, conversion);
  const others = all
    .filter(({ phase }) => phase === REDIRECT)
    .flatMap(({ rules }) => rules.filter((one) => !isOurs(one)));
  const bulk =
    plan === undefined
      ? undefined
      : bulkRedirects(old, conversion, { plan, others: others.length, suffix: id.slice(0, 8) });
  const isMade = account !== undefined && bulk !== undefined;
  const kept = isMade ? without(after, bulk.replaced) : after;
  const migration = {
    zone,
    old,
    conversion: isMade ? withNotes(conversion, bulk, old) : conversion,
    unproved,
    proof,
    beyond: beyond(plan, kept, conversion, isMade ? bulk : undefined),
    ...(isMade ? { bulk } : {}),
    ...(bulk === undefined || isMade ? {} : { advice: adviceOf(bulk, accountId) }),
  };
  return { migration, added };
}

const NO_ACCOUNT =
  "its new rule needs a list, and the account of the zone is not known: add the zone's `cloudflare_zone` to the state";

/**
 * Rules of the phases take precedence over page rules today, and stay in front: of redirects the first applies, of settings
 * the last. Rules that replace security features come first, as the features did.
 */
export function join(
  rulesets: readonly FoundRuleset[],
  added: readonly NewRule[],
  found: (rule: NewRule) => FoundRule,
): readonly FoundRuleset[] {
  const byPhase = new Map(Map.groupBy(added, ({ phase }) => phase));
  const joined = rulesets.map((ruleset) => {
    const own = ruleset.kind === "zone" ? byPhase.get(ruleset.phase) : undefined;
    if (own === undefined) return ruleset;
    byPhase.delete(ruleset.phase);
    const rules = own.map(found);
    return {
      ...ruleset,
      rules: ruleset.phase === REDIRECT ? [...ruleset.rules, ...rules] : [...rules, ...ruleset.rules],
    };
  });
  const fresh = [...byPhase].map(([phase, own]): FoundRuleset => ({
    name: "default",
    description: "",
    kind: "zone",
    phase,
    rules: own.map(found),
  }));
  return [...joined, ...fresh];
}

export function inputsOf(rulesets: readonly FoundRuleset[], lists: readonly NewList[]): RulesetInput[] {
  const known = listsOf(lists);
  return rulesets.map(({ phase, kind, id, name, rules }) => ({
    ...{ phase, kind, name, lists: known },
    ...(id === undefined ? {} : { id }),
    // Every rule that the service returns has an action.
    rules: rules.map((rule) => ({ action: "", ...rule })),
  }));
}

export function proofOf(before: RulesetInput[], after: RulesetInput[]): Migration["proof"] {
  const { verdict, witnesses, undecided } = compare({ before, after });
  const shown = witnesses.map(({ request }) => `a request is treated differently: ${request.url}`);
  return { isEqual: verdict === "equivalent", why: [...shown, ...undecided.map(({ rule, why }) => `${rule}: ${why}`)] };
}

/** What the plan of the zone does not include. */
function beyond(
  plan: string | undefined,
  rulesets: readonly FoundRuleset[],
  { lists }: Conversion,
  bulk: BulkRedirects | undefined,
): readonly string[] {
  if (plan === undefined) return [];
  const rank = plans.plans.indexOf(plan);
  const phases: Readonly<Record<string, { readonly most: readonly number[] }>> = plans.rules;
  const uses = rulesets.map(({ phase, rules }) => ({
    what: `rules in ${phase}`,
    count: rules.length,
    included: ownValue(phases, phase)?.most[rank] ?? Infinity,
  }));
  const ofLists =
    lists.length === 0
      ? []
      : quotasOfLists(
          lists.map(({ addresses }) => ({ kind: "ip", size: addresses.length })),
          plan,
          "ip",
        );
  const ofRedirects =
    bulk === undefined
      ? []
      : quotasOfLists([{ kind: "redirect", size: Object.keys(bulk.items).length }], plan, "redirect");
  return [...uses, ...ofLists, ...ofRedirects].filter((use) => quotaState(use) === "beyond").map(quotaWords);
}

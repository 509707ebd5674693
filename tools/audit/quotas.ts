import { quotaState, type QuotaState, type QuotaUse } from "../../core/model/quota.js";
import { formatNumber } from "../../core/model/words.js";
import { quotasOfLists } from "../../core/lists/quota.js";
import {
  ACCOUNT_CUSTOM_RULES,
  ACCOUNT_CUSTOM_RULESETS,
  ACCOUNT_RULES_EACH,
  highestPlan,
  hostnamesIncluded,
  phaseLimits,
  rulesIncluded,
  zoneRulesetsIncluded,
} from "../../provider/validation/index.js";
import type { Facts, FoundAccount, FoundZone } from "./facts.js";
import type { QuotaLine, Where } from "./report.js";

const CUSTOM = "http_request_firewall_custom";

/**
 * What zones and accounts use of what their plans include. What accounts include follows the highest plan of their zones that were
 * read, so it is only certain if all were.
 */
export function quotaLines({ zones, accounts }: Facts, isWhole: boolean): QuotaLine[] {
  return [
    ...accounts.flatMap((account) => accountLines(account, zones, isWhole)),
    ...zones.toSorted((a, b) => (a.name < b.name ? -1 : 1)).flatMap(zoneLines),
  ];
}

function accountLines(account: FoundAccount, zones: readonly FoundZone[], isWhole: boolean): QuotaLine[] {
  const own = zones.filter(({ accountId }) => accountId === account.id);
  const plan = highestPlan(own.map((zone) => zone.plan));
  const note = isWhole ? "" : "the highest plan of the zones that were read; others may have a higher one";
  const where: Where = { level: "account", id: account.id, name: account.name === "" ? account.id : account.name };
  const custom = account.rulesets.filter(({ kind, phase }) => kind === "custom" && phase === CUSTOM);
  const redirects = account.rulesets.find(({ kind, phase }) => kind === "root" && phase === "http_request_redirect");
  const ofPlan: QuotaUse[] = [
    ...quotasOfLists(account.lists ?? [], plan),
    use("rules in http_request_redirect", redirects?.rules.length ?? 0, rulesIncluded("http_request_redirect", plan)),
  ];
  const ofAccount: QuotaUse[] = [
    use("custom rulesets", custom.length, ACCOUNT_CUSTOM_RULESETS),
    use(
      "rules in all custom rulesets",
      custom.reduce((sum, one) => sum + one.rules.length, 0),
      ACCOUNT_CUSTOM_RULES,
    ),
    ...custom.map((one) => use(`rules in the custom ruleset "${one.name}"`, one.rules.length, ACCOUNT_RULES_EACH)),
  ];
  return [
    ...ofPlan.flatMap((one) => line(where, one, note)),
    ...ofAccount.flatMap((one) => line(where, one)),
    ...notReadLines(account, where),
  ];
}

/** What could not be read is not counted, so it has a line of its own. */
function notReadLines({ closed, unread, lists }: FoundAccount, where: Where): QuotaLine[] {
  return [
    ...(closed === undefined ? [] : [{ where, what: "rulesets", note: `not read: ${closed}` }]),
    ...unread.map(({ ruleset, reason }) => ({ where, what: `rules in "${ruleset}"`, note: `not read: ${reason}` })),
    ...(lists === undefined ? [{ where, what: "lists and items", note: "not read" }] : []),
  ];
}

function zoneLines(zone: FoundZone): QuotaLine[] {
  const where: Where = { level: "zone", id: zone.id, name: zone.name };
  const custom = zone.rulesets.filter(({ kind, phase }) => kind === "custom" && phase === CUSTOM);
  const entrypoints = zone.rulesets.filter(({ kind, phase }) => kind === "zone" && phaseLimits(phase).length > 0);
  return [
    ...entrypoints.flatMap(({ phase, rules }) =>
      line(where, use(`rules in ${phase}`, rules.length, rulesIncluded(phase, zone.plan))),
    ),
    ...line(where, use("custom rulesets", custom.length, zoneRulesetsIncluded(zone.plan))),
    ...(zone.hostnames === undefined ? [] : hostnameLines(where, zone.hostnames, zone.plan)),
    ...zone.unread.map(({ ruleset, reason }) => ({
      where,
      what: `rules in "${ruleset}"`,
      note: `not read: ${reason}`,
    })),
  ];
}

function hostnameLines(where: Where, hostnames: NonNullable<FoundZone["hostnames"]>, plan: string): QuotaLine[] {
  if (typeof hostnames === "object")
    return [{ where, what: "custom hostnames", note: `not read: ${hostnames.reason}` }];
  const { included, most } = hostnamesIncluded(plan);
  const note =
    most === undefined ? "more by contract" : `each more is charged for, up to ${formatNumber(most)} of them`;
  return line(where, use("custom hostnames", hostnames, included), included === undefined ? "" : note);
}

function use(what: string, count: number, included: number | undefined): QuotaUse {
  return { what, count, included: included ?? Infinity };
}

/** Nothing of what is neither used nor limited. */
function line(where: Where, { what, count, included }: QuotaUse, note = ""): QuotaLine[] {
  if (count === 0) return [];
  const state: QuotaState = quotaState({ count, included });
  const limit = Number.isFinite(included) ? { included, state } : {};
  const text = Number.isFinite(included) ? note : "no documented limit for this plan";
  return [{ where, what, used: count, ...limit, ...(text === "" ? {} : { note: text }) }];
}

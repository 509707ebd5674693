import type { Open } from "../../core/analysis/index.js";
import type { NamedInvariant } from "../../core/invariants/invariant.js";
import { judgeZones, type JudgedZone } from "../../core/invariants/judge.js";
import { invariantWords, reasonLines } from "../../core/invariants/words.js";
import { PLANS } from "../../core/language/index.js";
import { isListKind } from "../../core/lists/kind.js";
import { listInputOf } from "../../core/lists/list-input.js";
import { mapFrom } from "../../core/model/json.js";
import { listNamesIn } from "../../provider/validation/list-uses.js";
import type { ListsInput } from "../../core/simulator/lists.js";
import { rulesetInput } from "../../core/rules/without-server-fields.js";
import type { Facts, FoundAccount, FoundRulesets, FoundZone } from "./facts.js";
import { hideSecretsOf } from "./hide.js";
import type { InvariantLine } from "./report.js";

interface JudgeInvariants {
  readonly facts: Facts;
  readonly invariants: readonly NamedInvariant[];
  /** Whether the report is about every zone there is. */
  readonly isWhole: boolean;
  readonly now: Date;
}

/** Judges invariants in all zones of a report. */
export function invariantLines({ facts, invariants, isWhole, now }: JudgeInvariants): readonly InvariantLine[] {
  const hide = hideSecretsOf(facts);
  const accounts = new Map(facts.accounts.map((account) => [account.id, account]));
  const lists = new Map(facts.accounts.map((account) => [account.id, listsOf(account)]));
  const zones = facts.zones.map((zone) =>
    judgedZone(zone, accounts.get(zone.accountId), lists.get(zone.accountId) ?? {}),
  );
  const accountOf = new Map(facts.zones.map(({ id, accountId }) => [id, accounts.get(accountId)]));
  const { verdicts, findings } = judgeZones({ invariants, zones, now, isWhole });
  return invariants.map((invariant) => ({
    name: invariant.name,
    words: invariantWords(invariant),
    zones: verdicts
      .filter((one) => one.invariant === invariant)
      .map((one) => {
        const { zone, verdict, exception, proof } = one;
        const zoneId = zone.zone.id ?? "";
        const unread = proof.verdict === "unknown" ? unreadLists(invariant, zone, accountOf.get(zoneId)) : [];
        return {
          zoneId,
          zoneName: zone.label,
          verdict,
          lines: reasonLines(one).map(hide),
          ...(verdict === "excepted" && exception !== undefined
            ? { exception: { until: exception.until, reason: exception.reason } }
            : {}),
          ...(unread.length === 0 ? {} : { unreadLists: unread }),
        };
      }),
    findings: findings
      .filter((one) => one.invariant === invariant)
      .map(({ code, severity, message }) => ({ code, severity, message })),
  }));
}

function judgedZone(zone: FoundZone, account: FoundAccount | undefined, lists: ListsInput): JudgedZone {
  const { id, name, plan } = zone;
  const ofAccount = (account?.rulesets ?? []).map((one) => ({ ...rulesetInput(one), accountId: account?.id }));
  const known = new Set(ofAccount.map((one) => one.id));
  const own = zone.rulesets.filter((one) => !known.has(one.id)).map((one) => ({ ...rulesetInput(one), zoneId: id }));
  return {
    label: name,
    zone: { id, name, plan: PLANS.find((one) => one === plan) },
    rulesets: [...ofAccount, ...own].map((one) => ({ ...one, lists })),
    open: [...openIn(zone), ...(account === undefined ? [] : openIn(account))],
  };
}

/** The lists whose items were read, or that have none. */
function listsOf(account: FoundAccount): ListsInput {
  const lists = (account.lists ?? []).flatMap(({ name, kind, size, items = size === 0 ? {} : undefined }) =>
    items === undefined || !isListKind(kind) ? [] : [[name, listInputOf(kind, items)] as const],
  );
  return mapFrom(lists);
}

/** The lists that an invariant or the rules in a zone name and that could not be read. */
function unreadLists(
  { requests }: NamedInvariant,
  { rulesets }: JudgedZone,
  account: FoundAccount | undefined,
): readonly string[] {
  const { lists, unreadLists: failures = [] } = account ?? {};
  // What the rules name is parsed for every invariant.
  if (failures.length === 0) return [];
  const isUnread = (name: string): boolean => {
    if (lists === undefined) return true;
    const found = lists.find((one) => one.name === name);
    return found !== undefined && found.items === undefined && (found.size > 0 || !isListKind(found.kind));
  };
  return listNamesIn([{ expression: requests }, ...rulesets.flatMap(({ rules }) => rules)])
    .filter(isUnread)
    .map((name) => `$${name}`);
}

function openIn({ closed, unread }: FoundRulesets): readonly Open[] {
  const decidedBy = "a run that can read it";
  return [
    ...(closed === undefined ? [] : [{ why: `the rulesets of the account could not be read: ${closed}`, decidedBy }]),
    ...unread.map(({ ruleset, reason }) => ({
      why: `the ruleset "${ruleset}" could not be read: ${reason}`,
      decidedBy,
    })),
  ];
}

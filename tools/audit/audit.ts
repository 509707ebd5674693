import { bySeverity } from "../../core/language/index.js";
import { managedRulesetName } from "../../core/managed/rulesets.js";
import { EXPIRY_WARNING_DAYS } from "../../core/model/numbers.js";
import { auditScope } from "./audit-scope.js";
import { coverageOf, type ZoneCoverage } from "./coverage.js";
import type { Facts, FoundAccount, UnreadListedRuleset, UnreadRuleset } from "./facts.js";
import { hideSecretsOf } from "./hide.js";
import { listFindings } from "./lists.js";
import { meaningsInAccount, meaningsInZone } from "./meaning.js";
import { ALWAYS_SHOWN, phaseWords, PROTECTIVE_PHASE_NAMES } from "./phases.js";
import {
  REPORT_VERSION,
  type AccountEntry,
  type AuditFinding,
  type Report,
  type RulesetLine,
  type UnreadPart,
  type ZoneEntry,
} from "./report.js";
import { runningIn } from "./running.js";
import { makeContext } from "./scope.js";

/** A zone that could not be read at all. */
interface FailedZone {
  readonly id: string;
  readonly name: string;
  readonly failure: string;
}

interface AuditInput {
  readonly facts: Facts;
  readonly failed: readonly FailedZone[];
  /** Whether every zone of the accounts was read: only then is it certain that no zone executes a ruleset. */
  readonly isWhole: boolean;
  /** RFC 3339, UTC. */
  readonly createdAt: string;
  /** For how many days before its end a rule is reported. @default 7 */
  readonly expiryWarningDays?: number;
}

/** Reports what protects the zones, what weakens that protection, and which rules have no effect. */
export function audit({
  facts,
  failed,
  isWhole,
  createdAt,
  expiryWarningDays = EXPIRY_WARNING_DAYS,
}: AuditInput): Report {
  const hide = hideSecretsOf(facts);
  const context = makeContext(facts, { isWhole, hide, now: Date.parse(createdAt) / 1000, expiryWarningDays });
  const accounts = facts.accounts.map((account) => auditScope(account, meaningsInAccount(account), context));
  const byAccount = new Map(
    facts.accounts.map((account, index) => [account.id, { account, audited: accounts[index] }]),
  );
  const zones = facts.zones.map((zone) => {
    const { account = NO_ACCOUNT, audited } = byAccount.get(zone.accountId) ?? {};
    const meanings = meaningsInZone(zone, account, context);
    const own = auditScope(zone, meanings, context);
    const phases = PROTECTIVE_PHASE_NAMES.map(
      (phase) => [phase, runningIn(phase, zone, account, { ...context, meanings })] as const,
    );
    const coverage: ZoneCoverage = {
      zone,
      account,
      running: new Map(phases),
      judged: [...own.judged, ...(audited?.judged ?? [])],
    };
    return { zone, own, coverage };
  });
  const phases = shownPhases(facts);
  const { cells, findings } = coverageOf(
    zones.map(({ coverage }) => coverage),
    phases,
  );
  return {
    version: REPORT_VERSION,
    createdAt,
    phases,
    zones: [
      ...zones.map(({ zone, own }, index): ZoneEntry => ({
        ...{ zoneId: zone.id, zoneName: zone.name, accountId: zone.accountId, plan: zone.plan },
        coverage: cells[index] ?? [],
        rulesets: own.lines,
        unread: zone.unread.map(unreadPart),
      })),
      ...failed.map(failedEntry),
    ].toSorted((a, b) => (a.zoneName < b.zoneName ? -1 : 1)),
    accounts: facts.accounts.map((account, index) => accountEntry(account, accounts[index]?.lines ?? [])),
    findings: sortFindings([
      ...findings,
      ...facts.accounts.flatMap((account) =>
        listFindings(account, facts.zones, { today: createdAt.slice(0, 10), hide }),
      ),
      ...[...accounts, ...zones.map(({ own }) => own)].flatMap(({ judged }) => judged.map(({ finding }) => finding)),
    ]),
    unread: facts.unreadManaged.map(unreadManagedPart),
    notes: [],
  };
}

const NO_ACCOUNT: FoundAccount = { level: "account", id: "", name: "", rulesets: [], unread: [] };

/** The phases of the picture: those of every firewall, and those that contain anything. */
function shownPhases({ zones, accounts }: Facts): string[] {
  const present = new Set([...zones, ...accounts].flatMap(({ rulesets }) => rulesets.map(({ phase }) => phase)));
  return PROTECTIVE_PHASE_NAMES.filter((phase) => ALWAYS_SHOWN.includes(phase) || present.has(phase));
}

function unreadPart({ phase, ruleset, reason, isForbidden }: UnreadListedRuleset): UnreadPart {
  return { phase, what: `${phaseWords(phase)} ("${ruleset}")`, reason, isForbidden };
}

function failedEntry({ id, name, failure }: FailedZone): ZoneEntry {
  return { zoneId: id, zoneName: name, accountId: "", plan: "", coverage: [], rulesets: [], unread: [], failure };
}

function accountEntry(
  { id, name, unread, closed, isForbidden, unreadLists = [] }: FoundAccount,
  rulesets: readonly RulesetLine[],
): AccountEntry {
  return {
    accountId: id,
    accountName: name,
    rulesets,
    unread: [
      ...(closed === undefined ? [] : [{ what: "its rulesets", reason: closed, isForbidden }]),
      ...unread.map(unreadPart),
      ...unreadLists,
    ],
  };
}

function unreadManagedPart({ id, reason, isForbidden }: UnreadRuleset): UnreadPart {
  return {
    of: "managed rules",
    what: managedRulesetName(id) ?? `managed ruleset ${id}`,
    reason: `only its overrides show what its rules do: ${reason}`,
    isForbidden,
  };
}

/** By severity, then by zone, phase and rule. */
function sortFindings(findings: readonly AuditFinding[]): AuditFinding[] {
  const text = ({ where, phase, key }: AuditFinding): string => [where.level, where.name, phase, key].join("\0");
  return findings.toSorted((a, b) => bySeverity(a, b) || (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0));
}

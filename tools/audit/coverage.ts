import { findNeeds, isEntitled } from "../../provider/validation/index.js";
import { phaseResourceId } from "../../core/model/ids.js";
import type { FoundAccount, FoundZone } from "./facts.js";
import { CLOUDFLARE_DEFAULT, LOGGING_BY_DEFAULT, phaseWords } from "./phases.js";
import type { Cell, AuditFinding, State } from "./report.js";
import type { FindingWithImpact } from "./rule-findings.js";
import type { Running } from "./running.js";
import { whereOf } from "./scope.js";

/** A zone and what runs in it, by phase. */
export interface ZoneCoverage {
  readonly zone: FoundZone;
  readonly account: FoundAccount;
  readonly running: ReadonlyMap<string, Running>;
  /** What weakens the zone: findings of the zone and of its account. */
  readonly judged: readonly FindingWithImpact[];
}

/** The cells of every zone, and findings on zones that lack what other zones have. */
export function coverageOf(
  zones: readonly ZoneCoverage[],
  phases: readonly string[],
): { readonly cells: readonly (readonly Cell[])[]; readonly findings: readonly AuditFinding[] } {
  const usual = new Map(phases.map((phase) => [phase, usualIn(phase, zones)]));
  const cells = zones.map((one) => phases.map((phase) => cellOf(phase, one, usual.get(phase) ?? NO_PROTECTION)));
  const findings = zones.flatMap(({ zone }, index) =>
    (cells[index] ?? []).flatMap((cell) => finding(zone, cell, usual.get(cell.phase) ?? NO_PROTECTION)),
  );
  return { cells, findings };
}

/** What protects zones in a phase. */
interface Usual {
  readonly protectedZones: number;
  /** Managed rulesets that run there, and whether anything else does. */
  readonly managed: ReadonlySet<string>;
  readonly others: boolean;
}
const NO_PROTECTION: Usual = { protectedZones: 0, managed: new Set(), others: false };

function usualIn(phase: string, zones: readonly ZoneCoverage[]): Usual {
  const running = zones.flatMap((one) => one.running.get(phase) ?? []).filter(({ stopping }) => stopping > 0);
  return {
    protectedZones: running.length,
    managed: new Set(running.flatMap(({ managed }) => managed)),
    others: running.some(({ managed }) => managed.length === 0),
  };
}

function cellOf(phase: string, { zone, account, running, judged }: ZoneCoverage, usual: Usual): Cell {
  const { stopping, logging, fromAccount } = running.get(phase) ?? { stopping: 0, logging: 0, fromAccount: false };
  const weakening = judged.filter(
    ({ finding: { severity }, phases, zones }) =>
      severity !== "info" && phases.includes(phase) && (zones === undefined || zones.has(zone.id)),
  );
  const isUnread =
    [...zone.unread, ...account.unread].some((part) => part.phase === phase) ||
    (account.closed !== undefined && stopping === 0);
  const state = ((): State => {
    if (isUnread) return "unknown";
    if (stopping > 0) return weakening.length > 0 ? "weakened" : "active";
    const isDefault = CLOUDFLARE_DEFAULT.has(phase) || (logging > 0 && LOGGING_BY_DEFAULT.has(phase));
    if (isDefault && weakening.length === 0) return "default";
    if (logging > 0) return "logging";
    if (!isInPlan(phase, zone, usual)) return "notInPlan";
    return usual.protectedZones + weakening.length > 0 ? "unprotected" : "empty";
  })();
  return { phase, state, stopping, logging, fromAccount, findings: weakening.map(({ finding: { key } }) => key) };
}

/** Whether the plan of a zone includes anything that protects other zones in a phase. */
function isInPlan(phase: string, { plan }: FoundZone, { managed, others }: Usual): boolean {
  if (others || managed.size === 0) return true;
  return [...managed].some((id) => {
    const needs = findNeeds([{ action: "execute", actionParameters: { id } }], phase);
    return needs.every((need) => isEntitled(need, plan));
  });
}

function finding(zone: FoundZone, { phase, state, logging }: Cell, { protectedZones }: Usual): AuditFinding[] {
  const where = whereOf(zone);
  const scope = { level: "zones", id: zone.id } as const;
  const key = phaseResourceId(scope, phase);
  if (state === "unprotected" && protectedZones > 0) {
    const others = protectedZones === 1 ? "1 other zone do" : `${String(protectedZones)} other zones do`;
    const message = `no rule stops a request in ${phaseWords(phase)}, where rules of ${others}`;
    return [{ key: `${key}/no-protection`, code: "no-protection", severity: "error", where, phase, message }];
  }
  if (state === "logging" && !LOGGING_BY_DEFAULT.has(phase)) {
    const rules = logging === 1 ? "the one rule that runs" : `the ${String(logging)} rules that run`;
    const message = `${rules} in ${phaseWords(phase)} only log${logging === 1 ? "s" : ""}: nothing stops a request`;
    return [{ key: `${key}/log-only`, code: "log-only", severity: "warning", where, phase, message }];
  }
  return [];
}

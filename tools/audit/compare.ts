import { bySeverity, type FindingCode } from "../../core/language/index.js";
import { type Regression, type Report, type AuditFinding, type Cell, type State } from "./report.js";
import { ruleRegressions } from "./rule-regressions.js";
import { plural } from "../../core/model/words.js";
import { whereOfZone } from "./scope.js";

/** One of each text: several rules may have the same name. */
function withoutRepetition(worse: readonly Regression[]): readonly Regression[] {
  const byText = new Map(
    worse.map((one) => [JSON.stringify([one.where.id, one.phase, one.rule?.description, one.message]), one]),
  );
  return [...byText.values()];
}

/** Adds what got worse since an earlier report. A zone that is new since then is reported in full. */
export function compareWithBaseline(now: Report, before: Report): Report {
  const findings = findingRegressions(now, before);
  const rules = ruleRegressions(now, before, findings);
  const worse = withoutRepetition([...coverageRegressions(now, before), ...findings, ...rules.worse]);
  const zones = new Set(now.zones.map(({ zoneId }) => zoneId));
  const gone = before.zones.filter(({ zoneId }) => !zones.has(zoneId)).map(({ zoneName }) => zoneName);
  return {
    ...now,
    notes: [
      ...now.notes,
      ...(gone.length === 0 ? [] : [`${plural(gone.length, "zone")} of the baseline not checked: ${gone.join(", ")}`]),
    ],
    baseline: {
      createdAt: before.createdAt,
      worse: worse.toSorted(bySeverity),
      notJudged: rules.notJudged,
    },
  };
}

/** Findings on a whole phase: for zones in the baseline, the comparison of cells covers them. */
const OF_PHASES: ReadonlySet<FindingCode> = new Set(["no-protection", "log-only"]);
/** Findings on what one rule does: comparing the rules covers changes, and an unchanged state is not news. */
const OF_RULES: ReadonlySet<FindingCode> = new Set(["disabled-rule", "managed-for-some"]);

/** Findings that are new or increased. What a rule does that was there before is judged with the other rules. */
function findingRegressions(now: Report, before: Report): Regression[] {
  const old = new Map(before.findings.map((finding) => [finding.key, finding]));
  const known = new Set(before.zones.filter(({ failure }) => failure === undefined).map(({ zoneId }) => zoneId));
  return now.findings.flatMap((finding): Regression[] => {
    const { code, severity } = finding;
    if (OF_RULES.has(code) || (OF_PHASES.has(code) && known.has(finding.where.id))) return [];
    const was = old.get(finding.key);
    const message = was === undefined ? finding.message : changedWords(finding, was);
    // A newly added exception is more severe than one that was there before.
    if (message === undefined) return [];
    return [{ ...finding, severity: code === "skip" ? "warning" : severity, message }];
  });
}

function changedWords({ amount, message }: AuditFinding, was: AuditFinding): string | undefined {
  return amount !== undefined && amount > (was.amount ?? 0)
    ? `${message} (${String(was.amount ?? 0)} before)`
    : undefined;
}

/** How well each state protects. Weakened protection is reported by findings, and unknown states are not compared. */
const RANK: Readonly<Record<State, number | undefined>> = {
  unprotected: 0,
  empty: 0,
  logging: 1,
  weakened: 2,
  active: 2,
  default: 2,
  notInPlan: undefined,
  unknown: undefined,
};

/** Cells whose protection is gone, or now only logs. */
function coverageRegressions(now: Report, before: Report): Regression[] {
  const old = new Map(
    before.zones.map((zone) => [zone.zoneId, new Map(zone.coverage.map((cell) => [cell.phase, cell]))]),
  );
  return now.zones.flatMap((zone) =>
    zone.coverage.flatMap((cell): Regression[] => {
      const was = old.get(zone.zoneId)?.get(cell.phase);
      const [rankNow, rankThen] = [RANK[cell.state], was === undefined ? undefined : RANK[was.state]];
      if (was === undefined || rankNow === undefined || rankThen === undefined || rankNow >= rankThen) return [];
      return [{ where: whereOfZone(zone), phase: cell.phase, severity: "error", message: lostWords(cell, was) }];
    }),
  );
}

function lostWords({ state, logging }: Cell, was: Cell): string {
  const before = was.stopping > 0 ? `${plural(was.stopping, "rule")} stopped requests` : "rules logged requests";
  const after =
    state === "logging" ? `${plural(logging, "rule")} only ${logging === 1 ? "logs" : "log"}` : "nothing runs";
  return `${before}; now ${after}`;
}

import { ruleNames } from "../../../core/simulator/rule-names.js";
import { type SourceFailure, hidingSecretsOf, mapTexts, notesOn, unreadOf, type LoadedRules } from "../loaded.js";
import { oldCatalogueText } from "../../../core/language/catalogue/age.js";
import { bySeverity, type Plan } from "../../../core/language/index.js";
import { EXPIRY_WARNING_DAYS } from "../../../core/model/numbers.js";
import { CHECKS } from "./checks.js";
import type { CheckFinding, ReportedFinding } from "./finding.js";
import { positionOf, reported } from "./rule-findings.js";
import { applyWaivers, type Waived, type Waiver } from "./waivers.js";

export interface CheckReport {
  readonly sources: readonly { readonly label: string; readonly rulesets: number; readonly rules: number }[];
  readonly findings: readonly ReportedFinding[];
  readonly unusedWaivers: Waived["unused"];
  readonly notes: readonly string[];
  /** Sources that could not be read. */
  readonly failures: readonly SourceFailure[];
  /** Parts of sources that could not be read, and are left out. */
  readonly unread: readonly SourceFailure[];
}

interface ReportOptions {
  readonly waivers: readonly Waiver[];
  /** RFC 3339, UTC. */
  readonly now: string;
  /** Plan of the zones, if the source does not give it. */
  readonly plan?: Plan;
  /** What was found in files of invariants. */
  readonly invariants?: readonly ReportedFinding[];
  /** For how many days before its end a rule is reported. @default 7 */
  readonly expiryWarningDays?: number | undefined;
  /** Limit of the analysis of each source. @default that of the analysis */
  readonly steps?: number | undefined;
}

/** Runs every check on every source. */
export function reportOn(
  sources: readonly (LoadedRules | SourceFailure)[],
  { waivers, now, plan, invariants = [], expiryWarningDays = EXPIRY_WARNING_DAYS }: ReportOptions,
): CheckReport {
  const loaded = sources.flatMap((source) => ("failure" in source ? [] : [source]));
  const found = loaded.flatMap((source) =>
    findingsOf(source, { plan, now, expiryWarningDays }).map(({ reported }) => reported),
  );
  const unread = loaded.flatMap(unreadOf);
  const { findings, unused } = applyWaivers([...found, ...invariants], waivers, now.slice(0, 10));
  return {
    sources: loaded.map(({ label, rulesets }) => ({
      label,
      rulesets: rulesets.length,
      rules: rulesets.reduce((sum, { input }) => sum + input.rules.length, 0),
    })),
    findings,
    unusedWaivers: unused,
    notes: [
      ...loaded.flatMap(notesOn),
      ...unread.filter(({ isUnknown }) => isUnknown).map(({ label, failure }) => `Not checked: ${label}: ${failure}`),
      ...[oldCatalogueText(findings, Date.parse(now))].flatMap((text) => text ?? []),
    ],
    unread,
    failures: sources.flatMap((source) => ("failure" in source ? [source] : [])),
  };
}

/** What the checks find in the rules of a source, in their order: as it was found, and as reports show it. */
export function findingsOf(
  source: LoadedRules,
  { plan, now, expiryWarningDays = EXPIRY_WARNING_DAYS, steps }: Omit<ReportOptions, "waivers">,
): readonly { readonly found: CheckFinding; readonly reported: ReportedFinding }[] {
  const { zone, rulesets } = source;
  const known = { name: zone?.name ?? "", plan: plan ?? zone?.plan };
  const limits = { now: Date.parse(now) / 1000, expiryWarningDays, steps };
  const found = CHECKS.flatMap((check) => check({ rulesets, zone: known, ...limits }));
  const names = ruleNames(rulesets.map(({ input }) => input));
  const inOrder = [...found].sort((a, b) => a.ruleset - b.ruleset || positionOf(a) - positionOf(b) || bySeverity(a, b));
  const hide = hidingSecretsOf(source);
  return inOrder.map((one) => ({
    found: one,
    reported: mapTexts(reported(source, one, names[one.ruleset] ?? []), hide),
  }));
}

export function isOpen({ waived }: ReportedFinding): boolean {
  return waived === undefined;
}

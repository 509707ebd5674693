import { LEVELS, type Regression, type Report } from "./report.js";
import { coverageRegressions } from "./coverage-regressions.js";
import { findingRegressions } from "./finding-regressions.js";
import { ruleRegressions } from "./rule-regressions.js";
import { plural } from "../provider/model/words.js";

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
      worse: worse.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
      notJudged: rules.notJudged,
    },
  };
}

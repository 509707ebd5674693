import { count } from "../words.js";
import { LEVELS, type Report } from "./report.js";
import { coverageLost } from "./worse-coverage.js";
import { worseFindings } from "./worse-findings.js";
import { worseRules } from "./worse-rules.js";

/** Adds what got worse since an earlier report. A zone that is new since then is reported in full. */
export function compareWithBaseline(now: Report, before: Report): Report {
  const findings = worseFindings(now, before);
  const worse = [...coverageLost(now, before), ...findings, ...worseRules(now, before, findings)];
  const zones = new Set(now.zones.map(({ zoneId }) => zoneId));
  const gone = before.zones.filter(({ zoneId }) => !zones.has(zoneId)).map(({ zoneName }) => zoneName);
  return {
    ...now,
    notes: [
      ...now.notes,
      ...(gone.length === 0 ? [] : [`${count(gone.length, "zone")} of the baseline not checked: ${gone.join(", ")}`]),
    ],
    baseline: {
      createdAt: before.createdAt,
      worse: worse.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level)),
    },
  };
}

import { plural } from "../../../core/model/words.js";
import type { CheckResult, Status } from "./check-result.js";

const MARKS: Readonly<Record<Status, string>> = { ok: "ok", warning: "warning", failure: "failure", unknown: "?" };
const AREAS: Readonly<Record<CheckResult["area"], string>> = {
  machine: "This machine",
  credentials: "Credentials",
  service: "The service",
  permissions: "Permissions",
};

/** One line per check, followed by what to do about it, by area and by the credentials that were used. */
export function renderResults(lines: readonly CheckResult[]): string {
  const areas = Object.keys(AREAS) as CheckResult["area"][];
  const used = [...new Set(lines.map(({ credentials }) => credentials))];
  const parts = used.flatMap((credentials) =>
    areas.flatMap((area) => {
      const own = lines.filter((line) => line.area === area && line.credentials === credentials);
      const heading = credentials === undefined ? AREAS[area] : `${AREAS[area]}, with ${credentials}`;
      return own.length === 0 ? [] : [[heading, ...own.map(lineText)].join("\n")];
    }),
  );
  return [...parts, summary(lines)].join("\n\n");
}

function lineText({ status, subject, found, next }: CheckResult): string {
  const first = `  ${MARKS[status].padEnd(8)} ${subject}: ${found}`;
  return next === undefined ? first : `${first}\n${" ".repeat(11)}→ ${next}`;
}

function summary(lines: readonly CheckResult[]): string {
  const count = (status: Status): number => lines.filter((line) => line.status === status).length;
  const [failures, warnings] = [count("failure"), count("warning")];
  if (failures + warnings === 0) return "No problems found.";
  return `${plural(failures, "failure")}, ${plural(warnings, "warning")}.`;
}

import type { Cell, Report, State, Regression } from "./report.js";
import { whereOfZone } from "./scope.js";
import { plural } from "../provider/model/words.js";

/** How well each state protects. Weakened protection is reported by findings, and unknown states are not compared. */
const RANK: Readonly<Record<State, number | undefined>> = {
  unprotected: 0,
  logging: 1,
  weakened: 2,
  protected: 2,
  default: 2,
  notInPlan: undefined,
  unknown: undefined,
};

/** Cells whose protection is gone, or now only logs. */
export function coverageRegressions(now: Report, before: Report): Regression[] {
  const old = new Map(
    before.zones.map((zone) => [zone.zoneId, new Map(zone.coverage.map((cell) => [cell.phase, cell]))]),
  );
  return now.zones.flatMap((zone) =>
    zone.coverage.flatMap((cell): Regression[] => {
      const was = old.get(zone.zoneId)?.get(cell.phase);
      const [rankNow, rankThen] = [RANK[cell.state], was === undefined ? undefined : RANK[was.state]];
      if (was === undefined || rankNow === undefined || rankThen === undefined || rankNow >= rankThen) return [];
      return [{ where: whereOfZone(zone), phase: cell.phase, level: "high", message: lostWords(cell, was) }];
    }),
  );
}

function lostWords({ state, logging }: Cell, was: Cell): string {
  const before = was.stopping > 0 ? `${plural(was.stopping, "rule")} stopped requests` : "rules logged requests";
  const after =
    state === "logging" ? `${plural(logging, "rule")} only ${logging === 1 ? "logs" : "log"}` : "nothing runs";
  return `${before}; now ${after}`;
}

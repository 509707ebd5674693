import { count } from "../words.js";
import type { Cell, Report, State, Worse } from "./report.js";
import { whereOfZone } from "./scope.js";

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
export function coverageLost(now: Report, before: Report): Worse[] {
  const old = new Map(
    before.zones.map((zone) => [zone.zoneId, new Map(zone.coverage.map((cell) => [cell.phase, cell]))]),
  );
  return now.zones.flatMap((zone) =>
    zone.coverage.flatMap((cell): Worse[] => {
      const was = old.get(zone.zoneId)?.get(cell.phase);
      const [rankNow, rankThen] = [RANK[cell.state], was === undefined ? undefined : RANK[was.state]];
      if (was === undefined || rankNow === undefined || rankThen === undefined || rankNow >= rankThen) return [];
      return [{ where: whereOfZone(zone), phase: cell.phase, level: "high", message: lostWords(cell, was) }];
    }),
  );
}

function lostWords({ state, logging }: Cell, was: Cell): string {
  const before = was.stopping > 0 ? `${count(was.stopping, "rule")} stopped requests` : "rules logged requests";
  const after =
    state === "logging" ? `${count(logging, "rule")} only ${logging === 1 ? "logs" : "log"}` : "nothing runs";
  return `${before}; now ${after}`;
}

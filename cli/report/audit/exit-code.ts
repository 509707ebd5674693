import { LEVELS, type Level, type Report } from "./report.js";

/**
 * 0 when no finding reaches the given level, 2 when one does or something got worse since the baseline, 3 when a zone or a
 * part of it could not be read. A token without access to the account's rulesets is not a failure; the report says what it
 * could not check.
 */
export function exitCodeOf({ zones, accounts, findings, baseline }: Report, failOn: Level | "never"): 0 | 2 | 3 {
  const isUnread =
    zones.some(({ failure, unread }) => failure !== undefined || unread.length > 0) ||
    accounts.some(({ unread, isForbidden }) => isForbidden !== true && unread.length > 0);
  if (isUnread) return 3;
  const counted = baseline?.worse ?? findings;
  const isGrave = ({ level }: { readonly level: Level }): boolean =>
    failOn !== "never" && LEVELS.indexOf(level) <= LEVELS.indexOf(failOn);
  return counted.some(isGrave) ? 2 : 0;
}

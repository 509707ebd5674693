import { isAtLeast, type Severity } from "../../core/language/index.js";
import { hasNoAnswer } from "../../core/model/unread.js";
import type { Report } from "./report.js";

/** What fails the command. */
export interface Gate {
  /** The lowest severity that does. */
  readonly failOn: Severity | "never";
  /** Whether changes since a baseline that could not be judged do not. @default false */
  readonly allowUnknown?: boolean;
  /** Whether parts that the credentials may not read do not. @default false */
  readonly allowForbidden?: boolean;
}

/**
 * 0 when no finding reaches the given severity, 2 when one does, or something got worse since the baseline or may have, 3 when a zone,
 * or a part of it or of its account, could not be read.
 */
export function exitCodeOf(
  { zones, accounts, unread, findings, baseline }: Report,
  { failOn, allowUnknown = false, allowForbidden = false }: Gate,
): 0 | 2 | 3 {
  const isUnread =
    zones.some(({ failure }) => failure !== undefined) ||
    [{ unread }, ...zones, ...accounts].some((one) => hasNoAnswer(one.unread, { allowForbidden }));
  if (isUnread) return 3;
  const counted = baseline?.worse ?? findings;
  const isOpen = failOn !== "never" && !allowUnknown && (baseline?.notJudged ?? []).length > 0;
  return isOpen || counted.some((one) => isAtLeast(one, failOn)) ? 2 : 0;
}

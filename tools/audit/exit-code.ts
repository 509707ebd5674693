import { isAtLeast, type Severity } from "../../core/language/index.js";
import { hasNoAnswer } from "../../core/model/unread.js";
import type { Report } from "./report.js";

/** What fails the command. */
export interface Gate {
  /** The lowest severity that does. */
  readonly failOn: Severity | "never";
  /** Whether parts that the credentials may not read do not. @default false */
  readonly allowForbidden?: boolean;
}

/**
 * 0 when no finding reaches the given severity, 2 when one does, 3 when a zone, or a part of it or of its account, could not be
 * read.
 */
export function exitCodeOf(
  { zones, accounts, unread, findings }: Report,
  { failOn, allowForbidden = false }: Gate,
): 0 | 2 | 3 {
  const isUnread =
    zones.some(({ failure }) => failure !== undefined) ||
    [{ unread }, ...zones, ...accounts].some((one) => hasNoAnswer(one.unread, { allowForbidden }));
  if (isUnread) return 3;
  return findings.some((one) => isAtLeast(one, failOn)) ? 2 : 0;
}

/** A part of what was asked for that could not be read. */
export interface Unread {
  /** Whether the reason is that the plan or the credentials exclude it. */
  readonly isForbidden?: boolean;
}

/** Whether a gate has no answer, because parts could not be read. */
export function hasNoAnswer(parts: readonly Unread[], allowForbidden = false): boolean {
  return parts.some(({ isForbidden = false }) => !(isForbidden && allowForbidden));
}

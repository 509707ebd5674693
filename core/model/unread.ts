/** A part of what was asked for that could not be read. */
export interface Unread {
  /** Whether the reason is that the plan or the credentials exclude it. */
  readonly isForbidden?: boolean;
  /** Whether the reason is that a program or a preview does not tell it, or not yet. */
  readonly isUnknown?: boolean;
}

/** What a gate passes although it was not read. */
interface Allowed {
  /** @default false */
  readonly allowForbidden?: boolean;
  /** @default false */
  readonly allowUnknown?: boolean;
}

/** Whether a gate has no answer, because parts could not be read. */
export function hasNoAnswer(
  parts: readonly Unread[],
  { allowForbidden = false, allowUnknown = false }: Allowed,
): boolean {
  return parts.some(
    ({ isForbidden = false, isUnknown = false }) => !((isForbidden && allowForbidden) || (isUnknown && allowUnknown)),
  );
}

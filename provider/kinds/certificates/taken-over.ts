/** What a program writes instead of importing something about certificates. */
export const TAKEN_OVER = [
  "Leave it out: what already exists is taken over, and no request is sent if nothing changed.",
] as const;

/** When the choice of an authority is not written. */
export const ALREADY_IN_USE = "that authority is already in use";

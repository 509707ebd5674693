const CHALLENGES: ReadonlySet<unknown> = new Set(["challenge", "js_challenge", "managed_challenge"]);

/** Whether an action makes a visitor prove to be no bot. */
export function isChallenge(action: unknown): boolean {
  return CHALLENGES.has(action);
}

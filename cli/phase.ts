import { checkPhaseName } from "../provider/validation/index.js";

/** Throws if an option names a phase that does not exist. A name that resembles no known phase may be newer. */
export function requirePhase(phase: string): void {
  const [failed] = checkPhaseName(phase).failures;
  if (failed !== undefined) throw new Error(`--phase: ${failed.reason}`);
}

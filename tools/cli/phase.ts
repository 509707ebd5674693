import { isError } from "../../core/language/finding.js";
import { checkPhaseName } from "../../provider/validation/index.js";
import { PHASE_NAMES } from "../../provider/validation/tables.js";

/**
 * Throws if an option names a phase that does not exist, with the nearest one. A name that resembles no known phase may be
 * newer.
 */
export function requirePhase(phase: string): void {
  const longer = PHASE_NAMES.includes(phase) ? [] : PHASE_NAMES.filter((name) => name.includes(phase.toLowerCase()));
  if (longer.length > 0)
    throw new Error(
      `--phase: the phase ${JSON.stringify(phase)} does not exist; did you mean ${longer.map((name) => JSON.stringify(name)).join(" or ")}?`,
    );
  const failed = checkPhaseName(phase).find(isError);
  if (failed !== undefined) throw new Error(`--phase: ${failed.message}`);
}

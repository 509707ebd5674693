import { ApiError, PartialFailure } from "../../core/model/errors.js";
import { asIncomplete } from "./incomplete.js";

/** How to find out whether a write was applied when its response was lost. */
interface Recovery<T> {
  /** Reads what is at the service now; undefined when nothing exists. */
  readonly read: () => Promise<T | undefined>;
  /** Whether it shows that the write was applied. */
  readonly wasApplied: (current: T) => boolean;
  /** Why the write must not be repeated over what is there now. @default it may be repeated */
  readonly refuseRepeat?: (current: T, cause: ApiError) => Error | undefined;
}

/**
 * Sends a write. If the response is lost, reads before sending the write again. If that read fails, throws the first
 * error.
 */
export async function sendWithRecovery<T>(
  send: () => Promise<T>,
  { read: look, wasApplied: applied, refuseRepeat: refuse }: Recovery<T>,
): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    const current = await look().catch(() => Promise.reject(error));
    if (current === undefined) return send();
    if (applied(current)) return current;
    const refusal = refuse?.(current, error);
    if (refusal !== undefined) throw refusal;
    return send();
  }
}

/**
 * Runs a write. If it is unknown whether the write was applied, the state records that, and the next `up` completes it.
 * Any other error is thrown unchanged.
 */
export async function recordIncomplete<T>(id: string, state: object, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure(id, asIncomplete(state), error);
  }
}

import { ApiError, PartialFailure } from "../model/errors.js";

/** How to tell what became of a write whose answer was lost. */
export interface Settlement<T> {
  /** What is there now; undefined when there is nothing. */
  readonly look: () => Promise<T | undefined>;
  /** Whether it shows the write. */
  readonly landed: (now: T) => boolean;
  /** Why the write must not go out again over what is there. @default it may */
  readonly refuse?: (now: T, cause: ApiError) => Error | undefined;
}

/** Sends a write, and looks before it sends it again. A look that fails leaves the first error standing. */
export async function settle<T>(send: () => Promise<T>, { look, landed, refuse }: Settlement<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    const now = await look().catch(() => Promise.reject(error));
    if (now === undefined) return send();
    if (landed(now)) return now;
    const refusal = refuse?.(now, error);
    if (refusal !== undefined) throw refusal;
    return send();
  }
}

/**
 * Runs a write. When nobody can tell whether it landed, the state keeps that, and the next `up` finishes it. What is known
 * for sure goes on as it is.
 */
export async function orIncomplete<T>(id: string, state: object, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof ApiError) || !error.ambiguous) throw error;
    throw new PartialFailure(id, { ...state, __incomplete: true }, error);
  }
}

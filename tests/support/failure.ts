/** The message with which a promise is rejected. */
export const failureOf = async (promise: Promise<unknown>): Promise<string> =>
  (await failureIfAny(promise)) ?? "it did not fail";

/** The same; undefined if it is not rejected. */
export const failureIfAny = (promise: Promise<unknown>): Promise<string | undefined> =>
  promise.then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );

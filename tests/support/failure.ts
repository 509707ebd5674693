/** The message with which a promise is rejected. */
export const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "it did not fail",
    (error: unknown) => (error as Error).message,
  );

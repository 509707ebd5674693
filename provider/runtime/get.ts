import { RulesetsError } from "../model/errors.js";

/**
 * A read on behalf of `get`, which names itself in its arguments. What is not there is an error then, and not a resource
 * that a refresh drops; and since the engine's line on a read that failed names no resource, the error does.
 */
export async function readFor<T>(
  asked: unknown,
  id: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (typeof asked !== "string") return read();
  const found = await read().catch((error: unknown) => {
    if (!(error instanceof RulesetsError)) throw error;
    throw new RulesetsError(`${asked}: ${id} cannot be read. ${error.message}`, { code: error.code, cause: error });
  });
  if (found !== undefined) return found;
  throw new RulesetsError(
    `${asked}: there is no ${id} at the service. Check the ID; to create it, declare the resource with its arguments.`,
    { code: "API_NOT_FOUND" },
  );
}

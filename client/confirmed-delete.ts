import { ApiError } from "../core/model/errors.js";
import type { Envelope, Transport } from "./http/index.js";

/** How to find out whether an object still exists. */
interface Existence<T> {
  /** Reads the object, or what contains it; undefined when nothing exists. */
  readonly read: () => Promise<T | undefined>;
  /** Whether the object is in what was read. @default it is */
  readonly contains?: (found: T) => boolean;
}

/** How often a DELETE is sent if the service answers 404 although a read finds the object. */
const MAX_ATTEMPTS = 3;

/**
 * Sends a DELETE. A proxy or an outdated replica can answer 404 for an object that exists, so a 404 is believed only if a
 * read does not find the object either. Otherwise the DELETE is sent again.
 * @returns the response, or what the read found when the object no longer exists in it
 * @throws an {@link ApiError} with code `API_NOT_FOUND` when nothing exists
 */
export async function sendConfirmedDelete<T>(
  transport: Transport,
  path: string,
  { read, contains = () => true }: Existence<T>,
): Promise<{ readonly response: Envelope } | { readonly found: T }> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return { response: await transport.send({ method: "DELETE", path }) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "API_NOT_FOUND") throw error;
      const found = await read();
      if (found === undefined) throw error;
      if (!contains(found)) return { found };
      if (attempts === MAX_ATTEMPTS) throw stillThere(path, error);
      await transport.backOff(attempts);
    }
  }
}

function stillThere(path: string, cause: ApiError): ApiError {
  return new ApiError(
    `DELETE ${path} was answered with ${String(cause.status)} ${String(MAX_ATTEMPTS)} times, but a GET still finds what was to be ` +
      "deleted. A proxy or an outdated replica may have answered. Nothing is known to have been deleted. To continue: check " +
      "rulesets:baseUrl and what is between this machine and the API, then run the same command again.",
    { code: "API_GARBLED", ...(cause.status === undefined ? {} : { status: cause.status }), cause },
  );
}

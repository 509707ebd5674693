/*
 * How messages name a request that failed. Of an error, nothing but its message comes through the engine, so whoever reads what the
 * engine prints finds the request there.
 */

/** `GET /zones/…/rulesets: 403 [10000] …`, given what came back. */
export function failedRequestText(
  { method, path }: { readonly method: string; readonly path: string },
  what: string,
): string {
  return `${method} ${path}: ${what}`;
}

/** The beginning of the message about a request that was not sent without credentials. */
export const NO_CREDENTIALS = "no credentials: ";

interface FailedRequest {
  readonly path: string;
  /** With the service's own error, and not a page of a proxy. */
  readonly status?: number;
}

/** The failed request that a message names; undefined for a message about anything else. */
export function failedRequestIn(message: string): FailedRequest | undefined {
  if (message.includes(NO_CREDENTIALS)) return { path: "" };
  const [, path, status] = /\b(?:GET|POST|PUT|PATCH|DELETE) (\/\S*): (?:(\d{3}) \[)?/.exec(message) ?? [];
  if (path === undefined) return undefined;
  return status === undefined ? { path } : { path, status: Number(status) };
}

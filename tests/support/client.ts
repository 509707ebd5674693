import { createClient, Limiter, type Client } from "../../client/index.js";
import { TOKEN } from "./emulator.js";

/** A client for the service at an address, without retries. */
export function clientFor(baseUrl: string): Client {
  return createClient({ baseUrl, credentials: { kind: "token", apiToken: TOKEN }, maxRetries: 0 });
}

/** The same at any rate, with a clock that stands still. */
export function unpacedClientFor(baseUrl: string): Client {
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  const limiter = new Limiter({ requestsPerSecond: 100_000, clock });
  return createClient({ baseUrl, credentials: { kind: "token", apiToken: TOKEN }, maxRetries: 0, clock, limiter });
}

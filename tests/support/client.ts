import { createClient, type Client } from "../../provider/client/index.js";
import { TOKEN } from "./emulator.js";

/** A client for the service at an address, without retries. */
export function clientFor(baseUrl: string): Client {
  return createClient({ baseUrl, credentials: { kind: "token", apiToken: TOKEN }, maxRetries: 0 });
}

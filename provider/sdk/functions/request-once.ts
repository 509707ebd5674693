import type { Client } from "../../../client/index.js";
import type { Responses } from "../../engine/reads/responses.js";
import { stableText } from "../../../core/model/json.js";
import type { Via } from "./options.js";
import { late } from "../../../core/model/late.js";

/** Only in programs: the process of a provider needs no SDK. */
const loadStackClient = late<typeof import("./stack-client.js")>(() => require("./stack-client.js"));

interface Lookup {
  /** Undefined if nothing is kept. */
  readonly results: Responses<unknown> | undefined;
  readonly client: () => Promise<Client>;
}

function lookupOf(via: Via): Lookup {
  const { direct } = via;
  // A client that cannot be made is a failure of the request.
  // oxlint-disable-next-line typescript/require-await -- turns what it throws into that
  if (direct !== undefined) return { results: direct.results, client: async () => direct.client() };
  const { clientOf, resultsOfRun } = loadStackClient();
  return { results: resultsOfRun(via), client: () => clientOf(via) };
}

/**
 * Makes a request once per run of the program and provider, however often its result is needed, and shares it with calls made
 * while it is under way. A failure is not kept. Without an engine there is no run, and each call makes a request.
 * @param key identifies the request: equal keys have equal results
 */
export async function requestOnce<T>(
  via: Via,
  key: readonly unknown[],
  send: (client: Client) => Promise<T>,
): Promise<T> {
  const { results, client } = lookupOf(via);
  if (results === undefined) return send(await client());
  const result = await results.read(stableText(key), () => client().then(send));
  // Each caller gets its own copy, so that its changes do not affect the others.
  return structuredClone(result) as T;
}

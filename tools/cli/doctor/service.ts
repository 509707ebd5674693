import { ApiError, type ObservedResponse, type Client } from "../../../client/index.js";
import { splitHint, type CheckResult } from "./check-result.js";

/** What the service reports alongside its answers: its clock and the rate limits. */
export interface ObservedResponses {
  readonly responses: readonly Pick<ObservedResponse, "status" | "date" | "quotas">[];
  /** When the first answer arrived, in milliseconds since the epoch. */
  readonly at: number;
}

/** An address of the API that is set, and the name of what sets it. */
export interface Address {
  readonly url: string;
  readonly setBy: string;
}

interface ServiceOptions {
  readonly isToken: boolean;
  readonly accountId?: string;
  readonly address: Address | undefined;
}

/** Verifies the token, and reads the clock and the rate limits from the answers. */
export async function serviceResults(
  client: Client,
  { getAnswers, ...options }: ServiceOptions & { readonly getAnswers: () => ObservedResponses },
): Promise<readonly CheckResult[]> {
  const token = await tokenLines(client, options);
  return [...token, ...clockResults(getAnswers()), ...quotaResults(getAnswers())];
}

async function tokenLines(client: Client, { isToken, accountId, address }: ServiceOptions): Promise<CheckResult[]> {
  const line = { area: "service", subject: "Token" } as const;
  try {
    if (!isToken) {
      await client.zones.list({ name: "doctor.invalid" });
      const next = "use a token with only the permissions it needs: an API key can do everything";
      return [reachedLine(), { ...line, status: "warning", found: "an API key is used", next }];
    }
    const { status, expiresOn, notBefore } = await client.tokens.verify(accountId);
    const until = expiresOn === undefined ? "does not expire" : `expires on ${expiresOn}`;
    const from = notBefore === undefined ? "" : `, valid from ${notBefore}`;
    if (status === "active") return [reachedLine(), { ...line, status: "ok", found: `active, ${until}${from}` }];
    if (status === "") {
      const next = `check ${address?.setBy ?? "rulesets:baseUrl"} and any proxies in between`;
      return [reachedLine(), { ...line, status: "failure", found: "the verification returned no status", next }];
    }
    return [
      reachedLine(),
      { ...line, status: "failure", found: `${status}, ${until}${from}`, next: "create a new one, or enable it again" },
    ];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [failedLine(error, accountId, address)];
  }
}

function reachedLine(): CheckResult {
  return { area: "service", subject: "Address", status: "ok", found: "the API answers" };
}

function failedLine(error: ApiError, accountId: string | undefined, address: Address | undefined): CheckResult {
  const { found } = splitHint(error);
  const line = { area: "service", subject: "Address", status: "failure" } as const;
  if (error.status === undefined) return { ...line, found, next: networkHint(found, address?.setBy) };
  if (address !== undefined && !/\/client\/v4\/?$/.test(address.url)) {
    const { setBy } = address;
    return { ...line, found: `${setBy} does not end with /client/v4: ${found}`, next: `add /client/v4 to ${setBy}` };
  }
  if (error.code === "API_GARBLED")
    return { ...line, found, next: `check ${address?.setBy ?? "rulesets:baseUrl"} and any proxies in between` };
  const owned = accountId === undefined ? "; an account-owned token needs --account <id> here" : "";
  return { area: "service", subject: "Token", status: "failure", found, next: `check the token${owned}` };
}

function networkHint(text: string, setBy: string | undefined): string {
  if (/certificate|CERT_|SSL|TLS/i.test(text)) {
    return "a proxy seems to intercept TLS: add its certificate with NODE_EXTRA_CA_CERTS; never turn off verification";
  }
  if (/ENOTFOUND|EAI_AGAIN/.test(text)) return "check DNS, and whether HTTPS_PROXY must be set here";
  return setBy === undefined ? "check the network and the proxy" : `check the network, the proxy and ${setBy}`;
}

/** With a larger clock offset, the dates of certificates and tokens are misjudged. */
const MOST_SECONDS_OFF = 60;

export function clockResults({ responses: answers, at }: ObservedResponses): readonly CheckResult[] {
  const date = answers.map((answer) => answer.date).find((text) => text !== undefined);
  const serviceTime = Date.parse(date ?? "");
  if (Number.isNaN(serviceTime)) return [];
  const seconds = Math.round((at - serviceTime) / 1000);
  const line = { area: "service", subject: "Clock" } as const;
  if (Math.abs(seconds) <= MOST_SECONDS_OFF) {
    return [{ ...line, status: "ok", found: `differs from the service's by ${String(Math.abs(seconds))} s` }];
  }
  const found = `${String(Math.abs(seconds))} s ${seconds > 0 ? "ahead of" : "behind"} the service's`;
  return [{ ...line, status: "warning", found, next: "synchronize the machine's clock with NTP" }];
}

/** The latest state of each quota. */
export function quotaResults({ responses: answers }: ObservedResponses): readonly CheckResult[] {
  const last = new Map(answers.flatMap(({ quotas }) => quotas.map((quota) => [quota.name, quota] as const)));
  return [...last.values()].map(({ name, remaining, size, windowSeconds, resetSeconds }): CheckResult => {
    const of =
      size === undefined || windowSeconds === undefined ? "" : ` of ${String(size)} in ${String(windowSeconds)} s`;
    const low = size !== undefined && remaining * 10 < size;
    return {
      ...{ area: "service", subject: `Rate limit ${name}`, status: low ? "warning" : "ok" },
      found: `${String(remaining)} requests left${of}; resets in ${String(resetSeconds)} s`,
      ...(low ? { next: "something else uses the same token: wait, or give each tool its own token" } : {}),
    };
  });
}

import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { AxiosInstance, AxiosStatic } from "axios";
import { requireWithin, RETRIES, SECONDS } from "../../core/model/numbers.js";
import { authHeaders, credentialSecrets, withoutCredentials, type Credentials } from "./auth.js";
import { effectOf, type Call, type Exchange } from "./call.js";
import { systemClock, type Clock } from "./clock.js";
import type { Envelope } from "./envelope.js";
import { requireSuccess, type ErrorContext } from "./failures.js";
import { Gate } from "./gate.js";
import type { Limiter } from "./limiter.js";
import { readQuotas, type Quota } from "./quota.js";
import { backoffMs, decideRetry } from "./retry.js";
import { Secrets } from "../redaction/secrets.js";
import { messageOf } from "../../core/model/errors.js";
import { late } from "../../core/model/late.js";

export interface TransportOptions {
  /** Including `/client/v4`. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Where the credentials came from, for the message of a 401. */
  readonly credentialsSource?: string;
  /** For one attempt, 0.001 to 2147483. @default 60 */
  readonly timeoutSeconds?: number;
  /** Attempts after the first, 0 to 100. @default 4 */
  readonly maxRetries?: number;
  readonly limiter: Limiter;
  /** Closed when the process is about to end. @default never closed */
  readonly gate?: Gate;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Secrets that requests may carry. The credentials are always hidden. @default none */
  readonly secrets?: Pick<Secrets, "hide" | "isIn">;
  /** Called for every response of the service, errors included. */
  readonly onResponse?: (response: ObservedResponse) => void;
  /** Called before a wait of a second or more, with milliseconds. */
  readonly onWait?: (ms: number, reason: string) => void;
  /** Called for each entry of `messages` in a response, such as a warning; without secrets. */
  readonly onMessage?: (text: string) => void;
}

/** A response of the service. */
export interface ObservedResponse {
  readonly call: Call;
  readonly status: number;
  /** Names of its headers, in lower case. */
  readonly headers: readonly string[];
  readonly text: string;
  /** The service's clock, as HTTP writes it. */
  readonly date?: string;
  /** What is left of the rate limits. */
  readonly quotas: readonly Quota[];
}

const REFUSED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ERR_INVALID_URL"]);
/** Shorter waits are not reported. */
const QUIET_MS = 1000;

/** All clients of a process share connections: one that is no longer used leaves none open. */
const CONNECTIONS = {
  httpAgent: new HttpAgent({ keepAlive: true }),
  httpsAgent: new HttpsAgent({ keepAlive: true }),
};

/** Sends all requests to the service: credentials, rate limit, retries, and errors that say what to do. */
export class Transport {
  /** Whether the last request was answered, and not only by a failure that may pass. */
  isAnswered = false;
  private http: AxiosInstance | undefined;
  private readonly clock: Clock;
  private readonly limiter: Limiter;
  private readonly gate: Gate;
  private readonly ownSecrets = new Secrets();

  constructor(private readonly options: TransportOptions) {
    requireWithin("timeoutSeconds", options.timeoutSeconds, SECONDS);
    requireWithin("maxRetries", options.maxRetries, RETRIES);
    this.clock = options.clock ?? systemClock;
    this.limiter = options.limiter;
    this.gate = options.gate ?? new Gate({ clock: this.clock });
    for (const secret of credentialSecrets(options.credentials, options.baseUrl)) this.ownSecrets.addCredential(secret);
  }

  private connect(): AxiosInstance {
    return loadAxios().create({
      baseURL: this.options.baseUrl.replace(/\/+$/, ""),
      timeout: (this.options.timeoutSeconds ?? 60) * 1000,
      headers: { ...authHeaders(this.options.credentials), Accept: "application/json" },
      responseType: "text",
      transformResponse: (data: unknown) => data,
      validateStatus: () => true,
      maxRedirects: 0,
      ...CONNECTIONS,
    });
  }

  /** Sends a call and returns its envelope; an empty response is a success without a result. Throws {@link ApiError}. */
  async send(call: Call): Promise<Envelope> {
    let saidUntil = 0;
    for (let attempts = 1; ; attempts += 1) {
      let delay = 0;
      const enteredAt = this.clock.now();
      const turn = this.limiter.enter((ms) => {
        delay = ms;
      });
      if (enteredAt + delay >= saidUntil + QUIET_MS) this.reportWait(delay, "to stay under the rate limit");
      const sentAt = await this.gate.untilCancelled(turn);
      const exchange = await this.pass(call, sentAt);
      const verdict = decideRetry({
        method: effectOf(call),
        outcome: exchange.outcome,
        attempts,
        maxRetries: this.options.maxRetries ?? 4,
        now: this.clock.now(),
        random: (this.options.random ?? Math.random)(),
      });
      this.isAnswered = verdict.kind === "done";
      if (verdict.kind !== "again") return requireSuccess(call, exchange, this.context(call, attempts));
      const { outcome } = exchange;
      saidUntil = this.clock.now() + verdict.afterMs;
      if (outcome.kind === "answered" && outcome.status === 429) this.pause(verdict.afterMs);
      else await this.wait(verdict.afterMs, "before trying again");
    }
  }

  /** Waits as before a retry, where the caller sends a request again. */
  backOff(attempts: number): Promise<void> {
    return this.wait(backoffMs(attempts, (this.options.random ?? Math.random)()), "before trying again");
  }

  /** Holds every request back. Each pause is said, once. */
  private pause(ms: number): void {
    if (!this.limiter.pause(ms)) return;
    const time = new Date(this.clock.now() + ms).toISOString().slice(11, 19);
    this.reportWait(ms, `until ${time} UTC, because the service allows no more requests before (429)`);
  }

  private context({ body }: Call, attempts: number): ErrorContext {
    const { baseUrl, credentialsSource, secrets } = this.options;
    return {
      baseUrl: withoutCredentials(baseUrl),
      credentialsSource,
      hide: (text) => this.ownSecrets.hide(secrets?.hide(text) ?? text),
      // Most requests succeed, and then nobody asks.
      get carriesSecrets() {
        return secrets?.isIn(body) === true;
      },
      now: this.clock.now(),
      attempts,
      report: (text) => this.options.onMessage?.(text),
    };
  }

  private async wait(ms: number, reason: string): Promise<void> {
    if (ms <= 0) return;
    this.reportWait(ms, reason);
    await this.gate.sleep(ms);
  }

  private reportWait(ms: number, reason: string): void {
    if (ms >= QUIET_MS) this.options.onWait?.(ms, reason);
  }

  private async pass(call: Call, sentAt: number): Promise<Exchange> {
    try {
      return await this.gate.pass(() => this.exchange(call, sentAt), effectOf(call) !== "GET");
    } catch (error) {
      // The gate has refused it: an exchange does not fail.
      this.limiter.leave(sentAt, []);
      throw error;
    }
  }

  private async exchange(call: Call, sentAt: number): Promise<Exchange> {
    let quotas: readonly Quota[] = [];
    try {
      this.http ??= this.connect();
      const response = await this.http.request<string>({
        method: call.method,
        url: call.path,
        params: call.query,
        ...(call.body === undefined
          ? {}
          : { data: JSON.stringify(call.body), headers: { "Content-Type": "application/json" } }),
      });
      const header = (name: string): string | undefined => {
        const value: unknown = response.headers[name];
        return typeof value === "string" ? value : undefined;
      };
      quotas = readQuotas(header("ratelimit"), header("ratelimit-policy"));
      const date = header("date");
      this.options.onResponse?.({
        ...{ call, status: response.status, headers: Object.keys(response.headers), text: response.data, quotas },
        ...(date === undefined ? {} : { date }),
      });
      return {
        outcome: { kind: "answered", status: response.status, retryAfter: header("retry-after") },
        text: response.data,
        requestId: header("cf-ray") ?? header("x-request-id"),
      };
    } catch (cause) {
      const code = codeOf(cause);
      return { outcome: { kind: REFUSED.has(code ?? "") ? "refused" : "broken" }, text: "", cause: plainCause(cause) };
    } finally {
      this.limiter.leave(sentAt, quotas);
    }
  }
}

/** The cause without axios' request, whose headers contain the credentials. */
function plainCause(cause: unknown): Error {
  const message = messageOf(cause);
  return new Error(message === "" ? (codeOf(cause) ?? "unknown") : message);
}

function codeOf(cause: unknown): string | undefined {
  return loadAxios().isAxiosError(cause) ? cause.code : undefined;
}

/** Loaded with the first request: most resources do not change in most runs, and then send no request. */
const loadAxios = late<AxiosStatic>(() => require("axios"));

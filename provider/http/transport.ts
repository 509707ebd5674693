import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import axios, { isAxiosError, type AxiosInstance } from "axios";
import { ApiError, type ErrorCode } from "../model/errors.js";
import { authHeaders, credentialSecrets, type Credentials } from "./auth.js";
import { systemClock, type Clock } from "./clock.js";
import { parseEnvelope, type Envelope } from "./envelope.js";
import { hintFor, hintForText } from "./hints.js";
import { Limiter, parseRateHeader } from "./limiter.js";
import { permissionFor } from "./permissions.js";
import { redact } from "./redact.js";
import { decideRetry, isAmbiguous, retryAfterMs, type Outcome } from "./retry.js";

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path after the base URL, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
  /** Phase the call is about, where the path does not tell; for the permission named by a 403. */
  readonly phase?: string;
}

export interface TransportOptions {
  /** With `/client/v4`. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  /** Where the credentials came from, for the message of a 401. */
  readonly credentialsSource?: string;
  /** For one attempt. @default 60 */
  readonly timeoutSeconds?: number;
  /** Attempts after the first. @default 4 */
  readonly maxRetries?: number;
  readonly limiter?: Limiter;
  readonly clock?: Clock;
  readonly random?: () => number;
  /** Told before every pause, in milliseconds. */
  readonly onWait?: (ms: number, reason: string) => void;
}

const REFUSED = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH", "ERR_INVALID_URL"]);
/** Pauses shorter than this are not worth a word. */
const QUIET_MS = 1000;

interface Exchange {
  readonly outcome: Outcome;
  readonly text: string;
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** The one way to the service: credentials, pace, retries, and errors that say what to do. */
export class Transport {
  private readonly http: AxiosInstance;
  private readonly clock: Clock;
  private readonly limiter: Limiter;
  private readonly secrets: readonly string[];

  constructor(private readonly options: TransportOptions) {
    this.clock = options.clock ?? systemClock;
    this.limiter = options.limiter ?? new Limiter({ clock: this.clock });
    this.secrets = credentialSecrets(options.credentials);
    this.http = axios.create({
      baseURL: options.baseUrl.replace(/\/+$/, ""),
      timeout: (options.timeoutSeconds ?? 60) * 1000,
      headers: { ...authHeaders(options.credentials), Accept: "application/json" },
      responseType: "text",
      transformResponse: (data: unknown) => data,
      validateStatus: () => true,
      maxRedirects: 0,
      httpAgent: new HttpAgent({ keepAlive: true }),
      httpsAgent: new HttpsAgent({ keepAlive: true }),
    });
  }

  /** Sends a call and returns its envelope; an empty answer is a success without a result. Throws {@link ApiError}. */
  async send(call: Call): Promise<Envelope> {
    for (let attempts = 1; ; attempts += 1) {
      await this.wait(this.limiter.reserve(), "to stay under the rate limit");
      const exchange = await this.exchange(call);
      const verdict = decideRetry({
        method: call.method,
        outcome: exchange.outcome,
        attempts,
        maxRetries: this.options.maxRetries ?? 4,
        now: this.clock.now(),
        random: (this.options.random ?? Math.random)(),
      });
      if (verdict.kind !== "again") return this.conclude(call, exchange, attempts);
      const limited = exchange.outcome.kind === "answered" && exchange.outcome.status === 429;
      if (limited) this.limiter.pause(verdict.afterMs);
      else await this.wait(verdict.afterMs, "before trying again");
    }
  }

  private async wait(ms: number, reason: string): Promise<void> {
    if (ms <= 0) return;
    if (ms >= QUIET_MS) this.options.onWait?.(ms, reason);
    await this.clock.sleep(ms);
  }

  private async exchange(call: Call): Promise<Exchange> {
    try {
      const answer = await this.http.request<string>({
        method: call.method,
        url: call.path,
        params: call.query,
        ...(call.body === undefined
          ? {}
          : { data: JSON.stringify(call.body), headers: { "Content-Type": "application/json" } }),
      });
      const header = (name: string): string | undefined => {
        const value: unknown = answer.headers[name];
        return typeof value === "string" ? value : undefined;
      };
      const rate = parseRateHeader(header("ratelimit"));
      if (rate !== undefined) this.limiter.observe(rate);
      return {
        outcome: { kind: "answered", status: answer.status, retryAfter: header("retry-after") },
        text: answer.data,
        requestId: header("cf-ray") ?? header("x-request-id"),
      };
    } catch (cause) {
      const code = isAxiosError(cause) ? cause.code : undefined;
      return { outcome: { kind: REFUSED.has(code ?? "") ? "refused" : "broken" }, text: "", cause: plainCause(cause) };
    }
  }

  private conclude(call: Call, exchange: Exchange, attempts: number): Envelope {
    const { outcome } = exchange;
    if (outcome.kind !== "answered") throw this.unreachable(call, exchange, attempts);
    const envelope = exchange.text.trim() === "" ? undefined : parseEnvelope(parseJson(exchange.text));
    const fine = outcome.status >= 200 && outcome.status < 300;
    if (fine && exchange.text.trim() === "") return { success: true, result: null, errors: [], messages: [] };
    if (fine && envelope?.success === true) return envelope;
    if (fine && envelope === undefined) throw this.garbled(call, exchange);
    throw this.refusal(call, exchange, outcome.status, envelope);
  }

  private refusal(call: Call, exchange: Exchange, status: number, envelope: Envelope | undefined): ApiError {
    const errors = envelope?.errors ?? [];
    const said = errors.map(
      (e) =>
        `${e.code === undefined ? "" : `[${String(e.code)}] `}${e.message}${e.pointer === undefined ? "" : ` (at ${e.pointer})`}`,
    );
    const what = said.length > 0 ? said.join("; ") : snippet(exchange.text);
    const hint =
      this.hint(call, status, retryAfterMs(headerOf(exchange.outcome), this.clock.now())) ??
      hintFor(errors.map((e) => e.code)) ??
      hintForText(what);
    return this.error(call, exchange, `${String(status)} ${what}`, hint, {
      code: codeFor(
        status,
        errors.some((e) => e.code === 20217),
      ),
      status,
      errors: errors.map((e) => ({ ...e, message: redact(e.message, this.secrets) })),
      ambiguous: isAmbiguous(call.method, exchange.outcome),
    });
  }

  private hint(call: Call, status: number, afterMs: number | undefined): string | undefined {
    if (status === 401) {
      const source = this.options.credentialsSource ?? "the credentials given";
      return `The service refused ${source}. RULESETS_API_TOKEN overrides it for one run.`;
    }
    if (status === 403) {
      const source = this.options.credentialsSource === undefined ? "" : ` (${this.options.credentialsSource})`;
      return `The credentials${source} need the permission "${permissionFor(call)}" for this zone or account.`;
    }
    if (status === 429 && afterMs !== undefined) {
      return `Try again in ${String(Math.ceil(afterMs / 1000))} s, or lower rulesets:requestsPerSecond.`;
    }
    return undefined;
  }

  private unreachable(call: Call, exchange: Exchange, attempts: number): ApiError {
    const ambiguous = isAmbiguous(call.method, exchange.outcome);
    const why = exchange.cause instanceof Error ? exchange.cause.message : "no answer";
    const tries = attempts > 1 ? ` after ${String(attempts)} attempts` : "";
    const hint = ambiguous
      ? "Nobody knows whether it was carried out."
      : `Check the network and rulesets:baseUrl (${this.options.baseUrl}).`;
    return this.error(call, exchange, `no answer${tries} (${why})`, hint, { code: "API_UNAVAILABLE", ambiguous });
  }

  private garbled(call: Call, exchange: Exchange): ApiError {
    const hint = "This is not the API's format: check rulesets:baseUrl, and proxies in between.";
    return this.error(call, exchange, `an answer that cannot be read: ${snippet(exchange.text)}`, hint, {
      code: "API_GARBLED",
      ambiguous: call.method !== "GET",
    });
  }

  private error(
    call: Call,
    exchange: Exchange,
    what: string,
    hint: string | undefined,
    options: ConstructorParameters<typeof ApiError>[1],
  ): ApiError {
    const id = exchange.requestId === undefined ? "" : ` [request ${exchange.requestId}]`;
    const stop = /[.!?]$/.test(what) ? "" : ".";
    const text = `${call.method} ${call.path}: ${what}${id}${stop}${hint === undefined ? "" : ` ${hint}`}`;
    return new ApiError(redact(text, this.secrets), {
      ...options,
      requestId: exchange.requestId,
      cause: exchange.cause,
    });
  }
}

function headerOf(outcome: Outcome): string | undefined {
  return outcome.kind === "answered" ? outcome.retryAfter : undefined;
}

function codeFor(status: number, occupied: boolean): ErrorCode {
  if (occupied || status === 409) return "API_CONFLICT";
  if (status === 401) return "API_UNAUTHORIZED";
  if (status === 403) return "API_FORBIDDEN";
  if (status === 404 || status === 410) return "API_NOT_FOUND";
  if (status === 429) return "API_RATE_LIMITED";
  return status >= 500 ? "API_UNAVAILABLE" : "API_INVALID";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function snippet(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line === "" ? "an empty answer" : `"${line.slice(0, 120)}${line.length > 120 ? "…" : ""}"`;
}

/** The cause without axios' request, which holds the headers and so the credentials. */
function plainCause(cause: unknown): Error {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = isAxiosError(cause) ? cause.code : undefined;
  return new Error(message === "" ? (code ?? "unknown") : message);
}

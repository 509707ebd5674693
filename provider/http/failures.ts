import { ApiError, type ApiErrorOptions, type ErrorCode } from "../model/errors.js";
import type { Call, Exchange } from "./call.js";
import { parseEnvelope, type Envelope } from "./envelope.js";
import { hintFor, hintForText } from "./hints.js";
import { permissionFor } from "./permissions.js";
import { redact } from "./redact.js";
import { isAmbiguous, retryAfterMs } from "./retry.js";

/** What errors tell beside the answer itself. */
export interface ErrorContext {
  readonly baseUrl: string;
  /** Where the credentials came from. */
  readonly credentialsSource?: string;
  /** Texts that must not be shown. */
  readonly secrets: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly attempts: number;
}

/** The envelope of a success; an empty answer is one without a result. Throws an {@link ApiError} for all else. */
export function conclude(call: Call, exchange: Exchange, context: ErrorContext): Envelope {
  const { outcome, text } = exchange;
  if (outcome.kind !== "answered") throw unreachable(call, exchange, context);
  const fine = outcome.status >= 200 && outcome.status < 300;
  if (fine && text.trim() === "") return { success: true, result: null, errors: [], messages: [] };
  const envelope = parseEnvelope(parseJson(text));
  if (fine && envelope?.success === true) return envelope;
  if (fine && envelope === undefined) throw garbled(call, exchange, context);
  throw refusal(call, exchange, outcome.status, envelope, context);
}

function refusal(
  call: Call,
  exchange: Exchange,
  status: number,
  envelope: Envelope | undefined,
  context: ErrorContext,
): ApiError {
  const errors = envelope?.errors ?? [];
  const said = errors.map(({ code, message, pointer }) => {
    const number = code === undefined ? "" : `[${String(code)}] `;
    return `${number}${message}${pointer === undefined ? "" : ` (at ${pointer})`}`;
  });
  const what = said.length > 0 ? said.join("; ") : snippet(exchange.text);
  const hint =
    statusHint(call, exchange, status, context) ?? hintFor(errors.map(({ code }) => code)) ?? hintForText(what);
  const occupied = errors.some(({ code }) => code === 20217);
  return failure(call, exchange, context, `${String(status)} ${what}`, hint, {
    code: codeFor(status, occupied),
    status,
    errors: errors.map((error) => ({ ...error, message: redact(error.message, context.secrets) })),
    ambiguous: isAmbiguous(call.method, exchange.outcome),
  });
}

function statusHint(call: Call, { outcome }: Exchange, status: number, context: ErrorContext): string | undefined {
  const source = context.credentialsSource;
  if (status === 401) {
    return `The service refused ${source ?? "the credentials given"}. RULESETS_API_TOKEN overrides it for one run.`;
  }
  if (status === 403) {
    const which = source === undefined ? "" : ` (${source})`;
    return `The credentials${which} need the permission "${permissionFor(call)}" for this zone or account.`;
  }
  const header = outcome.kind === "answered" ? outcome.retryAfter : undefined;
  const afterMs = status === 429 ? retryAfterMs(header, context.now) : undefined;
  return afterMs === undefined
    ? undefined
    : `Try again in ${String(Math.ceil(afterMs / 1000))} s, or lower rulesets:requestsPerSecond.`;
}

function unreachable(call: Call, exchange: Exchange, context: ErrorContext): ApiError {
  const ambiguous = isAmbiguous(call.method, exchange.outcome);
  const tries = context.attempts > 1 ? ` after ${String(context.attempts)} attempts` : "";
  const what = `no answer${tries} (${exchange.cause?.message ?? "no reason"})`;
  const hint = ambiguous
    ? "Nobody knows whether it was carried out."
    : `Check the network and rulesets:baseUrl (${context.baseUrl}).`;
  return failure(call, exchange, context, what, hint, { code: "API_UNAVAILABLE", ambiguous });
}

function garbled(call: Call, exchange: Exchange, context: ErrorContext): ApiError {
  const what = `an answer that cannot be read: ${snippet(exchange.text)}`;
  const hint = "This is not the API's format: check rulesets:baseUrl, and proxies in between.";
  return failure(call, exchange, context, what, hint, { code: "API_GARBLED", ambiguous: call.method !== "GET" });
}

function failure(
  call: Call,
  exchange: Exchange,
  context: ErrorContext,
  what: string,
  hint: string | undefined,
  options: ApiErrorOptions,
): ApiError {
  const { requestId, cause } = exchange;
  const id = requestId === undefined ? "" : ` [request ${requestId}]`;
  const stop = /[.!?]$/.test(what) ? "" : ".";
  const text = `${call.method} ${call.path}: ${what}${id}${stop}${hint === undefined ? "" : ` ${hint}`}`;
  return new ApiError(redact(text, context.secrets), { ...options, requestId, cause });
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

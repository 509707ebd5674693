import {
  ApiError,
  OUTCOME_UNKNOWN,
  type ApiErrorOptions,
  type ApiMessage,
  type ErrorCode,
  failedRequestText,
} from "../../core/model/errors.js";
import { isObject, parseJson } from "../../core/model/json.js";
import { isPublicWord } from "../redaction/public-words.js";
import { effectOf, type Call, type Exchange } from "./call.js";
import { parseEnvelope, type Envelope } from "./envelope.js";
import { permissionFor } from "./permissions.js";
import { formatDuration } from "../../core/model/words.js";
import { askedMs, isAmbiguous, isOutcomeUnknown, LONGEST_MS } from "./retry.js";

/** Characters that are read of a response that is not in the API's format. */
const LONGEST_READ = 10_000;

/** What error messages need in addition to the response. */
export interface ErrorContext {
  readonly baseUrl: string;
  /** Where the credentials came from. */
  readonly credentialsSource?: string;
  /** Removes secrets from the service's messages. */
  readonly hide: (text: string) => string;
  /** Whether the request carries secrets, which the service's text may repeat in any form: then none of it is shown. */
  readonly carriesSecrets: boolean;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly attempts: number;
  /** Receives each entry of `messages` in the response. */
  readonly report: (text: string) => void;
}

/**
 * Returns the envelope of a success; an empty response to a write is one without a result. Otherwise throws an {@link ApiError}: a
 * response to a read that is empty or has no result is nobody's answer, and would be taken for an empty list.
 */
export function requireSuccess(call: Call, exchange: Exchange, context: ErrorContext): Envelope {
  const { outcome, text } = exchange;
  if (outcome.kind !== "answered") throw unreachable(call, exchange, context);
  const isSuccess = outcome.status >= 200 && outcome.status < 300;
  const isRead = effectOf(call) === "GET";
  if (isSuccess && text.trim() === "" && !isRead) return { success: true, result: null, errors: [], messages: [] };
  const answer = parseJson(text);
  const envelope = parseEnvelope(answer);
  for (const message of envelope?.messages ?? []) context.report(words(shown(message, context)));
  if (isSuccess && envelope?.success === true && !(isRead && lacksResult(answer))) return envelope;
  if (isSuccess && envelope?.success !== false) throw garbled(call, exchange, context);
  throw refusal(call, exchange, outcome.status, envelope, context);
}

function lacksResult(answer: unknown): boolean {
  return isObject(answer) && answer.result === undefined && answer.data === undefined;
}

const FOREIGN = "This is not the API's format: check rulesets:baseUrl and any proxies in between.";

function refusal(
  call: Call,
  exchange: Exchange,
  status: number,
  envelope: Envelope | undefined,
  context: ErrorContext,
): ApiError {
  const answered = envelope?.errors ?? [];
  const errors = answered.map((error) => shown(error, context));
  const what = errors.length > 0 ? errors.map(words).join("; ") : snippet(exchange.text, context);
  const advice =
    (isForeign(status, envelope) ? FOREIGN : undefined) ??
    statusHint(call, exchange, status, context) ??
    hintFor(call, errors) ??
    hintForText(exchange.text.slice(0, LONGEST_READ));
  const page = errors.find(({ documentationUrl }) => documentationUrl !== undefined)?.documentationUrl;
  const hint = sentences(
    advice,
    isLost(call, exchange) ? OUTCOME_UNKNOWN : undefined,
    page === undefined ? undefined : `See ${page}`,
  );
  return failure(call, exchange, `${String(status)} ${what}`, hint, {
    code: codeFor(status, envelope),
    status,
    errors,
    ...(status === 403 ? { permission: permissionFor(call) } : {}),
    ambiguous: isAmbiguous(effectOf(call), exchange.outcome),
    asksTooLong: (askedMs(exchange.outcome, context.now) ?? 0) > LONGEST_MS,
  });
}

/** What the service's words are replaced by. */
const WITHHELD = "text not shown, because the request has secrets";

/** A message of the service, without secrets: of one about a request with secrets, the code and the pointer. */
function shown({ code, message, pointer, documentationUrl }: ApiMessage, context: ErrorContext): ApiMessage {
  const { hide, carriesSecrets } = context;
  const at = pointer === undefined ? undefined : carriesSecrets ? publicPart(pointer) : hide(pointer);
  return {
    ...(code === undefined ? {} : { code }),
    message: carriesSecrets ? WITHHELD : hide(message),
    ...(at === undefined ? {} : { pointer: at }),
    ...(documentationUrl === undefined || carriesSecrets ? {} : { documentationUrl: hide(documentationUrl) }),
  };
}

/** A pointer as far as it consists of indexes and the API's own field names: a key of a user's map may be a secret. */
function publicPart(pointer: string): string {
  const steps = pointer.split("/");
  const first = steps.findIndex((step) => !/^\d*$/.test(step) && step !== "rules" && !isPublicWord(step));
  return first === -1 ? pointer : steps.slice(0, first).join("/");
}

function words({ code, message, pointer }: ApiMessage): string {
  const number = code === undefined ? "" : `[${String(code)}] `;
  return `${number}${message}${pointer === undefined ? "" : ` (at ${pointer})`}`;
}

function statusHint(call: Call, { outcome }: Exchange, status: number, context: ErrorContext): string | undefined {
  const source = context.credentialsSource;
  if (status === 401) {
    return `The service rejected ${source ?? "the credentials"}. RULESETS_API_TOKEN overrides it for one run.`;
  }
  if (status === 403) {
    const which = source === undefined ? "" : ` (${source})`;
    return `The credentials${which} need the permission "${permissionFor(call)}" for this zone or account.`;
  }
  const afterMs = askedMs(outcome, context.now) ?? 0;
  if (afterMs > LONGEST_MS && (status === 429 || status >= 500)) return tooLong(afterMs);
  return status !== 429 || afterMs === 0
    ? undefined
    : `Try again in ${String(Math.ceil(afterMs / 1000))} s, or lower rulesets:requestsPerSecond.`;
}

/** A day is more than anybody waits for, and some numbers are no times at all. */
const DAY_MS = 86_400_000;

function tooLong(ms: number): string {
  const asked = ms > DAY_MS ? "more than a day" : formatDuration(ms);
  return (
    `The service asks to wait ${asked} (Retry-After), and a run waits at most ${formatDuration(LONGEST_MS)} for that. ` +
    `To continue: run the same command again ${ms > DAY_MS ? "later" : "after that time"}.`
  );
}

function sentences(...texts: readonly (string | undefined)[]): string | undefined {
  const all = texts.filter((text) => text !== undefined);
  return all.length === 0 ? undefined : all.join(" ");
}

function unreachable(call: Call, exchange: Exchange, context: ErrorContext): ApiError {
  const ambiguous = isAmbiguous(effectOf(call), exchange.outcome);
  const tries = context.attempts > 1 ? ` after ${String(context.attempts)} attempts` : "";
  const what = `no response${tries} (${context.hide(exchange.cause?.message ?? "no reason")})`;
  const hint = isLost(call, exchange)
    ? OUTCOME_UNKNOWN
    : `Check the network and rulesets:baseUrl (${context.baseUrl}).${emulatorHint(context.baseUrl)}`;
  return failure(call, exchange, what, hint, { code: "API_UNAVAILABLE", ambiguous });
}

/** Whether a write may have been carried out, so that its message has to say so. */
function isLost(call: Call, { outcome }: Exchange): boolean {
  return !isDryRun(call) && isOutcomeUnknown(effectOf(call), outcome);
}

function isDryRun({ query }: Call): boolean {
  return query?.dry_run !== undefined;
}

/** On this machine, the service is most likely the emulator, and nobody has started it. */
function emulatorHint(baseUrl: string): string {
  const isHere = /^https?:\/\/(?:127\.|localhost\b|\[::1\])/.test(baseUrl);
  return isHere ? " If that is the emulator, start it: npx pulumi-rulesets emulator." : "";
}

function garbled(call: Call, exchange: Exchange, context: ErrorContext): ApiError {
  const what = `an unreadable response: ${snippet(exchange.text, context)}`;
  const ambiguous = effectOf(call) !== "GET";
  const hint = ambiguous && !isDryRun(call) ? `${FOREIGN} ${OUTCOME_UNKNOWN}` : FOREIGN;
  return failure(call, exchange, what, hint, { code: "API_GARBLED", ambiguous });
}

function failure(
  call: Call,
  exchange: Exchange,
  what: string,
  hint: string | undefined,
  options: ApiErrorOptions,
): ApiError {
  const { requestId, cause } = exchange;
  const id = requestId === undefined ? "" : ` [request ${requestId}]`;
  const stop = /[.!?]$/.test(what) ? "" : ".";
  const text = failedRequestText(call, `${what}${id}${stop}${hint === undefined ? "" : ` ${hint}`}`);
  return new ApiError(text, { ...options, hint, requestId, cause });
}

/** Whether somebody else than the service refused the request. The service can be overloaded without its format. */
function isForeign(status: number, envelope: Envelope | undefined): boolean {
  return envelope === undefined && status < 500 && status !== 429;
}

function codeFor(status: number, envelope: Envelope | undefined): ErrorCode {
  const has = (...codes: readonly number[]): boolean =>
    (envelope?.errors ?? []).some(({ code }) => code !== undefined && codes.includes(code));
  // What does not exist leaves the state, and what may not be read is passed on request. So the service itself has to say so, and
  // of a thing, not of the address.
  if (isForeign(status, envelope)) return "API_GARBLED";
  if (has(20217) || status === 409) return "API_CONFLICT";
  if (status === 401) return "API_UNAUTHORIZED";
  if (status === 403) return "API_FORBIDDEN";
  if (status === 404 || status === 410) return has(7000, 7003) ? "API_INVALID" : "API_NOT_FOUND";
  if (status === 429) return "API_RATE_LIMITED";
  return status >= 500 ? "API_UNAVAILABLE" : "API_INVALID";
}

/** The beginning of a response. Secrets are removed before it is cut, because half a secret would not be recognised. */
function snippet(text: string, { hide, carriesSecrets }: ErrorContext): string {
  if (carriesSecrets) return WITHHELD;
  const line = hide(text.slice(0, LONGEST_READ)).replace(/\s+/g, " ").trim();
  return line === "" ? "an empty response" : `"${line.slice(0, 120)}${line.length > 120 ? "…" : ""}"`;
}

/** Next steps, for the error codes that users are likely to see. */
const HINTS: Readonly<Record<number, string>> = {
  971: "The limit of 1200 requests in five minutes has been reached; wait, or lower rulesets:requestsPerSecond.",
  6003: "The credentials are malformed: a token has no spaces and no prefix, a key needs its e-mail address.",
  7000: "The API has no such address: check rulesets:baseUrl.",
  7003: "Check rulesets:baseUrl, and the zone or account ID: 32 hexadecimal digits, shown on the overview page of the zone.",
  9103: "The e-mail address and the key do not match.",
  9109: "The token does not cover this zone or account.",
  10000: "The token is wrong, expired, or lacks the permission.",
  20018: 'Only rules with the action "skip" can have `logging`.',
  20113: "The action needs actionParameters.",
  20125: "Every rule needs an expression; `true` matches every request.",
  20127:
    "The expression cannot be parsed. If it names a list of this program, let the rules wait for it: use the list's output in place of " +
    "the name, or `dependsOn`.",
  20217: 'The phase already has an entry point. Use PhaseEntrypoint, or onExisting: "adopt".',
  50001: "The plan allows no more rules in this phase; nothing was written.",
};

/** The same codes mean something else elsewhere. */
const HOSTNAME_HINTS: Readonly<Record<number, string>> = {
  1404: "The plan does not include custom hostnames.",
  1405: "The quota of custom hostnames is used up.",
  1406: "The hostname already exists in this zone.",
  1436: "Check the custom hostname's ID and the zone.",
  1439: "This hostname cannot be edited through the API; its certificate is managed elsewhere.",
  1440: "An edit that changes the certificate authority needs method and type.",
};

/** A hint for the first code that has one. */
function hintFor({ path }: Call, errors: readonly { readonly code?: number }[]): string | undefined {
  const hints = path.includes("/custom_hostnames") ? { ...HINTS, ...HOSTNAME_HINTS } : HINTS;
  return errors.flatMap(({ code = 0 }) => hints[code] ?? [])[0];
}

/** Hints for messages without a stable code. */
function hintForText(text: string): string | undefined {
  if (/WAF enrollment is required/i.test(text)) {
    return "The zone is still on the previous managed rules: migrate it first, with a ZoneWafMigration.";
  }
  if (/contact support|firewall rules to migrate/i.test(text)) {
    return "Only Cloudflare support can resolve this; contact them before you continue.";
  }
  return /not entitled/i.test(text) ? "The plan of the zone does not include this." : undefined;
}

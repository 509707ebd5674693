import { keepProgramFrames, withProgramFrames } from "./program-frames.js";

/** Codes of all expected failures; each has a section in docs/errors.md. */
export const ERROR_CODES = [
  "ANALYTICS_UNAVAILABLE",
  "API_CONFLICT",
  "API_FORBIDDEN",
  "API_GARBLED",
  "API_INVALID",
  "API_NOT_FOUND",
  "API_RATE_LIMITED",
  "API_UNAUTHORIZED",
  "API_UNAVAILABLE",
  "ARGUMENTS_INVALID",
  "CERTIFICATE_FAILED",
  "CERTIFICATE_TIMED_OUT",
  "CONFIG_CREDENTIALS_MISSING",
  "CONFIG_INVALID",
  "DRY_RUN_IGNORED",
  "HOSTNAME_NOT_FOUND",
  "IMPORT_UNSUPPORTED",
  "LIST_IN_USE",
  "LIST_QUOTA_EXCEEDED",
  "LIST_WRITE_FAILED",
  "LIST_WRITE_TIMED_OUT",
  "LOOKUP_NOT_FOUND",
  "MIGRATION_CHANGED",
  "MIGRATION_GONE",
  "MIGRATION_IRREVERSIBLE",
  "MIGRATION_TIMED_OUT",
  "OPERATION_TIMED_OUT",
  "OWNERSHIP_CONFLICT",
  "OWNERSHIP_OCCUPIED",
  "PACKAGE_NOT_FOUND",
  "PROTOCOL_UNKNOWN",
  "PROVIDER_MISMATCH",
  "PROVIDER_UNAVAILABLE",
  "REMOVAL_STOPPED",
  "RULESET_GONE",
  "RULESET_IN_USE",
  "RUN_CANCELLED",
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** An expected failure: its message says what was tried, what came back and what to do next. */
export class RulesetsError extends Error {
  readonly code: ErrorCode;
  constructor(message: string, options: { readonly code: ErrorCode; readonly cause?: unknown }) {
    const { code, cause } = options;
    super(message, cause === undefined ? {} : { cause });
    this.name = "RulesetsError";
    this.code = code;
    keepProgramFrames(this);
    if (cause instanceof Error && !(cause instanceof RulesetsError))
      cause.stack = withProgramFrames(cause, cause.stack);
  }
}

/** One entry of `errors` or `messages` in a response of the service. */
export interface ApiMessage {
  readonly code?: number;
  readonly message: string;
  /** JSON pointer into the request body. */
  readonly pointer?: string;
  /** The page of the service's documentation about it. */
  readonly documentationUrl?: string;
}

export interface ApiErrorOptions {
  readonly code: ErrorCode;
  readonly status?: number;
  readonly errors?: readonly ApiMessage[];
  readonly requestId?: string;
  readonly hint?: string;
  /** Of a 403, the permission that the request needs, as the dashboard names it. */
  readonly permission?: string;
  readonly cause?: unknown;
  /** True when it is not known whether the service carried the request out. */
  readonly ambiguous?: boolean;
  /** True when the service asks for a longer wait than a run waits. */
  readonly asksTooLong?: boolean;
}

/** An API call that failed. */
export class ApiError extends RulesetsError {
  /** HTTP status, or undefined when no response arrived. */
  readonly status: number | undefined;
  readonly errors: readonly ApiMessage[];
  /** The service's ID of the request, for Cloudflare support. */
  readonly requestId: string | undefined;
  /** What to do next; the message ends with it. */
  readonly hint: string | undefined;
  /** Of a 403, the permission that the request needs, as the dashboard names it. */
  readonly permission: string | undefined;
  readonly ambiguous: boolean;
  /** Whether sending the request again in this run is pointless: the service asks for a longer wait than a run waits. */
  readonly asksTooLong: boolean;
  constructor(message: string, options: ApiErrorOptions) {
    super(message, options);
    this.name = "ApiError";
    this.status = options.status;
    this.errors = options.errors ?? [];
    this.requestId = options.requestId;
    this.hint = options.hint;
    this.permission = options.permission;
    this.ambiguous = options.ambiguous ?? false;
    this.asksTooLong = options.asksTooLong ?? false;
  }

  /** Whether the response contains one of these error codes. */
  hasCode(...codes: readonly number[]): boolean {
    return this.errors.some((error) => error.code !== undefined && codes.includes(error.code));
  }
}

/** What follows for a write whose outcome nobody knows. */
export const OUTCOME_UNKNOWN =
  "It is not known whether the request was carried out. To continue: run the same command again, such as `pulumi up`: it reads what " +
  "is there before it sends anything.";

/**
 * Whether the service responded that these credentials may not access something. Of what a list shows, it is the only response
 * about permissions: what is gone meanwhile does not exist.
 */
export function isForbidden(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === "API_FORBIDDEN";
}

/** Whether the service responded that something does not exist, or that these credentials may not access it. */
export function isInaccessible(error: unknown): error is ApiError {
  return isForbidden(error) || (error instanceof ApiError && error.code === "API_NOT_FOUND");
}

const NOT_ABOUT_IT: readonly ErrorCode[] = ["API_UNAUTHORIZED", "API_FORBIDDEN", "API_RATE_LIMITED", "API_GARBLED"];

/**
 * Whether the service, and no proxy, rejected the request itself, and not its address, or because of the credentials or the rate
 * limit.
 */
export function isAboutTheRequest(error: ApiError): boolean {
  const { status = 0, code } = error;
  return status >= 400 && status < 500 && !NOT_ABOUT_IT.includes(code) && !error.hasCode(7000, 7003);
}

/** Whether the service no longer has an operation. Nobody else says so by mistake: 410 counts in any format. */
export function isRetired(error: unknown): error is ApiError {
  return error instanceof ApiError && (error.status === 410 || (error.status === 404 && error.hasCode(7000)));
}

/** Something thrown as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The first line of an error's message: what happened, without what to do. */
export function firstLineOf({ message }: Error): string {
  return message.split("\n")[0] ?? "";
}

/** The message of something thrown. */
export function messageOf(thrown: unknown): string {
  return errorOf(thrown).message;
}

/** All that was thrown, as one error. What was thrown in several places for the same reason is said once. */
export function joinErrors(thrown: readonly unknown[]): Error {
  const errors = thrown.map(errorOf);
  const [first] = errors;
  const messages = new Set(errors.map(({ message }) => message));
  if (first !== undefined && messages.size === 1) return first;
  const text = [...messages].join("\n");
  const cause = errors.find((error) => error instanceof RulesetsError);
  return cause === undefined ? new Error(text) : new RulesetsError(text, { code: cause.code, cause });
}

/** A write that was carried out in part: the resource exists, and this is its state as far as known. */
export class PartialFailure<State> extends Error {
  constructor(
    readonly id: string,
    readonly state: State,
    override readonly cause: Error,
  ) {
    super(cause.message, { cause });
    this.name = "PartialFailure";
  }
}

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

import type { IncomingMessage } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Codes } from "../group.js";
import { refuse, ServiceError } from "../failure.js";
import { SeedError } from "../seed-check.js";
import { SaveError } from "../store/store.js";
import type { Unread, UnreadResponse } from "../unread.js";
import { failureBody } from "./envelope.js";
import { Unreadable } from "./json.js";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The codes of the operation's group. */
    codes?: Codes;
  }
}

const MALFORMED = 6007;

/** Wraps every failure in the envelope. */
export function registerFailureHandlers(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    sendFailure(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    sendFailure(refuse(404, 7000, `No route for that URI: ${request.method} ${request.url}`), request, reply);
  });
}

/** For requests that the framework rejects itself, such as a path that cannot be decoded. */
export function sendFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const codes = request.routeOptions.config.codes;
  const known = error instanceof ServiceError ? error : translate(error, `${request.method} ${request.url}`, codes);
  afterBody(request.raw, () => {
    void reply
      .code(known.status)
      .type("application/json")
      .send(failureBody(withCodes(known, codes)));
  });
}

/** A client that is still sending its body would not see a response, because the connection is closed after it. */
function afterBody(request: IncomingMessage, send: () => void): void {
  if (request.complete) send();
  else request.once("end", send).resume();
}

/** The response to what is no request to the API. */
export function unreadResponse({ status, message }: Unread): UnreadResponse {
  const body = JSON.stringify(failureBody(refuse(status, MALFORMED, `the request cannot be read: ${message}`)));
  return { status, contentType: "application/json; charset=utf-8", body };
}

function translate(error: unknown, call: string, codes: Codes | undefined): ServiceError {
  if (error instanceof Unreadable) return refuse(400, codes?.malformed ?? MALFORMED, error.message);
  if (error instanceof SeedError) return refuse(400, 1000, error.message);
  if (error instanceof SaveError)
    return refuse(500, 1500, `the state file could not be written (${error.message}); the change was rolled back`);
  const { statusCode, message, stack } = error as { statusCode?: number; message?: string; stack?: string };
  if (statusCode !== undefined && statusCode < 500)
    return refuse(statusCode, MALFORMED, message ?? "the request cannot be read");
  return refuse(500, 1500, `the emulator failed at ${call}: ${stack ?? message ?? "unknown"}`);
}

/** Only the rulesets service omits codes. */
function withCodes(error: ServiceError, codes: Codes | undefined): ServiceError {
  const { status, entries } = error;
  const other = codes?.other;
  return other === undefined
    ? error
    : new ServiceError(
        status,
        entries.map((entry) => ({ code: other, ...entry })),
      );
}

import { refuse, ServiceError } from "../failure.js";
import type { PolicySeed } from "./policies.js";

/** A known token. If there are none, all well-formed credentials have full access. */
export interface TokenSeed {
  readonly value: string;
  /** `read` refuses writes with 403. @default "write" */
  readonly access?: "read" | "write";
  /** What it may do; without policies, everything that `access` allows. */
  readonly policies?: readonly PolicySeed[];
}

type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

function malformed(code: number, header: string): ServiceError {
  const chain = [{ code, message: `Invalid format for ${header} header` }];
  return new ServiceError(400, [{ code: 6003, message: "Invalid request headers", chain }]);
}

/** The known token of a request, if it was sent with one. */
export function tokenIn({ authorization }: RequestHeaders, tokens: readonly TokenSeed[]): TokenSeed | undefined {
  return tokens.find(({ value }) => authorization === `Bearer ${value}`);
}

/** Checks the credentials of a request, with the real service's error codes. */
export function authorize(headers: RequestHeaders, method: string, tokens: readonly TokenSeed[]): void {
  const bearer = headers.authorization;
  const email = headers["x-auth-email"];
  const key = headers["x-auth-key"];
  if (bearer !== undefined && (email !== undefined || key !== undefined)) {
    throw refuse(400, 9106, "Authorization and X-Auth headers are mutually exclusive");
  }
  if (bearer !== undefined) {
    authorizeToken(String(bearer), method, tokens);
    return;
  }
  if (email === undefined && key === undefined) {
    throw refuse(400, 9106, "Missing X-Auth-Key, X-Auth-Email or Authorization headers");
  }
  if (!/^[^@\s]+@[^@\s]+$/.test(String(email ?? ""))) throw malformed(6102, "X-Auth-Email");
  if (!/^[A-Za-z0-9_-]{8,}$/.test(String(key ?? ""))) throw malformed(6103, "X-Auth-Key");
  if (tokens.length > 0) throw refuse(403, 9103, "Unknown X-Auth-Key or X-Auth-Email");
}

function authorizeToken(header: string, method: string, tokens: readonly TokenSeed[]): void {
  const token = /^Bearer ([A-Za-z0-9._~+/=-]+)$/.exec(header)?.[1];
  if (token === undefined) throw malformed(6111, "Authorization");
  if (tokens.length === 0) return;
  const known = tokens.find(({ value }) => value === token);
  if (known === undefined) throw refuse(401, 10000, "Authentication error");
  if (known.access === "read" && method !== "GET") throw refuse(403, undefined, "request is not authorized");
}

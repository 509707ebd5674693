import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { RawResponse, ResultWithMessages, type Call, type Operation, type Owner, type Query } from "../call.js";
import type { Group } from "../group.js";
import { refuse } from "../failure.js";
import type { Store } from "../store/store.js";
import { success } from "./envelope.js";
import { httpSeedOf, type HttpSeed } from "./seed.js";
import { createHash } from "node:crypto";

/** A request with parsed path and query. */
export type ApiRequest = FastifyRequest<{ Params: Readonly<Record<string, string>>; Querystring: Query }>;

/** The API under `/client/v4`: every operation of every group. */
export function registerApi(app: FastifyInstance, groups: readonly Group[], store: Store): void {
  for (const { routes, codes = {}, takesDryRun = false } of groups) {
    for (const [method, url, operation] of routes) {
      app.route({
        method,
        url,
        config: { codes },
        handler: (request, reply) => {
          const call = callOf(request as ApiRequest, store);
          return method === "GET"
            ? success(store.transact(() => operation(call)))
            : write(call, operation, {
                store,
                reply,
                dryRun: takesDryRun && isDryRun(call.query, httpSeedOf(store)),
              });
        },
      });
    }
  }
}

/** The input of an operation from a request. */
export function callOf({ params, query, url, body, headers, routeOptions }: ApiRequest, store: Store): Call {
  const level = params.level ?? (routeOptions.url?.includes("/accounts/:owner") === true ? "accounts" : "zones");
  const { authorization } = headers;
  const owner = params.owner === undefined ? NO_OWNER : ownerOf(level, params.owner, url, store);
  return {
    owner,
    params,
    query: joined(query),
    sent: body,
    tokenId: authorization === undefined ? undefined : tokenIdOf(authorization),
  };
}

/** A repeated parameter is a comma-separated list, like `?id=a,b`. */
function joined(query: Readonly<Record<string, string | readonly string[] | undefined>>): Query {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, typeof value === "object" ? value.join(",") : value]),
  );
}

/** For operations whose path contains no owner. */
const NO_OWNER: Owner = { level: "accounts", id: "" };

function ownerOf(level: string, id: string, url: string, store: Store): Owner {
  if (!/^[0-9a-f]{32}$/.test(id)) {
    const path = url.split("?")[0] ?? "";
    throw refuse(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`);
  }
  const known = level === "zones" ? store.zones.get("", id) : store.accounts.get("", id);
  if (known === undefined) throw refuse(403, 9109, "Unauthorized to access requested resource");
  return { level: level === "zones" ? "zones" : "accounts", id };
}

interface Writing {
  readonly store: Store;
  readonly reply: FastifyReply;
  readonly dryRun: boolean;
}

/** Runs a write; a dry run is rolled back, and answered without a result. */
function write(call: Call, operation: Operation, { store, reply, dryRun }: Writing): object {
  const result = dryRun
    ? withoutResult(store.runAndRollBack(() => operation(call)))
    : store.transact(() => operation(call));
  if (result instanceof RawResponse) return result.body;
  return result === undefined ? reply.code(204).send() : success(result);
}

/** A response without its result, as the service returns it when nothing was stored. */
function withoutResult(result: unknown): unknown {
  if (result instanceof ResultWithMessages) return new ResultWithMessages(null, result.messages);
  return result === undefined ? undefined : null;
}

function isDryRun(query: Query, { dryRun = true }: HttpSeed): boolean {
  const value = query.dry_run;
  if (dryRun === false || value === undefined || value === "false") return false;
  if (value === "true") return dryRun === true;
  throw refuse(400, undefined, `'${value}' is not a valid value for dry_run because it must be true or false`);
}

/** An ID that does not reveal the token. */
function tokenIdOf(authorization: string): string {
  return createHash("sha256").update(authorization).digest("hex").slice(0, 32);
}

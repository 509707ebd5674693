import fastify, { type FastifyInstance } from "fastify";
import type { IncomingMessage, Server, IncomingHttpHeaders } from "node:http";
import type { CaaOf } from "./certificates/dns-server.js";
import { refuse, ServiceError } from "./failure.js";
import { registerApi } from "./http/api.js";
import { authorize, tokenIn, type TokenSeed } from "./http/auth.js";
import { requireAllowed } from "./http/policies.js";
import { registerControls, type Controls } from "./http/control.js";
import { registerFailureHandlers, sendFailure, unreadResponse } from "./http/failures.js";
import { Faults } from "./http/faults.js";
import { injectFaults } from "./http/inject-faults.js";
import { readJson } from "./http/json.js";
import { RateCounter } from "./http/rate.js";
import { RequestLog } from "./http/request-log.js";
import { httpSeedOf, type HttpSeed } from "./http/seed.js";
import { DEFAULT_LIMITS, type Limits } from "./limits.js";
import type { Seed } from "./seed.js";
import type { Store } from "./store/store.js";
import { resetBackend, startBackend, WHOLE_SERVICE, type Service } from "./start.js";
import { createAnsweringServer } from "./unread.js";

export const PREFIX = "/client/v4";
const BODY_LIMIT = 16 * 1024 * 1024;

interface ServerOptions {
  readonly seed?: Seed;
  readonly stateFile?: string;
  /** The only token to accept. */
  readonly token?: string;
  readonly keep?: Partial<Limits>;
}

/** The API, and the zones' own HTTP service. */
interface Servers {
  readonly api: FastifyInstance;
  /** Makes a server that serves HTTP as the zones would. */
  readonly serve: (origin: URL | undefined, timeoutSeconds?: number) => Server;
  /** The CAA records that the DNS server answers with. */
  readonly caaOf: CaaOf;
  readonly controls: Controls;
  /** A token that is accepted; undefined if every one is. */
  readonly token: string | undefined;
}

/** Builds an emulator, without listening yet. */
export function buildServer(options: ServerOptions, service: Service = WHOLE_SERVICE): Servers {
  const limits = { ...DEFAULT_LIMITS, ...options.keep };
  const backend = startBackend({ service, seed: options.seed ?? {}, stateFile: options.stateFile, limits });
  const { store, clock, groups } = backend;
  const faults = new Faults();
  const log = new RequestLog(PREFIX, limits.requests);
  const rate = new RateCounter(() => clock.now());
  rate.reset(httpSeedOf(store).rateLimit ?? {});

  const app = createApp();
  registerFailureHandlers(app);
  log.attach(app);
  countRequests(app, rate);
  injectFaults(app, { faults, log, prefix: PREFIX });
  app.addHook("onRequest", (request, _reply, done) => {
    checkHost(request.raw);
    if (request.url.startsWith(`${PREFIX}/`)) {
      authorize(request.headers, request.method, tokensOf(options, httpSeedOf(store)));
      checkContentType(request.method, request.headers);
    }
    done();
  });
  applyPolicies(app, store, () => tokensOf(options, httpSeedOf(store)));
  app.addHook("onClose", (_app, done) => {
    store.close();
    faults.clear();
    done();
  });
  void app.register(
    (api, _options, done) => {
      registerApi(api, groups, store);
      done();
    },
    { prefix: PREFIX },
  );
  const reset = (seed: Seed | undefined): void => {
    store.transact(() => {
      resetBackend(backend, seed ?? options.seed ?? {});
    });
    log.clear();
    faults.clear();
    rate.reset(httpSeedOf(store).rateLimit ?? {});
  };
  const controls: Controls = { reset, log, faults, clock, groups, store };
  void app.register(
    (control, _options, done) => {
      control.addHook("onRequest", ({ headers }, _reply, next) => {
        refusePages(headers);
        next();
      });
      registerControls(control, controls);
      done();
    },
    { prefix: "/__emulator" },
  );
  const serve = groups.find((group) => group.serve !== undefined)?.serve;
  if (serve === undefined) throw new Error("no group of operations serves the zones");
  const caaOf: CaaOf = (name) => groups.map((group) => group.caaOf?.(name)).find((found) => found !== undefined);
  return { api: app, serve, caaOf, controls, token: tokensOf(options, httpSeedOf(store))[0]?.value };
}

/** Bodies are checked behind the routes. Without these, every start loads fastify's own compilers of schemas. */
const NO_SCHEMAS = { buildValidator: refuseSchemas, buildSerializer: refuseSchemas };

function refuseSchemas(): never {
  throw new Error("routes of the emulator have no schemas");
}

function createApp(): FastifyInstance {
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    frameworkErrors: sendFailure,
    schemaController: { compilersFactory: NO_SCHEMAS },
    serverFactory: (handler) => createAnsweringServer({}, handler, unreadResponse),
    clientErrorHandler: () => undefined,
  });
  acceptAnyJson(app);
  return app;
}

function tokensOf({ token }: ServerOptions, seed: HttpSeed): TokenSeed[] {
  return [...(token === undefined ? [] : [{ value: token }]), ...(seed.tokens ?? [])];
}

/** Refuses what no policy of the token allows, once the body is known. */
function applyPolicies(app: FastifyInstance, store: Store, tokens: () => readonly TokenSeed[]): void {
  app.addHook("preHandler", (request, _reply, done) => {
    const isApi = request.url.startsWith(`${PREFIX}/`);
    const { policies } = (isApi ? tokenIn(request.headers, tokens()) : undefined) ?? {};
    const path = request.url.slice(PREFIX.length).split("?")[0] ?? "";
    const accountOf = (zone: string): string | undefined => store.zones.get("", zone)?.account.id;
    if (policies !== undefined)
      requireAllowed(policies, { method: request.method, path, body: request.body, accountOf });
    done();
  });
}

/** Bodies are parsed as JSON whatever their content type, which control routes do not check, and may be empty. */
function acceptAnyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, readJson(body as string));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
function checkHost({ httpVersion, headersDistinct: { host = [] } }: IncomingMessage): void {
  if (host.length > 1 || (host.length === 0 && httpVersion === "1.1"))
    throw refuse(400, 6003, "Invalid request: exactly one Host header is required");
}

/** Counts every request, returns the remaining quota, and refuses requests beyond it. */
function countRequests(app: FastifyInstance, rate: RateCounter): void {
  let counted = 0;
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.url.startsWith(`${PREFIX}/`)) {
      done();
      return;
    }
    counted += 1;
    const caller = String(request.headers.authorization ?? request.headers["x-auth-email"] ?? "");
    const refused = rate.count(caller);
    void reply.headers({
      "CF-RAY": counted.toString(16).padStart(16, "0"),
      ...rate.headers(caller, refused !== undefined),
    });
    done(refused);
  });
}

/**
 * Refuses requests to control routes that a page sends: from a browser on this machine, it could otherwise reset the emulator, or
 * read what it got. Programs that are no browsers send neither header, and the address bar says that no page is behind it.
 */
function refusePages({ origin, "sec-fetch-site": site = "none" }: IncomingHttpHeaders): void {
  if (origin !== undefined || site !== "none") throw refuse(403, undefined, "control routes cannot be used by a page");
}

const CONTENT_TYPES = ["application/json", "multipart/form-data"];

/**
 * Rejects a body that is not marked as JSON, as the service does:
 * https://github.com/jamesryanbell/cloudflare/issues/15
 */
function checkContentType(method: string, headers: IncomingHttpHeaders): void {
  const type = headers["content-type"];
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (method === "GET" || (type === undefined && !hasBody)) return;
  const media = type?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (CONTENT_TYPES.includes(media)) return;
  const chain = [{ code: 6105, message: `Invalid Content-Type header, valid values are ${CONTENT_TYPES.join(",")}` }];
  throw new ServiceError(400, [{ code: 6003, message: "Invalid request headers", chain }]);
}

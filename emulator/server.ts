import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { authorize } from "./auth.js";
import { EmulatorClock } from "./clock.js";
import { registerControls, type LoggedRequest } from "./control.js";
import { failureBody } from "./envelope.js";
import { refuse, ServiceError } from "./failure.js";
import { Faults, type Fault } from "./faults.js";
import { RateCounter } from "./rate.js";
import { registerApi, type Service } from "./routes.js";
import { RulesetsService } from "./rulesets/service.js";
import { seedRulesets } from "./rulesets/seed.js";
import type { Seed } from "./seed.js";
import { Store } from "./store.js";

const PREFIX = "/client/v4";
const BODY_LIMIT = 16 * 1024 * 1024;

export interface ServerOptions {
  readonly seed?: Seed;
  readonly stateFile?: string;
  /** The only token that is let in. */
  readonly token?: string;
}

interface Running extends Service {
  readonly rate: RateCounter;
}

declare module "fastify" {
  interface FastifyRequest {
    fault?: Fault;
  }
}

/** The whole emulator as a server that does not listen yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const clock = new EmulatorClock();
  const faults = new Faults();
  const log: LoggedRequest[] = [];
  const start = (seed: Seed, stateFile?: string): Running => {
    const tokens = options.token === undefined ? seed.tokens : [{ value: options.token }, ...(seed.tokens ?? [])];
    const store = new Store({ ...seed, ...(tokens === undefined ? {} : { tokens }) }, stateFile);
    const rulesets = new RulesetsService(store, clock);
    if (store.ids.count === 0) seedRulesets(store, rulesets);
    return { store, rulesets, rate: new RateCounter(seed.rateLimit ?? {}, () => clock.now()) };
  };
  let running = start(options.seed ?? {}, options.stateFile);

  const app = fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false, forceCloseConnections: true });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : (JSON.parse(String(body)) as unknown));
    } catch {
      done(refuse(400, 6007, "Malformed JSON in request body"));
    }
  });

  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof ServiceError ? error : frameworkError(error, request);
    void reply.code(known.status).send(failureBody(known));
  });
  app.setNotFoundHandler((request, reply) => {
    void reply.code(404).send(failureBody(refuse(404, 7000, `No route for that URI: ${request.method} ${request.url}`)));
  });

  app.addHook("onRequest", async (request, reply) => {
    if (!request.url.startsWith(`${PREFIX}/`)) return;
    reply.header("CF-RAY", randomUUID().slice(0, 16));
    const refused = running.rate.count();
    reply.headers(running.rate.headers(refused !== undefined));
    request.fault = faults.take(request.method, pathOf(request));
    await applyBefore(request, reply);
    if (reply.sent) return;
    if (refused !== undefined) throw refused;
    authorize(request.headers, request.method, running.store.seed.tokens ?? []);
  });
  app.addHook("onSend", async (request, reply, payload) => applyAfter(request, reply, payload));
  app.addHook("onResponse", (request, reply, done) => {
    record(request, reply.statusCode);
    done();
  });

  const record = (request: FastifyRequest, status: number): void => {
    if (request.url.startsWith(`${PREFIX}/`)) {
      log.push({ method: request.method, path: pathOf(request), query: request.url.split("?")[1] ?? "", status });
    }
  };
  const cut = (request: FastifyRequest, reply: FastifyReply): void => {
    record(request, 0);
    reply.hijack();
    request.raw.socket.destroy();
  };
  const applyBefore = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { fault } = request;
    if (fault === undefined) return;
    if (fault.delayMs !== undefined) await delay(fault.delayMs);
    if (fault.cut === "before") cut(request, reply);
    else if (fault.status !== undefined && fault.cut === undefined) {
      const body = fault.body ?? failureBody(refuse(fault.status, undefined, "a fault was asked for"));
      reply.code(fault.status).headers(fault.headers ?? {}).type(typeof body === "string" ? "text/html" : "application/json");
      await reply.send(body);
    }
  };
  const applyAfter = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
    const { fault } = request;
    if (fault === undefined || fault.cut === "before") return payload;
    if (fault.cut === "after") {
      cut(request, reply);
      return payload;
    }
    if (fault.status !== undefined) return payload;
    reply.headers(fault.headers ?? {});
    if (fault.body === undefined) return payload;
    reply.removeHeader("content-length");
    return typeof fault.body === "string" ? fault.body : JSON.stringify(fault.body);
  };

  void app.register((api, _options, done) => {
    registerApi(api, () => running);
    done();
  }, { prefix: PREFIX });
  void app.register((control, _options, done) => {
    registerControls(control, {
      reset: (seed) => {
        running = start(seed ?? options.seed ?? {});
        log.length = 0;
        faults.clear();
        clock.reset();
      },
      requests: () => log,
      clearRequests: () => {
        log.length = 0;
      },
      faults,
      clock,
    });
    done();
  }, { prefix: "/__emulator" });
  return app;
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?")[0] ?? "";
}

function frameworkError(error: unknown, request: FastifyRequest): ServiceError {
  const { statusCode, message } = error as { statusCode?: number; message?: string };
  if (statusCode !== undefined && statusCode < 500) return refuse(statusCode, 6007, message ?? "the request cannot be read");
  return refuse(500, 1500, `the emulator failed at ${request.method} ${request.url}: ${(error as Error).stack ?? String(error)}`);
}

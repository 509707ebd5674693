import fastify, { type FastifyInstance } from "fastify";
import type { Service } from "./call.js";
import { authorize, type TokenSeed } from "./auth.js";
import { EmulatorClock } from "./clock.js";
import { registerControls, type Controls } from "./control.js";
import { failureBody } from "./envelope.js";
import { refuse, ServiceError } from "./failure.js";
import { Faults } from "./faults.js";
import { injectFaults } from "./inject-faults.js";
import { HostnamesService } from "./certificates/hostnames.js";
import { CertificatesService } from "./certificates/service.js";
import { BypassService } from "./previous-waf/bypasses.js";
import { MigrationService } from "./previous-waf/migration.js";
import { PreviousWafService } from "./previous-waf/service.js";
import { RateCounter } from "./rate.js";
import { RequestLog } from "./request-log.js";
import { registerApi } from "./routes.js";
import { seedRulesets } from "./rulesets/seed.js";
import { RulesetsService } from "./rulesets/service.js";
import type { Seed } from "./seed.js";
import { Store } from "./store.js";

export const PREFIX = "/client/v4";
const BODY_LIMIT = 16 * 1024 * 1024;

export interface ServerOptions {
  readonly seed?: Seed;
  readonly stateFile?: string;
  /** The only token that is let in. */
  readonly token?: string;
}

interface Running extends Service {
  readonly rate: RateCounter;
  readonly tokens: readonly TokenSeed[];
}

/** The whole emulator as a server that does not listen yet. */
export function buildServer(options: ServerOptions): FastifyInstance {
  const clock = new EmulatorClock();
  const faults = new Faults();
  const log = new RequestLog(PREFIX);
  let running = start(options, clock, options.seed ?? {}, options.stateFile);

  const app = fastify({ bodyLimit: BODY_LIMIT, exposeHeadRoutes: false, forceCloseConnections: true });
  acceptAnyJson(app);
  answerFailures(app);
  log.attach(app);
  countRequests(app, () => running);
  injectFaults(app, { faults, log, prefix: PREFIX });
  app.addHook("onRequest", (request, _reply, done) => {
    if (request.url.startsWith(`${PREFIX}/`)) {
      authorize(request.headers, request.method, running.tokens);
    }
    done();
  });
  void app.register(
    (api, _options, done) => {
      registerApi(api, () => running);
      done();
    },
    { prefix: PREFIX },
  );
  void app.register(
    (control, _options, done) => {
      const reset = (seed: Seed | undefined): void => {
        running = start(options, clock, seed ?? options.seed ?? {});
        log.clear();
        faults.clear();
        clock.reset();
      };
      const setPreviousWaf: Controls["setPreviousWaf"] = (zone, change) => {
        running.migration.set(zone, change);
      };
      const steerCertificates: Controls["steerCertificates"] = (zone, change) => {
        running.hostnames.steer(zone, change);
        return running.certificates.chains(zone);
      };
      registerControls(control, { reset, log, faults, clock, setPreviousWaf, steerCertificates });
      done();
    },
    { prefix: "/__emulator" },
  );
  return app;
}

/** The service from a seed, or from its state file when there is one. */
function start(options: ServerOptions, clock: EmulatorClock, seed: Seed, stateFile?: string): Running {
  const store = new Store(seed, stateFile);
  const tokens = [...(options.token === undefined ? [] : [{ value: options.token }]), ...(store.seed.tokens ?? [])];
  const migration = new MigrationService(store, clock);
  const rulesets = new RulesetsService(store, clock, (owner, phase, rules) => {
    migration.refuseUnenrolled(owner, phase, rules);
  });
  if (store.ids.count === 0) seedRulesets(store, rulesets);
  const services = {
    rulesets,
    migration,
    previousWaf: new PreviousWafService(store, migration),
    bypasses: new BypassService(store, clock),
    hostnames: new HostnamesService(store, clock),
    certificates: new CertificatesService(store, clock),
  };
  return { store, ...services, tokens, rate: new RateCounter(seed.rateLimit ?? {}, () => clock.now()) };
}

/** Bodies are JSON whatever they say they are, and may be empty. */
function acceptAnyJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => {
    try {
      done(null, body === "" ? undefined : (JSON.parse(body as string) as unknown));
    } catch {
      done(refuse(400, 6007, "Malformed JSON in request body"));
    }
  });
}

function answerFailures(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const known = error instanceof ServiceError ? error : frameworkError(error, `${request.method} ${request.url}`);
    void reply.code(known.status).send(failureBody(known));
  });
  app.setNotFoundHandler((request, reply) => {
    const refusal = refuse(404, 7000, `No route for that URI: ${request.method} ${request.url}`);
    void reply.code(404).send(failureBody(refusal));
  });
}

function frameworkError(error: unknown, call: string): ServiceError {
  const { statusCode, message, stack } = error as { statusCode?: number; message?: string; stack?: string };
  if (statusCode !== undefined && statusCode < 500) {
    return refuse(statusCode, 6007, message ?? "the request cannot be read");
  }
  return refuse(500, 1500, `the emulator failed at ${call}: ${stack ?? message ?? "unknown"}`);
}

/** Counts every request, tells the rest of the quota, and refuses what is beyond it. */
function countRequests(app: FastifyInstance, current: () => Running): void {
  let counted = 0;
  app.addHook("onRequest", (request, reply, done) => {
    if (!request.url.startsWith(`${PREFIX}/`)) {
      done();
      return;
    }
    const { rate } = current();
    counted += 1;
    const refused = rate.count();
    void reply.headers({ "CF-RAY": counted.toString(16).padStart(16, "0"), ...rate.headers(refused !== undefined) });
    done(refused);
  });
}

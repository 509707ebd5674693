import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { success } from "./envelope.js";
import { refuse } from "./failure.js";
import type { Owner, RulesetsService } from "./rulesets/service.js";
import type { Store } from "./store.js";
import { listZones, zoneAnswer } from "./zones.js";

interface PathParts {
  readonly level: string;
  readonly owner: string;
  readonly ruleset: string;
  readonly phase: string;
  readonly version: string;
  readonly rule: string;
  readonly tag: string;
}
type Query = Readonly<Record<string, string | undefined>>;
type Request = FastifyRequest<{ Params: PathParts; Querystring: Query }>;
type Body = Readonly<Record<string, unknown>>;

/** What the routes work on; replaced as a whole by a reset. */
export interface Service {
  readonly store: Store;
  readonly rulesets: RulesetsService;
}

/** What an operation gets: the service, whose rulesets it is about, the parts of the path, and the body. */
interface Call {
  readonly rulesets: RulesetsService;
  readonly owner: Owner;
  readonly parts: PathParts;
  readonly query: Query;
  readonly body: () => Body;
}
type Operation = (call: Call) => unknown;

const ROOT = "/:level(^zones|accounts$)/:owner/rulesets";
const RULESET = `${ROOT}/:ruleset`;
const ENTRYPOINT = `${ROOT}/phases/:phase/entrypoint`;

const READS: Readonly<Record<string, Operation>> = {
  [`${ENTRYPOINT}/versions/:version`]: ({ rulesets, owner, parts }) =>
    rulesets.entrypointVersion(owner, parts.phase, parts.version),
  [`${ENTRYPOINT}/versions`]: ({ rulesets, owner, parts }) => rulesets.entrypointVersions(owner, parts.phase),
  [ENTRYPOINT]: ({ rulesets, owner, parts }) => rulesets.getEntrypoint(owner, parts.phase),
  [`${RULESET}/versions/:version/by_tag/:tag`]: ({ rulesets, owner, parts }) =>
    rulesets.byTag(owner, parts.ruleset, parts.version, parts.tag),
  [`${RULESET}/versions/:version`]: ({ rulesets, owner, parts }) =>
    rulesets.version(owner, parts.ruleset, parts.version),
  [`${RULESET}/versions`]: ({ rulesets, owner, parts }) => rulesets.versions(owner, parts.ruleset),
  [RULESET]: ({ rulesets, owner, parts }) => rulesets.get(owner, parts.ruleset),
};

type Method = "POST" | "PUT" | "PATCH" | "DELETE";

const WRITES: readonly (readonly [Method, string, Operation])[] = [
  ["POST", ROOT, ({ rulesets, owner, body }) => rulesets.create(owner, body())],
  ["PUT", ENTRYPOINT, ({ rulesets, owner, parts, body }) => rulesets.replaceEntrypoint(owner, parts.phase, body())],
  ["PUT", RULESET, ({ rulesets, owner, parts, body }) => rulesets.replace(owner, parts.ruleset, body())],
  ["POST", `${RULESET}/rules`, ({ rulesets, owner, parts, body }) => rulesets.addRule(owner, parts.ruleset, body())],
  [
    "PATCH",
    `${RULESET}/rules/:rule`,
    ({ rulesets, owner, parts, body }) => rulesets.updateRule(owner, parts.ruleset, parts.rule, body()),
  ],
  [
    "DELETE",
    `${RULESET}/rules/:rule`,
    ({ rulesets, owner, parts }) => rulesets.deleteRule(owner, parts.ruleset, parts.rule),
  ],
  [
    "DELETE",
    `${RULESET}/versions/:version`,
    ({ rulesets, owner, parts }) => {
      rulesets.deleteVersion(owner, parts.ruleset, parts.version);
    },
  ],
  [
    "DELETE",
    RULESET,
    ({ rulesets, owner, parts }) => {
      rulesets.delete(owner, parts.ruleset);
    },
  ],
];

/** The API under `/client/v4`. */
export function registerApi(app: FastifyInstance, current: () => Service): void {
  const call = (request: Request): Call => callOf(request, current());
  for (const [path, operation] of Object.entries(READS)) {
    app.get(path, (request: Request) => success(operation(call(request))));
  }
  for (const [method, url, operation] of WRITES) {
    app.route({
      method,
      url,
      handler: (request, reply) => write(current(), call(request as Request), operation, reply),
    });
  }
  app.get(ROOT, (request: Request) => {
    const { rulesets, owner, query } = call(request);
    return listPage(rulesets.list(owner), query);
  });
  app.get("/zones", (request: Request) => {
    const { result, info } = listZones(current().store.zones, request.query);
    return success(result, info);
  });
  app.get("/zones/:owner", (request: Request) => {
    const { id } = ownerOf("zones", request.params.owner, request.url, current().store);
    const zone = current().store.zones.find((item) => item.id === id);
    return success(zone === undefined ? null : zoneAnswer(zone));
  });
}

function callOf(request: Request, { rulesets, store }: Service): Call {
  const { params, query, url } = request;
  const body = (): Body => {
    const sent = request.body;
    if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
    throw refuse(400, undefined, "invalid JSON: the body must be an object");
  };
  return { rulesets, owner: ownerOf(params.level, params.owner, url, store), parts: params, query, body };
}

function ownerOf(level: string, id: string, url: string, store: Store): Owner {
  if (!/^[0-9a-f]{32}$/.test(id)) {
    const path = url.split("?")[0] ?? "";
    throw refuse(404, 7003, `Could not route to ${path}, perhaps your object identifier is invalid?`);
  }
  const known = level === "zones" ? store.zones : store.accounts;
  if (!known.some((item) => item.id === id)) throw refuse(403, 9109, "Unauthorized to access requested resource");
  return { level: level === "zones" ? "zones" : "accounts", id };
}

/** A write; with `dry_run=true` it is carried out, taken back, and answered without a result. */
function write({ store }: Service, call: Call, operation: Operation, reply: FastifyReply): object {
  let result: unknown = null;
  if (isDryRun(call.query)) {
    store.rehearse(() => {
      result = operation(call) === undefined ? undefined : null;
    });
  } else {
    result = operation(call);
    store.save();
  }
  return result === undefined ? reply.code(204).send() : success(result);
}

function isDryRun(query: Query): boolean {
  const value = query.dry_run;
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refuse(400, undefined, `'${value}' is not a valid value for dry_run because it must be true or false`);
}

/** One page of a list by cursor: the cursor of the next page comes in `result_info` (API facts 1.6). */
function listPage(all: readonly unknown[], query: Query): object {
  const size = Number(query.per_page ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 50) throw refuse(400, undefined, "per_page must be from 1 to 50");
  const start = query.cursor === undefined ? 0 : Number(Buffer.from(query.cursor, "base64url").toString());
  if (!Number.isInteger(start) || start < 0) throw refuse(400, undefined, "the cursor is not valid");
  const next = start + size;
  const info = next < all.length ? { cursors: { after: Buffer.from(String(next)).toString("base64url") } } : undefined;
  return success(all.slice(start, next), info);
}

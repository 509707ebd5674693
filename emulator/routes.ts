import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Bare, Paged, type Call, type Operation, type Query, type Service } from "./call.js";
import { certificateRoutes } from "./certificates/routes.js";
import { success } from "./envelope.js";
import { refuse } from "./failure.js";
import { previousWafRoutes } from "./previous-waf/routes.js";
import { rulesetRoutes } from "./rulesets/routes.js";
import type { Owner } from "./rulesets/service.js";
import type { Store } from "./store.js";
import { listZones, zoneAnswer } from "./zones.js";

type Request = FastifyRequest<{ Params: Readonly<Record<string, string>>; Querystring: Query }>;

/** The API under `/client/v4`. */
export function registerApi(app: FastifyInstance, current: () => Service): void {
  for (const [method, url, operation] of [...rulesetRoutes, ...previousWafRoutes, ...certificateRoutes]) {
    app.route({
      method,
      url,
      handler: (request, reply) => {
        const service = current();
        const call = callOf(request as Request, service);
        return method === "GET" ? answer(operation(call)) : write(service, call, operation, reply);
      },
    });
  }
  app.get("/zones", (request: Request) => {
    const { result, info } = listZones(current().store.zones, request.query);
    return success(result, info);
  });
  app.get("/zones/:owner", (request: Request) => {
    const { id } = ownerOf("zones", request.params.owner ?? "", request.url, current().store);
    const zone = current().store.zones.find((item) => item.id === id);
    return success(zone === undefined ? null : zoneAnswer(zone));
  });
}

function answer(result: unknown): object {
  return result instanceof Paged ? success(result.result, result.info) : success(result);
}

function callOf(request: Request, service: Service): Call {
  const { params, query, url, body } = request;
  const owner = ownerOf(params.level ?? "zones", params.owner ?? "", url, service.store);
  return { ...service, owner, parts: params, query, sent: body };
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
  if (result instanceof Bare) return result.body;
  return result === undefined ? reply.code(204).send() : success(result);
}

function isDryRun(query: Query): boolean {
  const value = query.dry_run;
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refuse(400, undefined, `'${value}' is not a valid value for dry_run because it must be true or false`);
}

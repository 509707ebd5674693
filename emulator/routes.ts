import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { success } from "./envelope.js";
import { refuse } from "./failure.js";
import type { Owner, RulesetsService } from "./rulesets/service.js";
import type { Store } from "./store.js";
import { listZones, zoneAnswer } from "./zones.js";

interface RulesetPath {
  readonly level: string;
  readonly owner: string;
  readonly ruleset: string;
  readonly phase: string;
  readonly version: string;
  readonly rule: string;
  readonly tag: string;
}
type Request = FastifyRequest<{ Params: RulesetPath; Querystring: Record<string, string | undefined> }>;
type Body = Readonly<Record<string, unknown>>;

/** What the routes work on; replaced as a whole by a reset. */
export interface Service {
  readonly store: Store;
  readonly rulesets: RulesetsService;
}

const ROOT = "/:level(^zones|accounts$)/:owner/rulesets";
const ENTRYPOINT = `${ROOT}/phases/:phase/entrypoint`;

/** The API under `/client/v4`. */
export function registerApi(app: FastifyInstance, current: () => Service): void {
  const rulesets = (): RulesetsService => current().rulesets;

  const owner = (request: Request): Owner => {
    const { level, owner: id } = request.params;
    const { store } = current();
    if (!/^[0-9a-f]{32}$/.test(id)) {
      throw refuse(404, 7003, `Could not route to ${request.url.split("?")[0] ?? ""}, perhaps your object identifier is invalid?`);
    }
    const known = level === "zones" ? store.zones : store.accounts;
    if (!known.some((item) => item.id === id)) throw refuse(403, 9109, "Unauthorized to access requested resource");
    return { level: level === "zones" ? "zones" : "accounts", id };
  };
  const body = (request: Request): Body => {
    const sent = request.body;
    if (typeof sent === "object" && sent !== null && !Array.isArray(sent)) return sent as Body;
    throw refuse(400, undefined, "invalid JSON: the body must be an object");
  };
  const read = (path: string, answer: (request: Request) => unknown): void => {
    app.get(path, (request: Request) => success(answer(request)));
  };
  /** A write; with `dry_run=true` it is carried out, taken back, and answered without a result. */
  const write = (method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, act: (request: Request) => unknown): void => {
    app.route({
      method,
      url: path,
      handler: (request, reply: FastifyReply) => {
        const { store } = current();
        const typed = request as Request;
        const rehearsal = dryRun(typed);
        let result: unknown = null;
        if (rehearsal) store.rehearse(() => void act(typed));
        else result = act(typed) ?? null;
        if (!rehearsal) store.save();
        if (method === "DELETE" && result === null) return reply.code(204).send();
        return success(result);
      },
    });
  };

  read(`${ENTRYPOINT}/versions/:version`, (r) => rulesets().entrypointVersion(owner(r), r.params.phase, r.params.version));
  read(`${ENTRYPOINT}/versions`, (r) => rulesets().entrypointVersions(owner(r), r.params.phase));
  read(ENTRYPOINT, (r) => rulesets().getEntrypoint(owner(r), r.params.phase));
  write("PUT", ENTRYPOINT, (r) => rulesets().replaceEntrypoint(owner(r), r.params.phase, body(r)));
  read(`${ROOT}/:ruleset/versions/:version/by_tag/:tag`, (r) =>
    rulesets().byTag(owner(r), r.params.ruleset, r.params.version, r.params.tag),
  );
  read(`${ROOT}/:ruleset/versions/:version`, (r) => rulesets().version(owner(r), r.params.ruleset, r.params.version));
  write("DELETE", `${ROOT}/:ruleset/versions/:version`, (r) => {
    rulesets().deleteVersion(owner(r), r.params.ruleset, r.params.version);
  });
  read(`${ROOT}/:ruleset/versions`, (r) => rulesets().versions(owner(r), r.params.ruleset));
  write("POST", `${ROOT}/:ruleset/rules`, (r) => rulesets().addRule(owner(r), r.params.ruleset, body(r)));
  write("PATCH", `${ROOT}/:ruleset/rules/:rule`, (r) =>
    rulesets().updateRule(owner(r), r.params.ruleset, r.params.rule, body(r)),
  );
  write("DELETE", `${ROOT}/:ruleset/rules/:rule`, (r) => rulesets().deleteRule(owner(r), r.params.ruleset, r.params.rule));
  read(`${ROOT}/:ruleset`, (r) => rulesets().get(owner(r), r.params.ruleset));
  write("PUT", `${ROOT}/:ruleset`, (r) => rulesets().replace(owner(r), r.params.ruleset, body(r)));
  write("DELETE", `${ROOT}/:ruleset`, (r) => {
    rulesets().delete(owner(r), r.params.ruleset);
  });
  app.get(ROOT, (request: Request) => listPage(rulesets().list(owner(request)), request.query));
  write("POST", ROOT, (r) => rulesets().create(owner(r), body(r)));

  app.get("/zones", (request: Request) => {
    const { result, info } = listZones(current().store.zones, request.query);
    return success(result, info);
  });
  app.get("/zones/:owner", (request: Request) => {
    const { id } = owner({ params: { ...request.params, level: "zones" }, url: request.url } as Request);
    const zone = current().store.zones.find((item) => item.id === id);
    return success(zone === undefined ? null : zoneAnswer(zone));
  });
}

function dryRun(request: Request): boolean {
  const value = request.query.dry_run;
  if (value === undefined || value === "false") return false;
  if (value === "true") return true;
  throw refuse(400, undefined, `'${value}' is not a valid value for dry_run because it must be true or false`);
}

/** One page of a list by cursor: the cursor of the next page comes in `result_info` (API facts 1.6). */
function listPage(all: readonly unknown[], query: Readonly<Record<string, string | undefined>>): object {
  const size = Number(query.per_page ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 50) throw refuse(400, undefined, "per_page must be from 1 to 50");
  const start = query.cursor === undefined ? 0 : Number(Buffer.from(query.cursor, "base64url").toString());
  if (!Number.isInteger(start) || start < 0) throw refuse(400, undefined, "the cursor is not valid");
  const next = start + size;
  const info = next < all.length ? { cursors: { after: Buffer.from(String(next)).toString("base64url") } } : undefined;
  return success(all.slice(start, next), info);
}

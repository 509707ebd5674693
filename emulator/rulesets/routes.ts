import { bodyOf, Paged, part, type Query, type Route } from "../call.js";
import { refuse } from "../failure.js";
import { MANAGED_PHASE } from "../previous-waf/migration.js";

const ROOT = "/:level(^zones|accounts$)/:owner/rulesets";
const RULESET = `${ROOT}/:ruleset`;
const ENTRYPOINT = `${ROOT}/phases/:phase/entrypoint`;

/** The operations on rulesets, at both levels (spec 4.1). */
export const rulesetRoutes: readonly Route[] = [
  ["GET", ROOT, ({ rulesets, owner, query }) => listPage(rulesets.list(owner), query)],
  ["POST", ROOT, (call) => call.rulesets.create(call.owner, bodyOf(call))],
  ["GET", ENTRYPOINT, (call) => call.rulesets.getEntrypoint(call.owner, part(call, "phase"))],
  [
    "PUT",
    ENTRYPOINT,
    (call) => {
      const { rulesets, migration, owner, query } = call;
      const moves =
        query.waf_migration !== undefined && owner.level === "zones" && part(call, "phase") === MANAGED_PHASE;
      return moves
        ? migration.advance(owner, query, bodyOf(call), rulesets)
        : rulesets.replaceEntrypoint(owner, part(call, "phase"), bodyOf(call));
    },
  ],
  ["GET", `${ENTRYPOINT}/versions`, (call) => call.rulesets.entrypointVersions(call.owner, part(call, "phase"))],
  [
    "GET",
    `${ENTRYPOINT}/versions/:version`,
    (call) => call.rulesets.entrypointVersion(call.owner, part(call, "phase"), part(call, "version")),
  ],
  ["GET", RULESET, (call) => call.rulesets.get(call.owner, part(call, "ruleset"))],
  ["PUT", RULESET, (call) => call.rulesets.replace(call.owner, part(call, "ruleset"), bodyOf(call))],
  [
    "DELETE",
    RULESET,
    (call) => {
      call.rulesets.delete(call.owner, part(call, "ruleset"));
    },
  ],
  ["GET", `${RULESET}/versions`, (call) => call.rulesets.versions(call.owner, part(call, "ruleset"))],
  [
    "GET",
    `${RULESET}/versions/:version`,
    (call) => call.rulesets.version(call.owner, part(call, "ruleset"), part(call, "version")),
  ],
  [
    "DELETE",
    `${RULESET}/versions/:version`,
    (call) => {
      call.rulesets.deleteVersion(call.owner, part(call, "ruleset"), part(call, "version"));
    },
  ],
  [
    "GET",
    `${RULESET}/versions/:version/by_tag/:tag`,
    (call) => call.rulesets.byTag(call.owner, part(call, "ruleset"), part(call, "version"), part(call, "tag")),
  ],
  ["POST", `${RULESET}/rules`, (call) => call.rulesets.addRule(call.owner, part(call, "ruleset"), bodyOf(call))],
  [
    "PATCH",
    `${RULESET}/rules/:rule`,
    (call) => call.rulesets.updateRule(call.owner, part(call, "ruleset"), part(call, "rule"), bodyOf(call)),
  ],
  [
    "DELETE",
    `${RULESET}/rules/:rule`,
    (call) => call.rulesets.deleteRule(call.owner, part(call, "ruleset"), part(call, "rule")),
  ],
];

/** One page of a list by cursor: the cursor of the next page comes in `result_info` (API facts 1.6). */
function listPage(all: readonly unknown[], query: Query): Paged {
  const size = Number(query.per_page ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 50) throw refuse(400, undefined, "per_page must be from 1 to 50");
  const start = query.cursor === undefined ? 0 : Number(Buffer.from(query.cursor, "base64url").toString());
  if (!Number.isInteger(start) || start < 0) throw refuse(400, undefined, "the cursor is not valid");
  const next = start + size;
  const info = next < all.length ? { cursors: { after: Buffer.from(String(next)).toString("base64url") } } : undefined;
  return new Paged(all.slice(start, next), info);
}

import { bodyOf, param, ResultWithMessages, type ApiResult, type Body, type Route, type Owner } from "../call.js";
import type { GroupDefinition } from "../group-definition.js";
import { MANAGED_PHASE, type MigrationService } from "../previous-waf/migration.js";
import { cursorPage } from "../pages.js";
import { rulesetResult } from "./model.js";
import { rulesetsSeed, type RulesetsSeed } from "./seed.js";
import { RulesetsService } from "./service.js";
import { unknownNames } from "./warnings.js";
import { addEach, refusedPointer } from "../seed-item.js";
import type { Store } from "../store/store.js";

const ROOT = "/:level(^zones|accounts$)/:owner/rulesets";
const RULESET = `${ROOT}/:ruleset`;
const ENTRYPOINT = `${ROOT}/phases/:phase/entrypoint`;

/** The operations on rulesets of zones and accounts. */
export const rulesets: GroupDefinition<RulesetsSeed> = {
  seed: rulesetsSeed,
  build: ({ store, clock, migration, storedRulesets: stored, listService }) => {
    const service = new RulesetsService(store, stored, clock, listService, (owner, phase, rules) => {
      migration.refuseUnenrolled(owner, phase, rules);
    });
    return {
      takesDryRun: true,
      routes: [...rulesetRoutes(service, migration), ...versionRoutes(service), ...ruleRoutes(service)],
      controls: [
        [
          "POST",
          "/managed-rulesets/:ruleset/releases",
          (call) => {
            const made = { nextId: () => store.ids.next(), now: clock.timestamp() };
            const { ruleset, version } = stored.managed.release(param(call, "ruleset"), bodyOf(call), made);
            return rulesetResult(ruleset, version);
          },
        ],
      ],
      addSeed: (seed) => {
        seedRulesets(seed, store, service);
      },
      removeZone: ({ id }) => {
        const owner = { level: "zones", id } as const;
        for (const ruleset of stored.in(owner)) stored.remove(owner, ruleset);
      },
    };
  },
};

/** Adds warnings about parts of a written ruleset that the emulator does not know. */
function withWarnings({ managed }: RulesetsService, result: ApiResult): ResultWithMessages {
  return new ResultWithMessages(result, unknownNames(result.rules as readonly Body[], managed));
}

const rulesetRoutes = (rulesets: RulesetsService, migration: MigrationService): readonly Route[] => [
  ["GET", ROOT, ({ owner, query }) => cursorPage(rulesets.list(owner), query, { size: 50, most: 50 })],
  ["POST", ROOT, (call) => withWarnings(rulesets, rulesets.create(call.owner, bodyOf(call)))],
  ["GET", ENTRYPOINT, (call) => rulesets.getEntrypoint(call.owner, param(call, "phase"))],
  [
    "PUT",
    ENTRYPOINT,
    (call) => {
      const { owner, query } = call;
      const moves =
        query.waf_migration !== undefined && owner.level === "zones" && param(call, "phase") === MANAGED_PHASE;
      const written = moves
        ? migration.advance(owner, query, bodyOf(call), rulesets)
        : rulesets.replaceEntrypoint(owner, param(call, "phase"), bodyOf(call));
      return withWarnings(rulesets, written);
    },
  ],
  ["GET", RULESET, (call) => rulesets.get(call.owner, param(call, "ruleset"))],
  [
    "PUT",
    RULESET,
    (call) => withWarnings(rulesets, rulesets.replace(call.owner, param(call, "ruleset"), bodyOf(call))),
  ],
  [
    "DELETE",
    RULESET,
    (call) => {
      rulesets.delete(call.owner, param(call, "ruleset"));
    },
  ],
];

const versionRoutes = (rulesets: RulesetsService): readonly Route[] => [
  ["GET", `${ENTRYPOINT}/versions`, (call) => rulesets.entrypointVersions(call.owner, param(call, "phase"))],
  [
    "GET",
    `${ENTRYPOINT}/versions/:version`,
    (call) => rulesets.entrypointVersion(call.owner, param(call, "phase"), param(call, "version")),
  ],
  ["GET", `${RULESET}/versions`, (call) => rulesets.versions(call.owner, param(call, "ruleset"))],
  [
    "GET",
    `${RULESET}/versions/:version`,
    (call) => rulesets.version(call.owner, param(call, "ruleset"), param(call, "version")),
  ],
  [
    "DELETE",
    `${RULESET}/versions/:version`,
    (call) => {
      rulesets.deleteVersion(call.owner, param(call, "ruleset"), param(call, "version"));
    },
  ],
  [
    "GET",
    `${RULESET}/versions/:version/by_tag/:tag`,
    (call) => rulesets.byTag(call.owner, param(call, "ruleset"), param(call, "version"), param(call, "tag")),
  ],
];

const ruleRoutes = (rulesets: RulesetsService): readonly Route[] => [
  [
    "POST",
    `${RULESET}/rules`,
    (call) => withWarnings(rulesets, rulesets.addRule(call.owner, param(call, "ruleset"), bodyOf(call))),
  ],
  [
    "PATCH",
    `${RULESET}/rules/:rule`,
    (call) =>
      withWarnings(
        rulesets,
        rulesets.updateRule(call.owner, param(call, "ruleset"), param(call, "rule"), bodyOf(call)),
      ),
  ],
  [
    "DELETE",
    `${RULESET}/rules/:rule`,
    (call) => rulesets.deleteRule(call.owner, param(call, "ruleset"), param(call, "rule")),
  ],
];

/** Creates the rulesets of a seed, with the operations that a client would use. */
function seedRulesets(seed: RulesetsSeed, store: Store, service: RulesetsService): void {
  addEach(
    "rulesets",
    seed.rulesets,
    ({ zone, account, kind, name, ...content }) => {
      const owner = findOwner(store, zone, account);
      const entry = owner.level === "zones" ? "zone" : "root";
      service.create(owner, { name: name ?? "default", kind: kind ?? entry, ...content });
    },
    refusedPointer,
  );
}

function findOwner(store: Store, zone: string | undefined, account: string | undefined): Owner {
  const wanted = zone ?? account;
  const list = zone === undefined ? store.accounts.in("") : store.zones.in("");
  const found = list.find(({ id, name }) => wanted === undefined || id === wanted || name === wanted);
  if (found === undefined) throw new Error(`there is no ${zone === undefined ? "account" : "zone"} ${String(wanted)}`);
  return { level: zone === undefined ? "accounts" : "zones", id: found.id };
}

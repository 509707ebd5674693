import { boolean, bodyCheck, listOf, nonEmpty, object, oneOf, string } from "../body.js";
import { bodyOf, param, Paged, zoneOf, type Body, type Route } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import type { GroupDefinition } from "../group-definition.js";
import { inside, same, selectItems } from "../lists.js";
import { pageOf } from "../pages.js";
import type { Schema } from "../schemas.js";
import { anyObject, exactly, type SeedPart } from "../seed-part.js";
import type { Store } from "../store/store.js";
import { getStored, type Stored } from "../stored.js";

/** Rules of a zone in features that rulesets replace, in the format of the API. IDs are added. */
export interface LegacySeed {
  /** In descending order of precedence, unless they have a `priority`; active unless their `status` says otherwise. */
  readonly pageRules?: readonly object[];
  readonly userAgentRules?: readonly object[];
  readonly lockdowns?: readonly object[];
  readonly accessRules?: readonly object[];
  readonly rateLimits?: readonly object[];
}

export interface LegacyZoneSeed {
  /** @default no rules */
  readonly legacy?: LegacySeed;
}

/** A kind of rule: where it is served, what a body has, and what the service adds. */
interface Kind {
  readonly property: Exclude<keyof LegacySeed, "pageRules">;
  readonly path: string;
  readonly schema: { readonly properties: Schema; readonly required: readonly string[] };
  readonly defaults: Body;
}

const configuration = (...targets: readonly string[]): Schema =>
  object({ target: oneOf(...targets), value: nonEmpty }, ["target", "value"]);
const paused = boolean;
const description = { type: "string", maxLength: 1024 };
const CHALLENGES = ["challenge", "js_challenge", "managed_challenge"];
const number = { type: "number", minimum: 1 };

/**
 * Bodies as the public API description has them: `firewall/ua_rules`, `firewall/lockdowns`, `firewall/access_rules/rules`
 * and `rate_limits` of https://developers.cloudflare.com/api/.
 */
const KINDS: readonly Kind[] = [
  {
    property: "userAgentRules",
    path: "/zones/:owner/firewall/ua_rules",
    schema: {
      properties: { mode: oneOf("block", ...CHALLENGES), configuration: configuration("ua"), paused, description },
      required: ["mode", "configuration"],
    },
    defaults: { paused: false },
  },
  {
    property: "lockdowns",
    path: "/zones/:owner/firewall/lockdowns",
    schema: {
      properties: {
        urls: listOf(nonEmpty, { minItems: 1 }),
        configurations: listOf(configuration("ip", "ip_range"), { minItems: 1 }),
        priority: { type: "number" },
        paused,
        description,
      },
      required: ["urls", "configurations"],
    },
    defaults: { paused: false },
  },
  {
    property: "accessRules",
    path: "/zones/:owner/firewall/access_rules/rules",
    schema: {
      properties: {
        mode: oneOf("block", "whitelist", ...CHALLENGES),
        configuration: configuration("ip", "ip6", "ip_range", "asn", "country"),
        notes: string,
        scope: anyObject,
      },
      required: ["mode", "configuration"],
    },
    defaults: { notes: "", allowed_modes: ["block", "whitelist", ...CHALLENGES] },
  },
  {
    property: "rateLimits",
    path: "/zones/:owner/rate_limits",
    schema: {
      properties: {
        match: anyObject,
        action: object({ mode: oneOf("simulate", "ban", ...CHALLENGES), timeout: number, response: anyObject }, [
          "mode",
        ]),
        threshold: number,
        period: number,
        bypass: listOf(object({ name: oneOf("url"), value: nonEmpty })),
        correlate: object({ by: oneOf("nat") }),
        disabled: boolean,
        description,
      },
      required: ["match", "action", "threshold", "period"],
    },
    defaults: { disabled: false },
  },
];

const rules = listOf(anyObject);
const seed: SeedPart<object, LegacyZoneSeed> = {
  properties: {},
  zoneProperties: {
    legacy: exactly<LegacySeed>({
      pageRules: rules,
      userAgentRules: rules,
      lockdowns: rules,
      accessRules: rules,
      rateLimits: rules,
    }),
  },
};

/** User agent rules, lockdowns, access rules and previous rate limits. Page rules are served with the previous WAF. */
export const legacy: GroupDefinition<object, LegacyZoneSeed> = {
  seed,
  build: ({ store, clock, previousWafs }) => {
    const served = KINDS.map((kind) => ({ kind, service: new RulesOfKind(kind, store, clock) }));
    return {
      codes: { other: 10_000 },
      routes: served.flatMap(({ kind, service }) => routesOf(kind, service)),
      addZone: ({ id: zone }, { legacy: given = {} }) => {
        for (const { kind, service } of served)
          for (const rule of given[kind.property] ?? []) service.create(zone, { ...rule });
        given.pageRules?.forEach((rule, index, all) => {
          const id = store.ids.next();
          previousWafs.pageRules.put(zone, id, { priority: all.length - index, status: "active", ...rule, id });
        });
      },
    };
  },
};

class RulesOfKind {
  private readonly check: (body: Body) => Body;
  private readonly stored;

  constructor(
    private readonly kind: Kind,
    private readonly store: Store,
    private readonly clock: EmulatorClock,
  ) {
    this.check = bodyCheck({ ...object({}), ...kind.schema }, [["", 10_001]]);
    this.stored = store.collection<Stored>(`legacy-${kind.property}`);
  }

  list(zone: string): readonly Stored[] {
    return this.stored.in(zone);
  }
  get(zone: string, id: string): Stored {
    return getStored(this.stored, zone, id, 10_002, "rule");
  }
  create(zone: string, sent: Body): Stored {
    return this.put(zone, this.store.ids.next(), sent, { created_on: this.clock.timestamp() });
  }
  replace(zone: string, id: string, sent: Body): Stored {
    return this.put(zone, id, sent, { created_on: this.get(zone, id).created_on });
  }
  delete(zone: string, id: string): { id: string } {
    this.get(zone, id);
    this.stored.delete(zone, id);
    return { id };
  }

  private put(zone: string, id: string, sent: Body, more: Body): Stored {
    const scope = this.kind.property === "accessRules" ? { scope: { id: zone, type: "zone" } } : {};
    const rule = {
      ...this.kind.defaults,
      ...scope,
      ...this.check(sent),
      ...more,
      id,
      modified_on: this.clock.timestamp(),
    };
    this.stored.put(zone, id, rule);
    return rule;
  }
}

const FILTERS = {
  mode: same<Stored>(({ mode }) => mode),
  notes: inside<Stored>(({ notes }) => notes),
  description: inside<Stored>((rule) => rule.description),
};

function routesOf({ path }: Kind, service: RulesOfKind): readonly Route[] {
  return [
    [
      "GET",
      path,
      (call) =>
        Paged.of(
          pageOf(selectItems(service.list(zoneOf(call)), call.query, FILTERS), call.query, { size: 20, most: 1000 }),
        ),
    ],
    ["POST", path, (call) => service.create(zoneOf(call), bodyOf(call))],
    ["GET", `${path}/:rule`, (call) => service.get(zoneOf(call), param(call, "rule"))],
    ["PUT", `${path}/:rule`, (call) => service.replace(zoneOf(call), param(call, "rule"), bodyOf(call))],
    ["DELETE", `${path}/:rule`, (call) => service.delete(zoneOf(call), param(call, "rule"))],
  ];
}

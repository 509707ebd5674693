import { bodyCheck, nonEmpty, listOf, object } from "../body.js";
import { bodyOf, param, zoneOf, type ApiResult, type Body, type Route } from "../call.js";
import type { EmulatorClock } from "../clock.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import { noSeed } from "../seed-part.js";
import type { Collection } from "../store/collection.js";
import { SETTINGS } from "./catalogue.js";

const ROOT = "/zones/:owner/settings";
const CODES = [["", 1007]] as const;

interface Changed {
  readonly value: unknown;
  /** RFC 3339. */
  readonly modifiedOn: string;
}

const checks = new Map(
  [...SETTINGS].map(([id, { schema }]) => [id, bodyCheck(object({ value: schema }, ["value"]), CODES)]),
);
const checkItems = bodyCheck(
  object({ items: listOf(object({ id: nonEmpty, value: {} }, ["id"]), { minItems: 1 }) }, ["items"]),
  CODES,
);

/** The settings of zones, except the WAF setting. */
export const settings: GroupDefinition = {
  seed: noSeed,
  build: ({ store, clock }) => {
    const service = new SettingsService(store.collection("settings"), clock);
    const routes: Route[] = [
      ["GET", ROOT, (call) => service.list(zoneOf(call))],
      [
        "PATCH",
        ROOT,
        (call) => {
          const { items } = checkItems(bodyOf(call)) as { items: readonly (Body & { id: string })[] };
          return items.map(({ id, ...item }) => service.update(zoneOf(call), id, item));
        },
      ],
      ["GET", `${ROOT}/:setting`, (call) => service.get(zoneOf(call), param(call, "setting"))],
      ["PATCH", `${ROOT}/:setting`, (call) => service.update(zoneOf(call), param(call, "setting"), bodyOf(call))],
    ];
    return { codes: { other: 1007 }, routes };
  },
};

class SettingsService {
  constructor(
    private readonly changed: Collection<Changed>,
    private readonly clock: EmulatorClock,
  ) {}

  list(zone: string): ApiResult[] {
    return [...SETTINGS.keys()].map((id) => this.get(zone, id));
  }

  get(zone: string, id: string): ApiResult {
    const setting = SETTINGS.get(id);
    if (setting === undefined) throw unknownSetting(id);
    const { value, modifiedOn } = this.changed.get(zone, id) ?? { value: setting.value, modifiedOn: null };
    return { id, value, editable: true, modified_on: modifiedOn };
  }

  update(zone: string, id: string, body: Body): ApiResult {
    const check = checks.get(id);
    if (check === undefined) throw unknownSetting(id);
    this.changed.put(zone, id, { value: check(body).value, modifiedOn: this.clock.timestamp() });
    return this.get(zone, id);
  }
}

function unknownSetting(id: string) {
  return refuse(400, 1006, `Unrecognized zone setting name ${id}`);
}

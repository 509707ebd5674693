import { bodyCheck, nonEmpty, object, oneOf } from "../body.js";
import { bodyOf, Paged, zoneOf, type ApiResult, type Call } from "../call.js";
import { refuse } from "../failure.js";
import type { GroupDefinition } from "../group-definition.js";
import { cutAt } from "../pages.js";
import type { Zone } from "../zones/model.js";

/** Tags of a zone, by key. */
type Tags = Readonly<Record<string, string>>;

export interface TaggedZoneSeed {
  readonly tags?: Tags;
}

interface Tagged {
  readonly id: string;
  readonly tags: Tags;
}

const PAGE = 100;
const KEY = /^[\p{L}\p{Nd}_.-]+$/u;
const TAGS = { type: "object", additionalProperties: { type: "string", maxLength: 1024 } };

const checkTags = bodyCheck(
  object({ resource_type: oneOf("zone"), resource_id: { ...nonEmpty, maxLength: 36 }, tags: TAGS }, [
    "resource_type",
    "resource_id",
    "tags",
  ]),
  [["", 1002]],
);

/** Tags of zones: of all that an account can tag, zones alone. */
export const tags: GroupDefinition<object, TaggedZoneSeed> = {
  seed: { properties: {}, zoneProperties: { tags: TAGS } },
  build: ({ store }) => {
    const tagged = store.collection<Tagged>("tags");
    const zone = (call: Call): Zone => {
      const found = store.zones.get("", zoneOf(call));
      if (found === undefined) throw refuse(404, 1001, `zone ${zoneOf(call)} not found`);
      return found;
    };
    const answer = ({ id, name }: Zone, own: Tags): ApiResult => ({
      id,
      name,
      type: "zone",
      zone_id: id,
      etag: `v1:${id.slice(0, 22)}`,
      tags: own,
    });
    const save = ({ id, account }: Zone, own: Tags): void => {
      const bad = Object.keys(own).find((key) => !KEY.test(key));
      if (bad !== undefined) throw refuse(400, 1014, `invalid tag key: ${bad}`);
      if (Object.keys(own).length === 0) tagged.delete(account.id, id);
      else tagged.put(account.id, id, { id, tags: own });
    };
    return {
      codes: { other: 1000 },
      routes: [
        ["GET", "/accounts/:owner/tags/resources", listTagged],
        [
          "PUT",
          "/zones/:owner/tags",
          (call) => {
            // The keys of tags are the user's own, so the body is not cut to what the schema names.
            const sent = bodyOf(call);
            checkTags(sent);
            const own = sent.tags as Tags;
            save(zone(call), own);
            return answer(zone(call), own);
          },
        ],
      ],
      addZone: (added, seed) => {
        if (seed.tags !== undefined) save(added, seed.tags);
      },
      removeZone: ({ id, account }) => {
        tagged.delete(account.id, id);
      },
    };

    function listTagged({ owner, query }: Call): Paged {
      // Without the filters, an answer would have more than was asked for.
      const filter = ["tag", "name", "id"].find((name) => query[name] !== undefined);
      if (filter !== undefined) throw refuse(400, 1007, `the emulator does not filter by ${filter}`);
      if (query.type !== undefined && query.type !== "zone") return new Paged([], { count: 0 });
      const all = tagged.in(owner.id);
      const refusal = (): Error => refuse(400, 1000, "the cursor is not valid");
      const { items, next } = cutAt(all, query.cursor, PAGE, refusal);
      const page = items.flatMap(({ id, tags: own }) => {
        const found = store.zones.get("", id);
        return found === undefined ? [] : [answer(found, own)];
      });
      return new Paged(page, { count: page.length, ...(next === undefined ? {} : { cursor: next }) });
    }
  },
};

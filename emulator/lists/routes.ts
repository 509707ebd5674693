import { bodyCheck, object } from "../body.js";
import { bodiesOf, bodyOf, param, type Call, type Paged, type Query, type Route } from "../call.js";
import { paceSchema } from "../certificates/bodies.js";
import type { Pace } from "../certificates/model.js";
import type { GroupDefinition } from "../group-definition.js";
import { addEach } from "../seed-item.js";
import { cursorPage } from "../pages.js";
import { listsSeed, type ListsSeed } from "./seed.js";
import type { ListsService } from "./service.js";

const ROOT = "/accounts/:owner/rules/lists";
const LIST = `${ROOT}/:list`;
const ITEMS = `${LIST}/items`;

const accountOf = ({ owner }: Call): string => owner.id;
const listOf = (call: Call): [string, string] => [accountOf(call), param(call, "list")];

const checkControls = bodyCheck(object({ pace: paceSchema }, ["pace"], { additionalProperties: false }), []);

/** Lists of accounts, their items, and bulk operations. */
export const lists: GroupDefinition<ListsSeed> = {
  seed: listsSeed,
  build: ({ store, listService: service }) => {
    return {
      codes: { other: 10_001 },
      routes: [...listRoutes(service), ...itemRoutes(service)],
      addSeed: (seed) => {
        addEach("lists", seed.lists, ({ account, items = [], ...list }) => {
          const all = store.accounts.in("");
          const owner = all.find(({ id, name }) => account === undefined || id === account || name === account);
          if (owner === undefined) throw new Error(`there is no account ${account ?? "(none)"}`);
          const { id } = service.create(owner.id, list) as { id: string };
          if (items.length > 0) service.addItems(owner.id, id, items);
        });
      },
      controls: [
        [
          "POST",
          "/accounts/:owner/lists",
          (call) => {
            const { pace } = checkControls(bodyOf(call)) as { pace: Pace };
            service.setPace(accountOf(call), pace);
            return { ok: true };
          },
        ],
      ],
    };
  },
};

const listRoutes = (service: ListsService): readonly Route[] => [
  ["GET", ROOT, (call) => service.list(accountOf(call))],
  ["POST", ROOT, (call) => service.create(accountOf(call), bodyOf(call))],
  ["GET", `${ROOT}/bulk_operations/:operation`, (call) => service.operation(accountOf(call), param(call, "operation"))],
  ["GET", LIST, (call) => service.get(...listOf(call))],
  ["PUT", LIST, (call) => service.update(...listOf(call), bodyOf(call))],
  ["DELETE", LIST, (call) => service.delete(...listOf(call))],
];

const itemRoutes = (service: ListsService): readonly Route[] => [
  ["GET", ITEMS, (call) => itemPage(service.itemsOf(...listOf(call), call.query), call.query)],
  ["POST", ITEMS, (call) => service.addItems(...listOf(call), bodiesOf(call))],
  ["PUT", ITEMS, (call) => service.replaceItems(...listOf(call), bodiesOf(call))],
  ["DELETE", ITEMS, (call) => service.removeItems(...listOf(call), bodyOf(call))],
  ["GET", `${ITEMS}/:item`, (call) => service.item(...listOf(call), param(call, "item"))],
];

function itemPage(all: readonly unknown[], query: Query): Paged {
  return cursorPage(all, query, { size: 500, most: 500, code: 10_001 });
}

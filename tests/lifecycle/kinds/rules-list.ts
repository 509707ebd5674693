import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { RULES_LIST, type ListState } from "../../../provider/kinds/lists/description.js";
import type { StoredResource } from "../managed.js";
import { kindCase, OTHER_ACCOUNT, Pair } from "./kind-case.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ITEMS_FILE = join(temporaryFolder(), "items.txt");
writeFileSync(ITEMS_FILE, "192.0.2.2\n");
const stateOf = ({ state }: { readonly state: unknown }) => state as ListState;
const itemsPath = (kept: StoredResource<unknown>): string =>
  `/accounts/${stateOf(kept).accountId}/rules/lists/${stateOf(kept).listId}/items`;

export const tested = kindCase(RULES_LIST, {
  steps: ({ accountId }) => {
    const office = { accountId, name: "office", kind: "ip" };
    return [
      {
        inputs: { ...office, items: ["192.0.2.0/24", { value: "198.51.100.7", comment: "Berlin" }] },
        expect: "create",
        says: [],
        counts: "+2 ~0 -0, 0 unchanged",
        requests: ["GET", "POST", "POST", "GET"],
        state: { size: 2, items: { "192.0.2.0/24": "", "198.51.100.7": "Berlin" } },
      },
      // Neither the order nor the notation is a difference.
      {
        inputs: { ...office, items: [{ value: "198.51.100.7/32", comment: "Berlin" }, "192.0.2.9/24"] },
        expect: "none",
        requests: [],
      },
      {
        inputs: { ...office, items: [{ value: "198.51.100.7", comment: "Bonn" }, "192.0.2.0/24", "2001:DB8::/32"] },
        expect: "update",
        says: [],
        counts: "+1 ~1 -0, 1 unchanged",
        requests: ["GET", "POST", "GET"],
        state: { size: 3 },
      },
      {
        inputs: { ...office, items: ["192.0.2.0/24", "2001:db8::/32"] },
        expect: "update",
        says: [],
        counts: "+0 ~0 -1, 2 unchanged",
        requests: ["GET", "DELETE", "GET"],
        state: { size: 2 },
      },
      {
        inputs: { ...office, items: ["203.0.113.1"], description: "Offices" },
        expect: "update",
        requests: ["GET", "PUT", "PUT", "GET"],
        state: { size: 1, items: { "203.0.113.1": "" } },
      },
    ];
  },
  events: {
    drift: {
      by: async (service, kept) => {
        await service.ask("PUT", itemsPath(kept), [{ ip: "192.0.2.0/24", comment: "mine" }]);
      },
      shows: { inputs: { items: { "192.0.2.0/24": "mine" } } },
      expect: "update",
    },
    gone: (service, kept) => service.ask("DELETE", itemsPath(kept).replace(/\/items$/, "")),
    // An item that is written as it is waits for changes of others.
    delete: ["GET", "GET", "POST", "GET", "GET", "DELETE"],
  },
  base: ({ accountId }) => ({ accountId, name: "one", kind: "ip", items: ["192.0.2.1"] }),
  changes: () => ({
    accountId: OTHER_ACCOUNT,
    name: "two",
    kind: new Pair({ items: [] }, { items: [], kind: "asn" }),
    description: "Other",
    items: ["192.0.2.2"],
    itemsFile: new Pair({}, { items: undefined, itemsFile: ITEMS_FILE }),
    ownership: "shared",
    onExisting: "adopt",
    onConflict: "overwrite",
    onDelete: "keep",
    maxRemovedPercent: 100,
    timeoutSeconds: 60,
  }),
  recorded: ({ accountId }) => ({
    accountId,
    name: "moves",
    kind: "redirect",
    description: "Ours",
    items: [{ source: "example.com/a", target: "https://example.com/b", status: 302, comment: "moved" }],
  }),
});

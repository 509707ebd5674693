import { parsePlan } from "../../provider/engine/plan-text.js";
import { RULES_LIST, type ListState } from "../../provider/kinds/lists/description.js";
import type { JsonObject } from "../../core/model/json.js";
import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

let service: Service;
let accountId: string;
let list: ManagedResource<ListState>;
beforeEach(async () => {
  ({ service, accountId } = await startService());
  list = new ManagedResource<ListState>("RulesList", service);
});

const office = (items: readonly unknown[], more: object = {}): object => ({
  accountId,
  name: "office",
  kind: "ip",
  items,
  ...more,
});
const address = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `10.0.${String((from + index) >> 8)}.${String((from + index) & 255)}`);

/** The list as somebody else made it. */
async function existing(items: readonly string[]): Promise<void> {
  const root = `/accounts/${accountId}/rules/lists`;
  const { id } = await service.ask<{ id: string }>("POST", root, { name: "office", kind: "ip" });
  if (items.length > 0)
    await service.ask(
      "POST",
      `${root}/${id}/items`,
      items.map((ip) => ({ ip })),
    );
}

interface Case {
  readonly exist?: readonly string[];
  readonly before?: object;
  readonly after: object;
  /** The methods and what they are sent to. */
  readonly writes: readonly string[];
}

const cases: Readonly<Record<string, () => Case>> = {
  "a new list": () => ({ after: office(["192.0.2.7"]), writes: ["POST items", "POST lists"] }),
  "a new list without items": () => ({ after: office([]), writes: ["POST lists"] }),
  "a new list of more items than one request takes": () => ({
    after: office(address(0, 10_001)),
    writes: ["POST items", "POST items", "POST lists"],
  }),
  "an equal list": () => ({ exist: ["192.0.2.7"], after: office(["192.0.2.7"]), writes: [] }),
  "a list that is completed": () => ({
    exist: ["192.0.2.7"],
    after: office(["192.0.2.7", "192.0.2.8"], { description: "Ours" }),
    writes: ["POST items", "PUT list"],
  }),
  "a list that is replaced": () => ({
    exist: address(0, 3),
    after: office(["192.0.2.7"], { onExisting: "replace" }),
    writes: ["PUT items"],
  }),
  "an edit": () => ({
    before: office(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.5"]),
    after: office(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4", "192.0.2.6"]),
    writes: ["DELETE items", "POST items"],
  }),
  "an edit of most items": () => ({
    before: office(["192.0.2.1", "192.0.2.2"]),
    after: office(["192.0.2.3"]),
    writes: ["PUT items"],
  }),
  "an edit of a shared list": () => ({
    exist: ["203.0.113.9"],
    before: office(["192.0.2.1"], { ownership: "shared" }),
    after: office(["192.0.2.2"], { ownership: "shared" }),
    writes: ["DELETE items", "POST items"],
  }),
  "another description": () => ({
    before: office(["192.0.2.1"], { description: "One" }),
    after: office(["192.0.2.1"], { description: "Two" }),
    writes: ["PUT list"],
  }),
  "arguments of the provider alone": () => ({
    before: office(["192.0.2.1"]),
    after: office(["192.0.2.1"], { onDelete: "keep" }),
    writes: [],
  }),
};

/** `POST /accounts/…/rules/lists/<id>/items` as `POST items`; an ID that is not known yet is that of the new list. */
function brief(calls: readonly string[]): string[] {
  return calls
    .map((call) =>
      call
        .replace(/\/accounts\/[^/]+\/rules\/lists\/[^/]+\/items$/, "items")
        .replace(/\/accounts\/[^/]+\/rules\/lists\/[^/]+$/, "list")
        .replace(/\/accounts\/[^/]+\/rules\/lists$/, "lists"),
    )
    .sort();
}

describe("the plan of a preview has exactly the writes that `up` then sends", () => {
  test.each(Object.entries(cases))("%s", async (_, makeCase) => {
    const { exist, before, after, writes } = makeCase();
    if (exist !== undefined) await existing(exist);
    if (before !== undefined) await list.up(before);
    const { plans } = await list.preview(after);
    expect(plans).toHaveLength(1);
    const plan = parsePlan(plans[0] ?? "");
    expect(plan).toMatchObject({ unseen: [] });
    const { requests, plans: published } = await list.up(after);
    expect(brief(writesIn(requests))).toEqual(writes);
    expect(brief(plan?.writes.map(({ call }) => call) ?? [])).toEqual(writes);
    expect(published).toEqual([]);
  });

  test("none is published for a list that does not change, or whose items are not known yet", async () => {
    expect((await list.preview(office([UNKNOWN]))).plans).toEqual([]);
    await list.up(office(["192.0.2.1"]));
    expect((await list.preview(office(["192.0.2.1"]))).plans).toEqual([]);
  });

  test("says that it undoes what somebody else changed, and what was not asked", async () => {
    await list.up(office(["192.0.2.1", "192.0.2.2"]));
    const { listId = "" } = list.kept?.state ?? {};
    await service.ask("POST", `/accounts/${accountId}/rules/lists/${listId}/items`, [{ ip: "203.0.113.9" }]);
    const overwriting = office(["192.0.2.1", "192.0.2.3"], { onConflict: "overwrite" });
    expect(parsePlan((await list.preview(overwriting)).plans[0] ?? "")?.unseen).toEqual(["changes by others"]);
    list.settings = { previewChecks: "off" };
    expect(parsePlan((await list.preview(overwriting)).plans[0] ?? "")?.unseen).toEqual([
      { notRead: "what is at the service (previewChecks is off)" },
    ]);
  });

  test.each<[string, object, readonly string[]]>([
    ["a list", {}, ["DELETE list", "POST items"]],
    ["a list without items", { items: [] }, ["DELETE list", "POST items"]],
    ["a list that is emptied", { onDelete: "empty" }, ["PUT items"]],
    ["a shared list", { ownership: "shared" }, ["DELETE items"]],
    ["a list that stays", { onDelete: "keep" }, []],
  ])("of the delete of %s", async (_, more, writes) => {
    await list.up(office(["192.0.2.1"], more));
    const { state } = list.kept ?? {};
    const recorded = state as unknown as JsonObject;
    const planned = RULES_LIST.plannedDelete({ inputs: recorded, outputs: recorded, released: new Set() });
    expect(brief(planned.map(({ call }) => call))).toEqual(writes);
    expect(brief(writesIn(await list.destroy()))).toEqual(writes);
  });
});

describe("a limit on the items that one run may remove", () => {
  const limited = (items: readonly string[], more: object = {}): object =>
    office(items, { maxRemovedPercent: 50, ...more });
  const sent = async (): Promise<string[]> => writesIn(await service.requests());

  test("shows too many removals at preview, and stops the up before any write; half may be removed", async () => {
    await list.up(limited(address(0, 4)));
    for (const run of ["preview", "up"] as const) {
      const text = await failureOf(list[run](limited(address(0, 1))));
      expect(text).toContain(
        "list office: this change removes 3 of 4 items, 75 percent, and maxRemovedPercent is 50:\n  -10.0.0.1\n",
      );
      expect(text).toContain("`RULESETS_MAX_REMOVED_PERCENT=75 pulumi up`");
      expect(await sent()).toEqual([]);
    }
    await list.up(limited(address(0, 2)));
    await list.settled(limited(address(0, 2)));
    await list.up(limited([]), { maxRemovedPercent: 100 });
    expect(list.kept?.state.size).toBe(0);
  });

  test("counts neither changed items nor other notations, and without a connection what was read last", async () => {
    await list.up(limited(["10.0.0.1", "10.0.0.2"], { maxRemovedPercent: 0 }));
    await list.up(office([{ value: "10.0.0.1/32", comment: "one" }, "10.0.0.2"], { maxRemovedPercent: 0 }));
    list.settings = { previewChecks: "off" };
    expect(await failureOf(list.preview(office(["10.0.0.1"], { maxRemovedPercent: 0 })))).toContain(
      "removes 1 of 2 items",
    );
  });

  test("stops a takeover, a replacement and a delete, unless they keep the items", async () => {
    await existing(address(0, 4));
    const taking = limited(address(0, 1), { onExisting: "replace" });
    for (const run of ["preview", "up"] as const)
      expect(await failureOf(list[run](taking))).toContain("this takeover removes 3 of 4 items");
    await list.up(taking, { maxRemovedPercent: 75 });
    expect(await failureOf(list.destroy())).toContain("this delete removes the only item");
    const asn = { accountId, name: "office", kind: "asn", items: [64_496], maxRemovedPercent: 50 };
    expect(await failureOf(list.preview(asn))).toContain("this replacement removes the only item");
    // The items move to the list of another name.
    expect(await list.preview(limited(address(0, 1), { name: "offices" }))).toMatchObject({ action: "replace" });
    await list.destroy({ maxRemovedPercent: 100 });
    expect(await service.ask("GET", `/accounts/${accountId}/rules/lists`)).toEqual([]);
  });

  test("of a shared list counts the items of others as those that stay", async () => {
    await existing(address(0, 3));
    const shared = (items: readonly string[]): object => limited(items, { ownership: "shared" });
    await list.up(shared(["192.0.2.1", "192.0.2.2"]));
    await list.destroy();
    await list.up(shared(["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]));
    expect(await failureOf(list.destroy())).toContain("this delete removes 4 of 7 items, 57 percent");
  });
});

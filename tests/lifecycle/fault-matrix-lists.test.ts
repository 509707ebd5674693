import type { ListState } from "../../provider/kinds/lists/description.js";
import type { Service } from "../support/emulator.js";
import { faultCases } from "../support/fuzzing.js";
import { FaultyClient, WRITE_FAULTS, type Course } from "./fault-matrix/faulty-client.js";
import { startService } from "./harness.js";
import { ManagedResource, type StoredResource } from "./managed.js";
import type { Run, RunOptions } from "./run.js";

/*
 * Every write of every change of a list, with every fault, a kill before or after it, and somebody who changes items right before
 * it. Whatever happens, the next runs reach the program, nothing is there twice, and no item of others is lost unnoticed.
 */

type Items = Readonly<Record<string, string>>;
interface Change {
  /** Undefined before the list exists. */
  readonly from?: Items;
  /** Undefined once it is deleted. */
  readonly to?: Items;
}

const MANY: Items = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`192.0.2.${String(index + 1)}`, ""]));
const { "192.0.2.1": _removed, ...REST } = MANY;
const EDITED: Items = { ...REST, "192.0.2.2": "edited", "192.0.2.9": "added" };
const OTHERS: Items = { "198.51.100.1": "", "198.51.100.2": "two" };
const CHANGES: Readonly<Record<string, Change>> = {
  creating: { to: MANY },
  changing: { from: MANY, to: EDITED },
  replacing: { from: MANY, to: OTHERS },
  deleting: { from: MANY },
};

const INTERFERENCES = ["nothing", "adds an item", "edits an item", "removes an item"] as const;
const FOREIGN = "203.0.113.9";
const TOUCHED = "192.0.2.5";

interface Case {
  readonly change: keyof typeof CHANGES;
  readonly ownership: "exclusive" | "shared";
  readonly write: number;
  readonly fault: string;
  readonly interference: (typeof INTERFERENCES)[number];
}
const CASES: readonly Case[] = Object.keys(CHANGES).flatMap((change) =>
  (["exclusive", "shared"] as const).flatMap((ownership) =>
    [0, 1, 2].flatMap((write) =>
      Object.keys(WRITE_FAULTS).flatMap((fault) =>
        INTERFERENCES.map((interference): Case => ({ change, ownership, write, fault, interference })),
      ),
    ),
  ),
);

/** A list whose writes follow a course. */
class FaultyList extends ManagedResource<ListState> {
  course: Course | undefined;
  writes: readonly string[] = [];
  override start(options: RunOptions = {}): Run {
    const run = super.start(options);
    const client = new FaultyClient(this.service, this.course);
    this.writes = client.writes;
    Object.defineProperty(run.session, "client", { value: client.wrap(run.session.client) });
    return run;
  }
}

describe("a list with any fault, kill and interference", () => {
  let service: Service;
  let accountId: string;
  beforeEach(async () => {
    ({ service, accountId } = await startService());
  });

  const root = (): string => `/accounts/${accountId}/rules/lists`;
  const lists = (): Promise<{ id: string }[]> => service.ask("GET", root());
  const itemsAt = async (): Promise<{ id: string; ip: string; comment?: string }[]> => {
    const [list] = await lists();
    return list === undefined ? [] : service.ask("GET", `${root()}/${list.id}/items`);
  };
  const contents = async (): Promise<Items> =>
    Object.fromEntries((await itemsAt()).map(({ ip, comment = "" }) => [ip, comment]));

  /** What somebody does, if there is a list to do it to. */
  const interfere = async (kind: Case["interference"]): Promise<void> => {
    const [list] = await lists();
    if (list === undefined) return;
    const items = `${root()}/${list.id}/items`;
    const touched = (await itemsAt()).find(({ ip }) => ip === TOUCHED);
    if (kind === "adds an item") await service.ask("POST", items, [{ ip: FOREIGN, comment: "theirs" }]);
    if (touched === undefined) return;
    if (kind === "edits an item") await service.ask("POST", items, [{ ip: TOUCHED, comment: "theirs" }]);
    if (kind === "removes an item") await service.ask("DELETE", items, { items: [{ id: touched.id }] });
  };

  test.each(faultCases(CASES, 96).map((each) => [JSON.stringify(each), each] as const))("%s", async (_name, each) => {
    const { change, ownership, write, fault, interference } = each;
    const { from, to } = CHANGES[change] ?? {};
    const args = (items: Items, more: object = {}): object => ({
      accountId,
      name: "office",
      kind: "ip",
      ownership,
      items: Object.entries(items).map(([value, comment]) => (comment === "" ? value : { value, comment })),
      ...more,
    });
    const list = new FaultyList("RulesList", service);
    if (from !== undefined) await list.up(args(from));
    let killed: { readonly kept: StoredResource<ListState> | undefined } | undefined;
    const seen = { added: false };
    list.course = {
      write,
      fault: WRITE_FAULTS[fault] ?? { kind: "none" },
      interferedWrite: interference === "nothing" ? -1 : write,
      interfere: async () => {
        await interfere(interference);
        seen.added = FOREIGN in (await contents());
      },
      onKill: () => (killed = { kept: list.kept }),
    };
    const run = (options: RunOptions = {}, more: object = {}): Promise<unknown> =>
      to === undefined ? list.destroy(options) : list.up(args(to, more), options);
    const failed = await run().then(
      () => false,
      () => true,
    );
    const replacesAll = list.writes.includes("replaceItems") || list.writes.includes("delete");
    list.course = undefined;
    if (killed !== undefined) list.kept = killed.kept;
    const after = await contents();
    const theirs: Items = seen.added && ownership === "shared" ? { [FOREIGN]: "theirs" } : {};
    // A run that did not see it does not remove it, except by a write of the whole list.
    if (seen.added && !replacesAll) expect(after).toHaveProperty([FOREIGN]);
    if (!failed && interference === "nothing") expect(after).toEqual({ ...to, ...theirs });

    await list.refresh();
    const stops = await run().then(
      () => undefined,
      (error: unknown) => (error as Error).message,
    );
    // Only what somebody did, or a list that this stack no longer knows, stops the next run; it then says what to do.
    const more = stops === undefined ? {} : { onExisting: "replace" };
    if (stops !== undefined) {
      expect([interference, stops]).toEqual([
        expect.not.stringMatching("nothing"),
        expect.stringContaining("To continue:"),
      ]);
      await run({ onConflict: "overwrite" }, more);
    }
    const now = await contents();
    if (to !== undefined) {
      expect(now).toEqual({ ...to, ...theirs });
      expect(await list.up(args(to, more))).toMatchObject({ action: "none", requests: [] });
      expect(list.kept?.state).toMatchObject({ items: to, size: Object.keys(now).length });
    } else expect(now).toEqual(theirs);
    expect((await lists()).length).toBeLessThanOrEqual(1);
  });
});

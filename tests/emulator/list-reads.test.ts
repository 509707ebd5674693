import type { Emulator } from "../../emulator/index.js";
import { ListItemReads } from "../../provider/engine/reads/list-items.js";
import { AccountListReads } from "../../provider/engine/reads/lists.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

describe("the reads of items of lists", () => {
  let emulator: Emulator;
  let service: Service;
  let accountId: string;
  beforeEach(async () => {
    emulator = await emulatorWith();
    service = new Service(emulator);
    accountId = await service.account();
    const lists = `/accounts/${accountId}/rules/lists`;
    for (const [name, ...ips] of [
      ["a", "192.0.2.1", "192.0.2.2"],
      ["b", "192.0.2.3"],
      ["c", "192.0.2.4"],
    ]) {
      const { id } = await service.ask<{ id: string }>("POST", lists, { name, kind: "ip" });
      await service.ask(
        "POST",
        `${lists}/${id}/items`,
        ips.map((ip) => ({ ip })),
      );
    }
    await service.advanceClock(60);
    await service.forget();
  });

  test("read no more items than they may, and name the lists that they leave out", async () => {
    const client = clientFor(emulator.url).lists;
    const reads = new ListItemReads(new AccountListReads(() => client), () => client, 3);
    const names = ["a", "b", "c", "d"];
    const { lists, notRead } = await reads.read(accountId, names);
    expect([...lists].map(([name, { input }]) => [name, input.items])).toEqual([
      ["a", ["192.0.2.1", "192.0.2.2"]],
      ["b", ["192.0.2.3"]],
    ]);
    expect(notRead).toEqual(["1 item of $c was not read: a preview reads at most 3 items"]);
    expect((await reads.read(accountId, names)).lists.get("a")).toBe(lists.get("a"));
    expect(await service.requests()).toHaveLength(3);
  });

  test.each([
    [{ status: 500 }, "500"],
    [{ status: 200, body: { success: true, result: [] } }, "the service counts 2, and returned 0"],
  ])("read again what could not be read: %j", async (answer, why) => {
    const client = clientFor(emulator.url).lists;
    const reads = new ListItemReads(new AccountListReads(() => client), () => client, 2);
    await service.fault({ path: "/items", ...answer, times: 1 });
    await expect(reads.read(accountId, ["a"])).rejects.toThrow(why);
    // It counts once towards what a run may read.
    expect((await reads.read(accountId, ["a"])).lists.get("a")?.input.items).toEqual(["192.0.2.1", "192.0.2.2"]);
  });

  test("keep the lists that were read after they were forgotten, though an earlier read fails", async () => {
    // Nobody listens on the first.
    const urls = ["http://127.0.0.1:9", emulator.url];
    const lists = new AccountListReads(() => clientFor(urls.shift() ?? "").lists);
    const failing = lists.of(accountId);
    lists.forget(accountId);
    const newer = lists.of(accountId);
    await expect(failing).rejects.toThrow("ECONNREFUSED");
    await newer;
    expect(lists.of(accountId)).toBe(newer);
  });
});

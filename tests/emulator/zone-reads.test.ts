import type { Emulator } from "../../emulator/index.js";
import { ZoneReads } from "../../provider/engine/reads/zones.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

describe("the zone reads of a preview", () => {
  let emulator: Emulator;
  let service: Service;
  let ids: string[];
  const start = async (count: number): Promise<void> => {
    emulator = await emulatorWith({
      seed: { zones: Array.from({ length: count }, (_, index) => ({ name: `z${String(index)}.example.com` })) },
    });
    service = new Service(emulator);
    ids = [];
    for (let page = 1; page <= Math.ceil(count / 50); page += 1) {
      const zones = await service.ask<{ id: string }[]>("GET", `/zones?per_page=50&page=${String(page)}`);
      ids.push(...zones.map(({ id }) => id));
    }
    await service.forget();
  };
  const readsOf = (): ZoneReads => {
    const client = clientFor(emulator.url);
    return new ZoneReads(() => client.zones);
  };
  const methods = async () => (await service.requests()).map((request) => request.replace(/[0-9a-f]{32}/, ":id"));

  test("make one request for a single zone, however often it is read", async () => {
    await start(3);
    const reads = readsOf();
    const [id = ""] = ids;
    expect((await reads.find(id))?.plan).toBe((await reads.find(id))?.plan);
    expect(await methods()).toEqual(["GET /zones/:id"]);
  });
  test.each([true, false])(
    "make one request for the first zone and one for each page of fifty (concurrently: %s)",
    async (atOnce) => {
      await start(120);
      const reads = readsOf();
      const found = [];
      if (atOnce) found.push(...(await Promise.all(ids.map((id) => reads.find(id)))));
      else for (const id of ids) found.push(await reads.find(id));
      expect(found.map((zone) => zone?.id)).toEqual(ids);
      expect(await methods()).toEqual(["GET /zones/:id", "GET /zones", "GET /zones", "GET /zones"]);
    },
  );
  test("make at most one request more than there are zones, when the pages contain other zones", async () => {
    await start(170);
    const reads = readsOf();
    const late = ids.slice(160, 165);
    for (const id of late) expect((await reads.find(id))?.id).toBe(id);
    expect((await methods()).length).toBeLessThanOrEqual(late.length + 1);
  });
  test("read each zone itself when the list cannot be read, and try the list once", async () => {
    await start(5);
    await service.fault({ method: "GET", path: "*/zones", status: 403, body: {}, times: 9 });
    const reads = readsOf();
    for (const id of ids) expect((await reads.find(id))?.id).toBe(id);
    expect((await methods()).filter((request) => request === "GET /zones")).toHaveLength(1);
  });
  test("find no zone that the credentials may not read", async () => {
    await start(2);
    const [id = "", other = ""] = ids;
    await service.fault({ method: "GET", path: `*/zones/${id}`, status: 403, body: {}, times: 9 });
    const reads = readsOf();
    expect(await reads.find(id)).toBeUndefined();
    expect((await reads.find(other))?.id).toBe(other);
  });
});

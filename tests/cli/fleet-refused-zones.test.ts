import { refusedZones } from "../../tools/cli/fleet/run-shard/refused-zones.js";
import type { Emulator } from "../../emulator/index.js";
import { clientFor } from "../support/client.js";
import { Service } from "../support/emulator.js";
import { emulatorWith } from "../support/emulators.js";

const URN = "urn:pulumi:s::p::pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint::a";
const REFUSED = { path: "/rulesets", status: 403, times: 9 };

describe("a zone that a preview could not read has moved", () => {
  let emulator: Emulator;
  let service: Service;
  let shard: Parameters<typeof refusedZones>[1];
  beforeEach(async () => {
    emulator = await emulatorWith({ seed: { zones: ["a.test", "b.test", "c.test"].map((name) => ({ name })) } });
    service = new Service(emulator);
    const accountId = await service.account();
    const zone = async (name: string) => ({ name, id: await service.zoneNamed(name), plan: "pro" as const, accountId });
    shard = { zones: [await zone("a.test"), await zone("b.test"), await zone("c.test")], changes: [] };
  });

  const idOf = (index: number): string => shard.zones[index]?.id ?? "";
  const moved = async (status = 403): Promise<readonly string[]> => {
    const message = `error: GET /zones/${idOf(0)}/rulesets: ${String(status)} [10000] Authentication error`;
    const diagnostics = [{ urn: URN, severity: "error", message }];
    const found = await refusedZones({ diagnostics }, shard, () => clientFor(emulator.url));
    return found.map(({ zoneId }) => zoneId);
  };

  test("if the token may read another one of the shard", async () => {
    expect(await moved()).toEqual([idOf(0)]);
  });

  test("if it is gone, and so have the others that are", async () => {
    await service.deleteZone(idOf(0));
    await service.deleteZone(idOf(1));
    expect(await moved()).toEqual([idOf(0), idOf(1)]);
  });

  test("if it is gone, and the shard has no other", async () => {
    const [first] = shard.zones;
    await service.deleteZone(idOf(0));
    shard = { ...shard, zones: first === undefined ? [] : [first] };
    expect(await moved()).toEqual([idOf(0)]);
  });

  test("but not if the token may read no zone of the shard, or sees none any more", async () => {
    await service.fault(REFUSED);
    expect(await moved()).toEqual([]);
    await service.noFaults();
    for (const index of [0, 1, 2]) await service.deleteZone(idOf(index));
    expect(await moved()).toEqual([]);
  });

  test("nor if the service does not say which zones there are, or failed otherwise", async () => {
    await service.deleteZone(idOf(0));
    expect(await moved(500)).toEqual([]);
    await service.fault({ ...REFUSED, path: "/zones", status: 401 });
    expect(await moved()).toEqual([]);
  });
});

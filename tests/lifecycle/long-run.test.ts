import { programText } from "../../provider/engine/program-run.js";
import { startEmulator, type Emulator, type LoggedRequest, type ZoneSeed } from "../../emulator/index.js";
import { Service } from "../support/emulator.js";
import { MovedClock } from "./managed.js";
import { Run, type Props, type Stored } from "./run.js";

const ZONES = 40;
const PHASES = ["http_request_firewall_custom", "http_ratelimit"];
const zones: ZoneSeed[] = Array.from({ length: ZONES }, (_, index) => ({
  name: `zone-${String(index)}.example.com`,
  plan: "enterprise",
}));

describe("eighty entry points in forty zones, and a quota of 50 requests in five minutes", () => {
  let emulator: Emulator;
  let service: Service;
  let clock: MovedClock;
  let ids: string[];
  const start = async (quota = 50) => {
    emulator = await startEmulator({ seed: { zones } });
    service = new Service(emulator);
    ids = (await service.ask<{ id: string }[]>("GET", "/zones?per_page=50")).map(({ id }) => id);
    await service.reset({ zones, rateLimit: { quota, windowSeconds: 300, enforce: true } });
    ids = (await service.ask<{ id: string }[]>("GET", "/zones?per_page=50")).map(({ id }) => id);
    // The window of those requests is over.
    await service.advanceClock(300);
    await service.forget();
    clock = new MovedClock(service);
    return new Run(emulator.url, { clock });
  };
  afterEach(() => emulator.close());

  const resources = () => ids.flatMap((zoneId) => PHASES.map((phase) => ({ zoneId, phase })));
  const args = (zoneId: string, phase: string, preview: boolean): Props => ({
    ...{ zoneId, phase, rules: [], __urn: `urn:${zoneId}:${phase}` },
    __program: programText({ preview, resources: resources().length }),
  });

  /** What the engine does: checks one after another, and a write begins once its check is done. */
  const go = async (run: Run, preview: boolean): Promise<Stored[]> => {
    const writes: Promise<Stored>[] = [];
    for (const { zoneId, phase } of resources()) {
      const checked = await run.check("PhaseEntrypoint", {}, args(zoneId, phase, preview));
      if (!preview) writes.push(run.create("PhaseEntrypoint", checked));
    }
    return Promise.all(writes);
  };
  const answered = async (): Promise<LoggedRequest[]> => {
    const answer = await fetch(emulator.url.replace("/client/v4", "/__emulator/requests"));
    return (await answer.json()) as LoggedRequest[];
  };
  const announced = (notes: readonly string[]) => notes.filter((note) => note.includes("requests"));

  test("a preview reports how many requests the update will make, and how long that takes", async () => {
    const run = await start();
    await go(run, true);
    // Ten requests of the window are left, so three more windows are needed.
    expect(announced(run.notes)).toEqual([
      "`pulumi up` will make about 120 requests, and the service allows 50 requests in 5 minutes: it will wait about 15 minutes.",
    ]);
    expect(await answered()).toHaveLength(ZONES);
    expect(clock.slept).toBe(0);
  });

  test("the update reports its requests at the start, shows its progress, and the forecast is right", async () => {
    const run = await start();
    await go(run, false);
    const requests = await answered();
    expect(requests.filter(({ method }) => method === "POST")).toHaveLength(2 * ZONES);
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    const [first, ...more] = announced(run.notes);
    expect(more).toEqual([]);
    const [, total = "0"] = /^about (\d+) requests are still to be made/.exec(first ?? "") ?? [];
    expect(Math.abs(Number(total) - requests.length)).toBeLessThanOrEqual(0.2 * requests.length);
    expect(first).toContain("the service allows 50 requests in 5 minutes: this run will wait about 10 minutes.");
    expect(Math.ceil(clock.slept / 60_000)).toBe(10);
    const shown = run.statuses.filter((text) => / requests made, /.test(text));
    expect(shown.length).toBeGreaterThanOrEqual(8);
    expect(shown.length).toBeLessThanOrEqual(11);
  });

  test("an update within the quota reports nothing", async () => {
    const run = await start(1200);
    await go(run, false);
    expect([announced(run.notes), run.statuses]).toEqual([[], []]);
    expect(clock.slept).toBe(0);
  });

  test("a refresh, which runs no program, reports the waiting requests", async () => {
    const run = await start(30);
    const created = await go(run, false);
    // A new window, enough for thirty of the forty zones.
    await clock.sleep(300_000);
    const refresh = new Run(emulator.url, { clock });
    await Promise.all(created.map((stored) => refresh.read("PhaseEntrypoint", stored)));
    expect(announced(refresh.notes)).toEqual([
      expect.stringMatching(/^\d+ requests wait about [45] minutes: .* is not known, because no program runs\.$/),
    ]);
  });
});

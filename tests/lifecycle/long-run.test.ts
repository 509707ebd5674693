import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { Driven, startService } from "./harness.js";

const PHASES = ["http_request_firewall_custom", "http_ratelimit", "http_request_dynamic_redirect"];

describe("a first up that takes minutes", () => {
  let emulator: Emulator;
  let service: Service;
  let zoneId: string;
  let driven: Driven[];
  const inputs = (phase: string) => ({ zoneId, phase, rules: [] });
  beforeEach(async () => {
    const started = await startService();
    ({ emulator, service } = started);
    zoneId = started.ids.zoneId;
    const [first, ...others] = PHASES.map((phase) => new Driven("PhaseEntrypoint", service, `urn:${phase}`)) as [
      Driven,
      ...Driven[],
    ];
    driven = [first, ...others];
    first.start();
    for (const other of others) other.run = first.run;
    await service.forget();
  });
  afterEach(() => emulator.close());
  /** All are checked at once, as a program declares them, and created much later, one after the other. */
  const up = async (meanwhile: () => Promise<unknown> = () => Promise.resolve()): Promise<void> => {
    const checked = await Promise.all(
      driven.map(({ run, urn }, index) =>
        run.check("PhaseEntrypoint", {}, { ...inputs(PHASES[index] ?? ""), __urn: urn, __preview: false }),
      ),
    );
    await meanwhile();
    for (const [index, { run, clock }] of driven.entries()) {
      await clock.sleep(120_000);
      await run.create("PhaseEntrypoint", checked[index] ?? {});
    }
  };

  test("lists each zone once, for the service refuses to create what exists", async () => {
    await up();
    expect(await service.requests()).toEqual([
      `GET /zones/${zoneId}/rulesets`,
      ...PHASES.map(() => `POST /zones/${zoneId}/rulesets`),
    ]);
  });
  test("notices what somebody else made meanwhile", async () => {
    const [phase] = PHASES;
    const rules = [block("Theirs", "ssl")];
    const theirs = () => service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
    await expect(up(theirs)).rejects.toThrow(/already exists: ruleset [0-9a-f]{32}, version 1, with 1 rule/);
  });
});

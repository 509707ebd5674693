import { KINDS as ALL_KINDS } from "../../provider/kinds/index.js";
import { caseOf } from "./kinds/index.js";
import { startWorld } from "./kinds/world.js";
import { ManagedResource } from "./managed.js";
import { isRecording, OF_RULESETS, recordedStates, recordState } from "./recorded.js";

/* A state of an earlier version is read without a difference. Those of rulesets are in `states.test.ts`. */

const KINDS = Object.keys(ALL_KINDS).filter((kind) => !OF_RULESETS.some((one) => one === kind));

/** What the service contained when the state was written: the emulator gives the same IDs in every run. */
async function create(kind: string) {
  const { service, world } = await startWorld();
  const { base, recorded = base } = caseOf(kind);
  const managed = new ManagedResource<unknown>(kind, service);
  await managed.up(recorded(world));
  return { service, managed, program: recorded(world) };
}

if (isRecording)
  test.each(KINDS)("records the state of a %s", async (kind) => {
    const { managed } = await create(kind);
    recordState("zones", kind, managed.kept);
  });
else
  test.each(KINDS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("zones", kind)) {
      const { service, program } = await create(kind);
      const managed = new ManagedResource<unknown>(kind, service);
      managed.kept = recorded;
      expect(await managed.up(program)).toMatchObject({ action: "none", requests: [] });
      expect(await managed.refresh()).toBe(true);
      expect(await managed.up(program)).toMatchObject({ action: "none", requests: [] });
    }
  });

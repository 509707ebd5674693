import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { Driven, startService } from "./harness.js";
import { isRecording, recordedStates, recordState } from "./recorded.js";

/* A state of an earlier version is read without a difference, changed, and taken down. */

const phase = "http_request_firewall_custom";
const rules = [
  block("A", "ssl"),
  { ...block("B", "not ssl"), ref: "named", enabled: false },
  { action: "skip", expression: "true", actionParameters: { ruleset: "current" } },
];
const programs = (zoneId: string) => ({
  PhaseEntrypoint: { zoneId, phase, rules, description: "Ours" },
  Ruleset: { zoneId, phase, kind: "custom", name: "mine", rules: rules.slice(0, 1) },
});
type Kind = keyof ReturnType<typeof programs>;

/** What the service contained when the states were written: the emulator gives the same IDs in every run. */
async function make(service: Service, kind: Kind, zoneId: string): Promise<Driven> {
  const driven = new Driven(kind, service);
  await driven.up(programs(zoneId)[kind]);
  return driven;
}

const KINDS = ["PhaseEntrypoint", "Ruleset"] as const;

if (isRecording)
  test.each(KINDS)("records the state of a %s", async (kind) => {
    const { emulator, service, ids } = await startService();
    recordState("rulesets", kind, (await make(service, kind, ids.zoneId)).kept);
    await emulator.close();
  });
else
  test.each(KINDS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("rulesets", kind)) {
      const { emulator, service, ids } = await startService();
      const program = programs(ids.zoneId)[kind];
      const created = await make(service, kind, ids.zoneId);
      const driven = new Driven(kind, service);
      driven.kept = recorded as Driven["kept"];
      expect(await driven.up(program)).toMatchObject({ action: "none", requests: [] });
      expect(await driven.refresh()).toBe(true);
      expect(await driven.up(program)).toMatchObject({ action: "none", requests: [] });
      const changed = { ...program, rules: [block("New", "true"), ...program.rules] };
      expect((await driven.up(changed)).action).toBe("update");
      expect(Object.values(driven.kept?.state.ruleIds ?? {}).slice(1)).toEqual(
        Object.values(created.kept?.state.ruleIds ?? {}),
      );
      await driven.settled(changed);
      await driven.destroy();
      await emulator.close();
    }
  });

import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";
import { isRecording, OF_RULESETS as KINDS, recordedStates, recordState } from "./recorded.js";

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
async function make(service: Service, kind: Kind, zoneId: string): Promise<ManagedRuleset> {
  const resource = new ManagedRuleset(kind, service);
  await resource.up(programs(zoneId)[kind]);
  return resource;
}

if (isRecording)
  test.each(KINDS)("records the state of a %s", async (kind) => {
    const { service, zoneId } = await startService();
    recordState("rulesets", kind, (await make(service, kind, zoneId)).kept);
  });
else
  test.each(KINDS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("rulesets", kind)) {
      const { service, zoneId } = await startService();
      const program = programs(zoneId)[kind];
      const created = await make(service, kind, zoneId);
      const resource = new ManagedRuleset(kind, service);
      resource.kept = recorded as ManagedRuleset["kept"];
      expect(await resource.up(program)).toMatchObject({ action: "none", requests: [] });
      expect(await resource.refresh()).toBe(true);
      expect(await resource.up(program)).toMatchObject({ action: "none", requests: [] });
      const changed = { ...program, rules: [block("New", "true"), ...program.rules] };
      expect((await resource.up(changed)).action).toBe("update");
      expect(Object.values(resource.kept?.state.ruleIds ?? {}).slice(1)).toEqual(
        Object.values(created.kept?.state.ruleIds ?? {}),
      );
      await resource.settled(changed);
      await resource.destroy();
    }
  });

import { ManagedResource, type StoredResource } from "./managed.js";
import type { RuleState } from "../../provider/kinds/rulesets/rule/description.js";
import { startService } from "./harness.js";
import { isRecording, recordedStates, recordState } from "./recorded.js";

/* A state of an earlier version is read without a difference, changed, and taken down. */

const phase = "http_request_firewall_custom";
const rule = (zoneId: string) => ({
  zoneId,
  phase,
  action: "skip",
  expression: "ssl",
  actionParameters: { ruleset: "current" },
  description: "Ours",
  position: { before: "theirs" },
});

/** What the service contained when the state was written: the emulator gives the same IDs in every run. */
async function make() {
  const { service, zoneId } = await startService();
  const rules = [{ ref: "theirs", action: "log", expression: "true" }];
  await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules });
  const managed = new ManagedResource<RuleState>("RulesetRule", service);
  await managed.up(rule(zoneId));
  return { service, managed, args: rule(zoneId) };
}

if (isRecording)
  test("records the state of a RulesetRule", async () => {
    const { managed } = await make();
    recordState("rulesets", "RulesetRule", managed.kept);
  });
else
  test("a RulesetRule of every released version continues without a difference", async () => {
    for (const recorded of recordedStates("rulesets", "RulesetRule")) {
      const { service, managed, args } = await make();
      const { ruleId } = managed.kept?.state ?? {};
      managed.kept = recorded as StoredResource<RuleState>;
      expect(await managed.up(args)).toMatchObject({ action: "none", requests: [] });
      expect(await managed.refresh()).toBe(true);
      expect(await managed.up(args)).toMatchObject({ action: "none", requests: [] });
      expect((await managed.up({ ...args, expression: "not ssl" })).action).toBe("update");
      expect(managed.kept.state.ruleId).toBe(ruleId);
      await managed.settled({ ...args, expression: "not ssl" });
      await managed.destroy();
      expect((await service.entrypoint(args.zoneId, phase))?.rules.map(({ ref }) => ref)).toEqual(["theirs"]);
    }
  });

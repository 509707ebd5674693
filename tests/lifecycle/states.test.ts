import { KINDS } from "../../provider/kinds/index.js";
import { block } from "../support/rules.js";
import { ManagedRuleset, startService } from "./harness.js";
import { caseOf } from "./kinds/index.js";
import { startWorld } from "./kinds/world.js";
import { ManagedResource } from "./managed.js";
import { isRecording, OF_RULESETS, recordedStates, recordState } from "./recorded.js";

/* A state of an earlier version is read without a difference; that of a ruleset is also changed and taken down. */

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

/** What the service contained when the states were written: the emulator gives the same IDs in every run. */
async function makeRuleset(kind: (typeof OF_RULESETS)[number]) {
  const { service, zoneId } = await startService();
  const program = programs(zoneId)[kind];
  const resource = new ManagedRuleset(kind, service);
  await resource.up(program);
  return { resource, program };
}

const OTHERS = Object.keys(KINDS).filter((kind) => !OF_RULESETS.some((one) => one === kind));

/** The same for every other kind. */
async function make(kind: string) {
  const { service, world } = await startWorld();
  const { base, recorded = base } = caseOf(kind);
  const program = recorded(world);
  const resource = new ManagedResource<unknown>(kind, service);
  await resource.up(program);
  return { resource, program };
}

async function continues(resource: ManagedResource<unknown>, program: object): Promise<void> {
  expect(await resource.up(program)).toMatchObject({ action: "none", requests: [] });
  expect(await resource.refresh()).toBe(true);
  expect(await resource.up(program)).toMatchObject({ action: "none", requests: [] });
}

if (isRecording) {
  test.each(OF_RULESETS)("records the state of a %s", async (kind) => {
    recordState("rulesets", kind, (await makeRuleset(kind)).resource.kept);
  });
  test.each(OTHERS)("records the state of a %s", async (kind) => {
    recordState("zones", kind, (await make(kind)).resource.kept);
  });
} else {
  test.each(OF_RULESETS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("rulesets", kind)) {
      const { resource, program } = await makeRuleset(kind);
      const { ruleIds = {} } = resource.kept?.state ?? {};
      resource.kept = recorded as ManagedRuleset["kept"];
      await continues(resource, program);
      const changed = { ...program, rules: [block("New", "true"), ...program.rules] };
      expect((await resource.up(changed)).action).toBe("update");
      expect(Object.values(resource.kept?.state.ruleIds ?? {}).slice(1)).toEqual(Object.values(ruleIds));
      await resource.settled(changed);
      await resource.destroy();
    }
  });
  test.each(OTHERS)("a %s of every released version continues without a difference", async (kind) => {
    for (const recorded of recordedStates("zones", kind)) {
      const { resource, program } = await make(kind);
      resource.kept = recorded;
      await continues(resource, program);
    }
  });
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { Driven, startService } from "./harness.js";

/*
 * States as released versions left them. The file of a version is written once, by hand, and never changed: a newer version
 * must read it without a difference, change it, and take it down.
 */

const folder = join(__dirname, "states", "rulesets");
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

/** What stood at the service when the states were written: the emulator gives the same ids in every run. */
async function make(service: Service, kind: Kind, zoneId: string): Promise<Driven> {
  const driven = new Driven(kind, service);
  await driven.up(programs(zoneId)[kind]);
  return driven;
}

const { version } = JSON.parse(readFileSync(join(__dirname, "..", "..", "package.json"), "utf8")) as {
  version: string;
};

test.each(["PhaseEntrypoint", "Ruleset"] as const)(
  "a %s of every released version goes on without a difference",
  async (kind) => {
    const files = readdirSync(folder);
    expect(files).toContain(`${version}.json`);
    for (const file of files) {
      const { emulator, service, ids } = await startService();
      const program = programs(ids.zoneId)[kind];
      const made = await make(service, kind, ids.zoneId);
      const recorded = (JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<Kind, Driven["kept"]>)[kind];
      const driven = new Driven(kind, service);
      driven.kept = recorded;
      expect(await driven.up(program)).toMatchObject({ action: "none", requests: [] });
      expect(await driven.refresh()).toBe(true);
      expect(await driven.up(program)).toMatchObject({ action: "none", requests: [] });
      const changed = { ...program, rules: [block("New", "true"), ...program.rules] };
      expect((await driven.up(changed)).action).toBe("update");
      expect(Object.values(driven.kept?.state.ruleIds ?? {}).slice(1)).toEqual(
        Object.values(made.kept?.state.ruleIds ?? {}),
      );
      await driven.settled(changed);
      await driven.destroy();
      await emulator.close();
    }
  },
);

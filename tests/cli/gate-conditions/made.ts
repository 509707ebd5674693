import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PlanFolder } from "../../../tools/cli/fleet/folder.js";
import { entryOf, type ShardPlan } from "../../../tools/fleet/plan.js";
import { gateFiles } from "../../../tools/cli/fleet/gate/gate-files.js";
import { gateWords } from "../../../tools/fleet/gates.js";
import type { Emulator } from "../../../emulator/index.js";
import { ManagedResource } from "../../lifecycle/managed.js";
import { Service } from "../../support/emulator.js";
import { FLEET_PLAN } from "../../support/fleet-plan.js";
import { ADMIN, FIREWALL, ZONE, type Call, type Made } from "./conditions.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const ADMIN_RULE = { ref: "admin", action: "block", expression: ADMIN };
const TIME = "2026-11-26T10:00:00.000Z";

/** A state with one resource, whose ruleset exists. */
async function stateIn(emulator: Emulator): Promise<string> {
  const urn = "urn:pulumi:prod::shop::";
  const type = "pulumi-nodejs:dynamic/rulesets:PhaseEntrypoint";
  const provider = `${urn}pulumi:providers:pulumi-nodejs::default`;
  const waf = new ManagedResource("PhaseEntrypoint", new Service(emulator), `${urn}${type}::waf`, emulator.url, {});
  await waf.up({ zoneId: ZONE, phase: FIREWALL, rules: [ADMIN_RULE], onExisting: "adopt" });
  if (waf.stored === undefined) throw new Error("the resource is not there");
  const { id, inputs, outputs } = waf.stored;
  const __provider = "exports.handler = …";
  const config = { "rulesets:maxRetries": "0" };
  const resources = [
    { urn: `${urn}pulumi:pulumi:Stack::shop-prod`, type: "pulumi:pulumi:Stack" },
    { urn: provider, id: "00", type: "pulumi:providers:pulumi-nodejs", inputs: config },
    {
      ...{ urn: waf.urn, type, id, custom: true, provider: `${provider}::00` },
      ...{ inputs: { __provider, ...inputs }, outputs: { __provider, ...outputs } },
    },
  ];
  return JSON.stringify({ version: 3, deployment: { resources } });
}

/** The files of a plan, of which the only shard of the first wave is done. */
function planFor(baseUrl: string, invariants: string): Readonly<Record<string, string>> {
  const path = temporaryFolder();
  const folder = new PlanFolder(path);
  const zone = { id: ZONE, name: "shop.test", accountId: "", plan: "enterprise" as const };
  const shard: ShardPlan = {
    ...{ version: 1, id: "s001", wave: "canary", stack: "fleet-s001", zones: [zone], changes: [], folded: [] },
    ...{ drift: false, errors: [] },
  };
  folder.saveShard(shard);
  const gate = { kind: "prove", files: [invariants] } as const;
  const waves = [{ name: "canary", gates: [gate] }];
  const files = { [gateWords(gate)]: gateFiles(gate, { file: "fleet.yaml" }) };
  folder.savePlan({ ...FLEET_PLAN, baseUrl, waves, gateFiles: files, shards: [entryOf(shard)] });
  folder.saveResult({
    ...{ version: 1, id: "s001", wave: "canary", state: "done", attempts: 1, startedAt: TIME, endedAt: TIME },
    process: { host: "h", pid: 1 },
  });
  const names = ["plan.json", "shards/s001.json", "results/s001.json"];
  return Object.fromEntries(names.map((name) => [name, readFileSync(join(path, name), "utf8")]));
}

/** Makes what the files of calls contain, with the commands that write such files. */
export async function make(emulator: Emulator, run: (call: Call) => Promise<string>): Promise<Made> {
  const rules = JSON.stringify({ kind: "zone", phase: FIREWALL, rules: [ADMIN_RULE] });
  const log = { ClientRequestHost: "shop.test", ClientRequestURI: "/admin", ClientIP: "192.0.2.1" };
  const replay = ["rules", "replay", "run", "--before", "@rules.json", "--after", "@rules.json", "@log.json"];
  const part = await run({ args: [...replay, "--partial", "-"], files: { "rules.json": rules, "log.json": log } });
  const state = await stateIn(emulator);
  const file = join(temporaryFolder(), "a.invariants.yaml");
  writeFileSync(file, JSON.stringify({ invariants: [{ name: "a", requests: ADMIN, must: "be-stopped" }] }));
  return { url: emulator.url, part, state, plan: (url) => planFor(url, file) };
}

import { rulesetFromWire } from "../../core/model/codec.js";
import type { JsonObject } from "../../core/model/json.js";
import type { FoundRuleset } from "../../tools/generator/inventory.js";
import { writeRules } from "../../tools/generator/program/adoption.js";
import { convertRuleset } from "../../tools/generator/sources/ruleset.js";
import { damagedRule } from "../support/damaged-rules.js";
import { freshEmulator } from "../support/emulators.js";
import { Service } from "../support/emulator.js";
import { fc, runs } from "../support/properties.js";
import { writesIn } from "../support/requests.js";
import { ManagedResource } from "./managed.js";

const CUSTOM = "http_request_firewall_custom";
const hex = (number: number): string => number.toString(16).padStart(32, "0");

/** The rules of one phase that the service returns, each with what it adds. */
const returned = fc.array(damagedRule, { minLength: 12, maxLength: 12 }).map((all) => {
  const phase = all[0]?.phase ?? "";
  const rules = all
    .filter((one) => one.phase === phase)
    .map(({ rule }, index): JsonObject => {
      const id = hex(index + 1);
      return { version: "1", last_updated: "2026-01-01T00:00:00Z", enabled: true, ...rule, id, ref: id };
    });
  const ruleset = { id: hex(99), name: "default", description: "", kind: "zone", version: "1", phase };
  return { ...ruleset, last_updated: "2026-01-01T00:00:00Z", rules };
});

/** Lets the service answer with a ruleset, and takes over what was made of it. */
async function takeOver(
  service: Service,
  ruleset: JsonObject & { readonly id: string; readonly phase: string },
  found: FoundRuleset,
) {
  const zoneId = await service.zone();
  const answer = async (path: string, result: unknown) => {
    const body = { success: true, errors: [], messages: [], result };
    await service.fault({ method: "GET", path, status: 200, times: 99, body });
  };
  const { rules: _rules, ...summary } = ruleset;
  await answer(`/zones/${zoneId}/rulesets$`, [summary]);
  await answer(`/rulesets/${ruleset.id}$`, ruleset);
  await answer(`/phases/${ruleset.phase}/entrypoint$`, ruleset);
  const written = writeRules(found);
  if (typeof written === "string") throw new Error(written);
  const resource = new ManagedResource("PhaseEntrypoint", service);
  const args = { zoneId, phase: ruleset.phase, rules: written.rules };
  const created = await resource.up(args);
  const next = await resource.up(args);
  await resource.refresh();
  const last = await resource.up(args);
  expect([created.action, writesIn(created.requests)]).toEqual(["create", []]);
  expect([next.action, next.requests]).toEqual(["none", []]);
  expect([last.action, writesIn(last.requests)]).toEqual(["none", []]);
  return written.unchecked;
}

test("what the service returns is taken over without a write, and the next run plans nothing", async () => {
  const emulator = await freshEmulator();
  const service = new Service(emulator);
  await fc.assert(
    fc.asyncProperty(returned, async (ruleset) => {
      emulator.clearFaults();
      await takeOver(service, ruleset, rulesetFromWire(ruleset));
    }),
    { numRuns: runs(60) },
  );
});

test("what a check refuses of another tool's state is taken over without a write", async () => {
  const service = new Service(await freshEmulator());
  const rules = [
    { action: "log", expression: "http.host quasi 5" },
    { action: "skip", expression: "ssl", action_parameters: { ruleset: "current", increment: 5 } },
    { action: "skip", expression: "true", action_parameters: { ruleset: "current", rules: { [hex(5)]: [hex(6)] } } },
    { action: "block", expression: "true", ratelimit: { characteristics: ["ip.src"], period: 61 } },
  ].map((rule, index) => ({ id: hex(index + 1), ref: hex(index + 1), version: "1", enabled: true, ...rule }));
  const ruleset = { id: hex(99), name: "default", description: "", kind: "zone", version: "1", phase: CUSTOM, rules };
  const [type, name] = ["cloudflare_ruleset", "waf"];
  // A state has every argument, with null if it was never set.
  const values = { ...ruleset, rules: rules.map((rule) => ({ logging: null, ratelimit: null, ...rule })) };
  const found = convertRuleset({
    tool: "terraform",
    address: `${type}.${name}`,
    type,
    ownType: type,
    name,
    id: hex(99),
    values,
  });
  if (typeof found === "string") throw new Error(found);
  const unchecked = await takeOver(service, ruleset, found);
  expect(unchecked.map((reason) => reason.split(/[.:]/)[0])).toEqual(["rules[0]", "rules[1]", "rules[2]", "rules[3]"]);
});

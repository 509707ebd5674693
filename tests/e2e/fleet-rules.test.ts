import type { Emulator } from "../../emulator/index.js";
import { Service, TOKEN } from "../support/emulator.js";
import { until } from "../support/patience.js";
import { fleetCommand, fleetProject } from "./support/fleet-project.js";
import type { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

const CUSTOM = "http_request_firewall_custom";
const LIMITS = "http_ratelimit";
const REDIRECTS = "http_request_dynamic_redirect";
const ZONES = ["a.test", "b.test", "c.test", "d.test"] as const;

/* One rollout of rules beside those of others: changed, added, replaced and removed; and an entry point that leaves the program. */

const program = (rules: string): string => `
const { fleetZones, PhaseEntrypoint, RulesetRule } = require("pulumi-rulesets");
for (const { id: zoneId, name } of fleetZones()) {
  const rule = (key, phase, args) =>
    new RulesetRule(name + " " + key, { zoneId, phase, action: "block", ref: key, ...args }, { deleteBeforeReplace: name === "b.test" });
  ${rules}
}
`;
const shared = (rules: string): string =>
  `new PhaseEntrypoint(name + " limits", { zoneId, phase: "${LIMITS}", ownership: "shared", rules: [${rules}] });`;
const limit = (ref: string, requests: number): string =>
  `{ ref: "${ref}", action: "block", expression: "true", ratelimit: { characteristics: ["ip.src", "cf.colo.id"], period: 10, requestsPerPeriod: ${String(requests)}, mitigationTimeout: 10 } }`;
const redirects = `new PhaseEntrypoint(name + " redirects", { zoneId, phase: "${REDIRECTS}", rules: [
  { ref: "old", action: "redirect", expression: 'http.request.uri.path eq "/old"', actionParameters: { fromValue: { targetUrl: { value: "https://" + name + "/new" } } } },
] });`;

const before = program(`
  const a = rule("a", "${CUSTOM}", { expression: "ssl" });
  rule("b", "${CUSTOM}", { expression: "not ssl" });
  rule("c", "${CUSTOM}", { expression: "true", position: { before: "" } });
  ${shared(`${limit("one", 10)}, ${limit("two", 20)}`)}
  ${redirects}
`);
const after = program(`
  rule("a", "${CUSTOM}", { expression: 'ssl and http.host eq "x"' });
  rule("c", "${CUSTOM}", { ref: "c2", expression: "false", position: { before: "" } });
  rule("d", "${CUSTOM}", { expression: "not ssl" });
  ${shared(`${limit("one", 11)}, ${limit("three", 30)}`)}
`);

describe("a rollout of rules beside those of others", () => {
  let project: ProjectStack;
  let emulator: Emulator;
  let service: Service;
  const zones = new Map<string, string>();
  const zone = (name: string): string => zones.get(name) ?? "";
  const edit = async (name: string, phase = CUSTOM): Promise<void> => {
    const ruleset = await service.entrypoint(zone(name), phase);
    await service.addRule(`zones/${zone(name)}`, ruleset?.id ?? "", { action: "log", expression: "true" });
  };
  const remove = async (name: string, ref: string): Promise<void> => {
    const { id = "", rules = [] } = (await service.entrypoint(zone(name), CUSTOM)) ?? {};
    await service.deleteRule(`zones/${zone(name)}`, id, rules.find((rule) => rule.ref === ref)?.id ?? "");
  };
  const content = async (name: string): Promise<unknown> =>
    Promise.all(
      [CUSTOM, LIMITS, REDIRECTS].map(async (phase) =>
        (await service.entrypoint(zone(name), phase))?.rules.map(({ ref, expression, ratelimit }) => [
          ref,
          expression,
          (ratelimit as { readonly requests_per_period?: number } | undefined)?.requests_per_period,
        ]),
      ),
    );

  beforeAll(async () => {
    emulator = await emulatorWith({ seed: { zones: ZONES.map((name) => ({ name })) } });
    service = new Service(emulator);
    for (const name of ZONES) {
      zones.set(name, await service.zoneNamed(name));
      await service.create(`zones/${zone(name)}`, {
        name: "theirs",
        kind: "zone",
        phase: CUSTOM,
        rules: [{ ref: "x", action: "log", expression: "true" }],
      });
    }
    project = fleetProject(
      { CLOUDFLARE_API_TOKEN: TOKEN },
      { phase: CUSTOM, rules: "", definition: "waves: [{ name: all }]\n" },
    );
    project.write("index.js", before);
  });

  test("goes back to what the plan found, and leaves a ruleset that somebody else has written", async () => {
    const fleet = (...args: string[]) => fleetCommand(project, ...args);
    // Nothing else says where the service is, and every step of a plan uses its address.
    const plan = (...args: string[]) => fleet("plan", "--base-url", emulator.url, ...args);
    expect(await plan()).toMatchObject({ code: 0 });
    expect(await fleet("resume")).toMatchObject({ code: 0 });
    // Others write as well: the stack does not know of it, and the plan finds it.
    for (const name of ZONES) await edit(name);
    const found = await content("a.test");
    project.write("index.js", after);
    const planned = await plan("--plan", "two", "--fail-on", "weakened");
    expect([planned.code, planned.stdout]).toEqual([2, expect.stringContaining("The same 6 edits in 4 of 4 zones.")]);
    expect(planned.stdout).toMatch(/\(\{name\} c\) will be replaced: deleted and created again:\n +removed "c"/);
    // What the run is to delete in this zone, somebody else deletes.
    await remove("b.test", "b");
    // And in this one during the run, which deletes when it has written all else.
    await service.fault({ method: "PATCH", path: `/zones/${zone("d.test")}/rulesets`, hold: true });
    const run = fleet("run-shard", "s001", "--plan", "two");
    await until(async () => (await service.waitingFaults()).length === 0);
    await remove("d.test", "b");
    await service.noFaults();
    expect(await run).toMatchObject({ code: 0 });
    await edit("c.test");
    expect(await content("a.test")).not.toEqual(found);
    const customOf = async (name: string): Promise<unknown> => ((await content(name)) as unknown[])[0];
    const left = ["b.test", "c.test", "d.test"];
    const theirs = await Promise.all(left.map(customOf));

    await service.forget();
    const shown = await fleet("rollback", "all", "--plan", "two");
    expect([shown.code, shown.stdout]).toEqual([2, expect.stringContaining("s001: 9 rulesets would be restored")]);
    // Each ruleset and each version is read once.
    const reads = await service.requests();
    expect(reads.filter((request) => !/^GET .*\/rulesets\/\w+(\/versions\/\d+)?$/.test(request))).toEqual([]);
    expect(reads.length).toBe(new Set(reads).size);

    const back = await fleet("rollback", "all", "--plan", "two", "--yes");
    expect([back.code, back.stdout]).toEqual([3, expect.stringContaining("s001: 9 rulesets restored")]);
    expect(back.stdout).toMatch(
      /of zone b\.test: the plan found version 5 .* no recorded write of the plan made version 6:/,
    );
    expect(back.stdout).toMatch(
      /of zone d\.test: the plan found version 5 .* no recorded write of the plan made version/,
    );
    expect(back.stdout).toMatch(/of zone c\.test: somebody else changed it since: version 10 is now 11/);
    expect(await content("a.test")).toEqual(found);
    expect(await Promise.all(left.map(customOf))).toEqual(theirs);
    const again = await fleet("rollback", "all", "--plan", "two", "--yes");
    expect(again.stdout).toContain("s001: 0 rulesets restored, 9 were already restored");
  });
});

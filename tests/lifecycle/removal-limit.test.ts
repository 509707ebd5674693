import type { Service } from "../support/emulator.js";
import { stopEmulator } from "../support/emulators.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";

const phase = "http_request_firewall_custom";
const rules = ["A", "B", "C", "D"].map((name, index) => block(name, `ip.src eq 192.0.2.${String(index + 1)}`));

describe("a limit on the rules that one run may remove", () => {
  let service: Service;
  let zoneId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, resource } = await startEntrypoint());
  });

  const inputs = (list: object[], more: object = { maxRemovedPercent: 50 }) => ({
    zoneId,
    phase,
    rules: list,
    ...more,
  });
  const count = async () => (await service.entrypoint(zoneId, phase))?.rules.length;
  const writes = async () => writesIn(await service.requests());

  test("shows too many removals at preview, and stops the up before any write; half may be removed", async () => {
    await resource.up(inputs(rules));
    for (const run of ["preview", "up"] as const) {
      const text = await failureOf(resource[run](inputs([rules[0] ?? {}])));
      expect(text).toContain("this change removes 3 of 4 rules, 75 percent, and maxRemovedPercent is 50:");
      expect(text).toContain('  - block "B" when ip.src eq 192.0.2.2 [ref b-');
      expect(text).toContain("`RULESETS_MAX_REMOVED_PERCENT=75 pulumi up`");
      expect(await writes()).toEqual([]);
    }
    await resource.up(inputs(rules.slice(2)));
    expect(await count()).toBe(2);
    await resource.settled(inputs(rules.slice(2)));
  });

  test("the variable overrides the argument for one run, also where the argument is not set", async () => {
    await resource.up(inputs(rules));
    await resource.up(inputs([]), { maxRemovedPercent: 100 });
    expect(await count()).toBe(0);
    await resource.up(inputs(rules, {}));
    expect(await failureOf(resource.up(inputs([], {}), { maxRemovedPercent: 0 }))).toContain(
      "this change removes every rule (4), 100 percent, and maxRemovedPercent is 0",
    );
    await resource.up(inputs([], {}));
    expect(await count()).toBe(0);
  });

  test("a preview without a connection counts what was read last", async () => {
    await resource.up(inputs(rules));
    await stopEmulator(service);
    resource.newSession();
    expect(await failureOf(resource.plan(inputs(rules.slice(3)), true))).toContain("this change removes 3 of 4 rules");
    expect((await resource.plan(inputs(rules.slice(2)), true)).action).toBe("update");
  });

  test("protects the last rule", async () => {
    await resource.up(inputs(rules.slice(0, 1), { maxRemovedPercent: 99 }));
    expect(await failureOf(resource.preview(inputs([], { maxRemovedPercent: 99 })))).toContain("removes the only rule");
  });

  test("does not count rules that are changed, disabled, moved, or get another ref", async () => {
    const limit = { maxRemovedPercent: 0 };
    const [first, second, third, fourth] = rules.map((rule, index) => ({ ...rule, ref: `r${String(index)}` }));
    await resource.up(inputs([first, second, third, fourth] as object[], limit));
    const other = [
      { ...fourth, ref: "renamed" },
      { ...first, expression: "ssl" },
      { ...second, enabled: false },
      { ...third, description: "Third" },
    ];
    await resource.up(inputs(other, limit));
    expect(await count()).toBe(4);
  });

  test("counts existing rules, and rules of others when they are overwritten", async () => {
    await resource.up(inputs(rules.slice(0, 1)));
    const { id } = (await service.entrypoint(zoneId, phase)) ?? { id: "" };
    for (const rule of rules.slice(2)) await service.addRule(`zones/${zoneId}`, id, { ...rule });
    const run = resource.up(inputs(rules.slice(0, 2)), { onConflict: "overwrite" });
    expect(await failureOf(run)).toContain("this change removes 2 of 3 rules, 66 percent");
    expect(await count()).toBe(3);
    await resource.up(inputs(rules.slice(0, 2)), { onConflict: "overwrite", maxRemovedPercent: 67 });
    expect(await count()).toBe(2);
  });

  test("stops a takeover that drops too many at preview", async () => {
    await service.create(`zones/${zoneId}`, { name: "dashboard", kind: "zone", phase, rules });
    const taking = inputs(rules.slice(0, 1), { maxRemovedPercent: 50, onExisting: "replace" });
    expect(await failureOf(resource.preview(taking))).toContain("this takeover removes 3 of 4 rules");
    expect(await failureOf(resource.up(taking))).toContain("this takeover removes 3 of 4 rules");
    expect(await count()).toBe(4);
    await resource.up(taking, { maxRemovedPercent: 75 });
    expect(await count()).toBe(1);
  });

  test("stops a delete before its write, unless it keeps the rules", async () => {
    await resource.up(inputs(rules));
    expect(await failureOf(resource.destroy())).toContain("this delete removes every rule (4)");
    expect(await count()).toBe(4);
    const kept = resource.kept;
    await resource.destroy({ maxRemovedPercent: 100 });
    expect([kept === undefined, await count()]).toEqual([false, 0]);
    await resource.up(inputs(rules, { maxRemovedPercent: 50, onDelete: "keep" }));
    await resource.destroy();
    expect(await count()).toBe(4);
  });

  test("stops a replacement before the new ruleset is created, and can allow it as a whole", async () => {
    await resource.up(inputs(rules));
    const other = { ...inputs([]), phase: "http_ratelimit" };
    expect(await failureOf(resource.up(other))).toContain("this replacement removes every rule (4)");
    expect([await writes(), await count()]).toEqual([[], 4]);
    expect((await resource.up(other, { maxRemovedPercent: 100 })).action).toBe("replace");
    expect(await count()).toBe(0);
  });

  test("a change of the limit alone is saved without a request, because a delete reads it from the state", async () => {
    await resource.up(inputs(rules, {}));
    const limited = await resource.up(inputs(rules));
    expect([limited.action, limited.requests]).toEqual(["update", []]);
    expect(await failureOf(resource.destroy())).toContain("maxRemovedPercent is 50");
  });

  test.each([
    ["101", 101],
    ["-1", -1],
    ["a text", "50"],
  ])("%s is refused with its path", async (_, value) => {
    expect(await failureOf(resource.preview(inputs(rules, { maxRemovedPercent: value })))).toContain(
      "maxRemovedPercent: must be a number",
    );
  });
});

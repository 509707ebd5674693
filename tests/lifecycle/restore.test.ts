import type { Service } from "../support/emulator.js";
import { stopEmulator } from "../support/emulators.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { AtTheBorder, secret } from "./at-the-border.js";
import { ManagedRuleset, startService } from "./harness.js";

const phase = "http_request_firewall_custom";
const a = block("A", "ssl", { ref: "a" });
const b = block("B", "not ssl", { ref: "b" });
const c = block("C", "ip.src eq 192.0.2.1", { ref: "c" });

describe("restoring a version with restoreVersion", () => {
  let service: Service;
  let zoneId: string;
  let accountId: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, accountId } = await startService());
    resource = new ManagedRuleset("PhaseEntrypoint", service);
  });

  const inputs = (rules: object[], more: object = {}) => ({ zoneId, phase, rules, ...more });
  const at = (version: string, rules: object[] = [c]) => inputs(rules, { restoreVersion: version });
  const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
  const descriptions = async () => (await there()).map(({ description }) => description);
  const entrypoint = (): string => `/zones/${zoneId}/rulesets/phases/${phase}/entrypoint`;

  test("restores the rules, reports each, keeps refs, and sends nothing again", async () => {
    await resource.up(inputs([a, b]));
    const first = await there();
    await resource.up(inputs([{ ...a, expression: "true" }, c]));
    const kept = (await there())[0];

    const preview = await resource.preview(at("1"));
    expect(preview.requests).toEqual([`GET ${entrypoint()}/versions/1`, `GET ${entrypoint()}`]);
    expect(preview.plans.join()).toContain("+1 ~1 (expression) -1, 0 unchanged");
    const warning = preview.warnings.join("\n");
    expect(warning).toContain("restoreVersion: version 1 is used instead of `rules`, which differ");
    expect(warning).toContain('expression: "not ssl"');
    expect(warning).toContain("  - remove: c");

    const up = await resource.up(at("1"));
    expect(writesIn(up.requests)).toHaveLength(1);
    expect(up.requests).toHaveLength(3);
    expect((await there()).map(({ ref }) => ref)).toEqual(first.map(({ ref }) => ref));
    expect((await there())[0]?.id).toBe(kept?.id);
    expect(await descriptions()).toEqual(["A", "B"]);
    expect(resource.kept?.state).toMatchObject({ version: "3", previousVersion: "2" });
    await resource.settled(at("1"));
  });

  test("refuses at preview a version that uses a list which no longer exists", async () => {
    const lists = `/accounts/${accountId}/rules/lists`;
    const { id } = await service.ask<{ id: string }>("POST", lists, { name: "office", kind: "ip" });
    await resource.up(inputs([block("Listed", "ip.src in $office", { ref: "listed" })]));
    await resource.up(inputs([a]));
    await service.ask("DELETE", `${lists}/${id}`);
    expect(await failureOf(resource.preview(at("1", [a])))).toContain(
      "restoreVersion: there is no list $office in the account",
    );
    await service.ask("POST", lists, { name: "office", kind: "ip" });
    await resource.up(at("1", [a]));
    expect(await descriptions()).toEqual(["Listed"]);
  });

  test("returns to the rules of the program when it is removed", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a, c]));
    await resource.up(at("1", [a, c]));
    expect(await descriptions()).toEqual(["A", "B"]);
    expect((await resource.preview(inputs([a, c]))).plans.join()).toContain("+1 ~0 -1, 1 unchanged");
    const back = await resource.up(inputs([a, c]));
    expect([back.action, writesIn(back.requests).length]).toEqual(["update", 1]);
    expect(await descriptions()).toEqual(["A", "C"]);
    await resource.settled(inputs([a, c]));
  });

  test("reports that the program has the same rules, and can then be removed without a request", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    await resource.up(at("1", [a, b]));
    const again = await resource.up(at("1", [a, b]));
    expect(again.requests).toEqual([]);
    expect(again.warnings.join("\n")).toContain("which now match it. To continue: remove restoreVersion");
    const without = await resource.up(inputs([a, b]));
    expect([without.action, without.requests]).toEqual(["update", []]);
    await resource.settled(inputs([a, b]));
  });

  test("sends no write where the rules are already those of that version", async () => {
    await resource.up(inputs([a, b]));
    const same = await resource.up(at("1", [a, b]));
    expect([same.action, writesIn(same.requests)]).toEqual(["update", []]);
    await resource.settled(at("1", [a, b]));
  });

  test("reports changes in the program, and writes them only when restoreVersion is removed", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    await resource.up(at("1", [a]));
    const edited = await resource.up(at("1", [a, { ...b, action: "log" }, c]));
    expect([edited.action, edited.requests]).toEqual(["none", []]);
    expect(edited.warnings.join("\n")).toContain("From `rules` to version 1: +0 ~1 (action) -1, 1 unchanged");
    await resource.up(inputs([a, { ...b, action: "log" }, c]));
    expect((await there()).map(({ action }) => action)).toEqual(["block", "log", "block"]);
  });

  test("a write without a response is finished by the next run", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([c]));
    await service.fault({ method: "PUT", cut: "after", times: 1 });
    await service.fault({ method: "GET", path: "*/rulesets/*", status: 500, times: 9 });
    const lost = await failureOf(resource.up(at("1")));
    await service.noFaults();
    expect(lost).not.toBe("it did not fail");
    const next = await resource.up(at("1"));
    expect([writesIn(next.requests).length <= 1, await descriptions()]).toEqual([true, ["A", "B"]]);
    await resource.settled(at("1"));
  });

  test("reverts drift, after the version has been read again", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    await resource.up(at("1", [a]));
    const ruleset = await service.entrypoint(zoneId, phase);
    await service.editRule(`zones/${zoneId}`, ruleset?.id ?? "", ruleset?.rules[1]?.id ?? "", {
      ...{ action: "log", expression: "ssl", description: "B" },
    });
    await resource.refresh();
    const up = await resource.up(at("1", [a]));
    expect(up.requests.filter((request) => request.endsWith("/versions/1"))).toHaveLength(1);
    expect((await there())[1]).toMatchObject({ action: "block", expression: "not ssl" });
    await resource.settled(at("1", [a]));
  });

  test("is stopped by someone else's change, like every write", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    const ruleset = await service.entrypoint(zoneId, phase);
    await service.addRule(`zones/${zoneId}`, ruleset?.id ?? "", {
      ...{ action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" },
    });
    expect(await failureOf(resource.preview(at("1")))).toContain('+ block "3am" when ip.src eq 203.0.113.9');
    await resource.up(at("1"), { onConflict: "overwrite" });
    expect(await descriptions()).toEqual(["A", "B"]);
  });

  test("refills an emptied entry point with a new resource", async () => {
    await resource.up(inputs([a, b]));
    const before = await there();
    await resource.destroy();
    expect(await there()).toEqual([]);
    const preview = await resource.preview(at("1"));
    expect(writesIn(preview.requests)).toEqual([]);
    await resource.up(at("1"));
    expect(await descriptions()).toEqual(["A", "B"]);
    expect((await there()).map(({ ref }) => ref)).toEqual(before.map(({ ref }) => ref));
    await resource.settled(at("1"));
  });

  test("takes over an occupied phase only when no rule is lost", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([c]));
    const other = new ManagedRuleset("PhaseEntrypoint", service, "urn:other");
    expect(await failureOf(other.preview(at("1")))).toContain("already exists");
    await other.up(inputs([c], { restoreVersion: "1", onExisting: "replace" }));
    expect(await descriptions()).toEqual(["A", "B"]);
  });

  test.each([
    ["0", "must be a version number"],
    ["latest", "must be a version number"],
    [
      "7",
      `has no version 7: it never existed, or it has been deleted. Versions that exist: 1, 2 (version 2 is the current one)`,
    ],
  ])("refuses version %s at preview", async (version, text) => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    const failure = await failureOf(resource.preview(at(version)));
    expect(failure).toContain(`restoreVersion: `);
    expect(failure).toContain(text);
    expect(await service.requests()).toHaveLength(version === "7" ? 3 : 0);
  });

  test("reports a deleted version with the remaining ones; a restored one may be deleted", async () => {
    await resource.up(inputs([a, b]));
    await resource.up(inputs([a]));
    await resource.up(at("1"));
    const id = resource.kept?.state.rulesetId ?? "";
    await service.ask("DELETE", `/zones/${zoneId}/rulesets/${id}/versions/1`);
    await resource.settled(at("1"));
    await resource.up(inputs([c]));
    expect(await failureOf(resource.preview(at("1")))).toContain("Versions that exist: 2 to 4");
  });

  test("reports that a phase without an entry point, and a new custom ruleset, have no versions", async () => {
    expect(await failureOf(resource.preview(at("1")))).toContain(
      `restoreVersion: there is no ${phase} of zone enterprise.example.com (${zoneId}), so it has no version 1`,
    );
    const custom = new ManagedRuleset("Ruleset", service, "urn:custom");
    const args = { accountId, kind: "custom", name: "Mine", phase, rules: [a], restoreVersion: "1" };
    expect(await failureOf(custom.preview(args))).toContain("restoreVersion: needs an existing ruleset");
  });

  test("finds a custom ruleset by its name", async () => {
    const custom = new ManagedRuleset("Ruleset", service, "urn:custom");
    const args = { accountId, kind: "custom", name: "Mine", phase, rules: [a] };
    await custom.up(args);
    await custom.up({ ...args, rules: [b] });
    await custom.up({ ...args, rules: [b], restoreVersion: "1" });
    const ruleset = await service.ruleset(`accounts/${accountId}`, custom.kept?.state.rulesetId ?? "");
    expect(ruleset.rules.map(({ description }) => description)).toEqual(["A"]);
    await custom.settled({ ...args, rules: [b], restoreVersion: "1" });
    await service.create(`accounts/${accountId}`, { kind: "custom", name: "Mine", phase, rules: [] });
    expect(await failureOf(custom.preview({ ...args, restoreVersion: "2" }))).toContain("several have this name");
    await custom.up({ ...args, restoreVersion: "2", rulesetId: ruleset.id });
    expect((await service.ruleset(`accounts/${accountId}`, ruleset.id)).rules[0]).toMatchObject({ description: "B" });
  });

  test("respects the limit on removals", async () => {
    await resource.up(inputs([a]));
    await resource.up(inputs([b, c]));
    const failure = await failureOf(resource.preview(inputs([b, c], { restoreVersion: "1", maxRemovedPercent: 50 })));
    expect(failure).toContain("this change removes every rule (2)");
  });

  test.each<[string, (text: string) => object]>([
    ["an expression", (text) => ({ ref: "x", action: "block", expression: secret(`http.host eq "${text}"`) })],
    ["a description", (text) => ({ ref: "x", action: "block", expression: "ssl", description: secret(text) })],
    ["a whole rule", (text) => secret({ action: "block", expression: "ssl", description: text })],
  ])("no old or new secret leaves in clear: %s", async (_, ruleWith) => {
    const [old, now, other] = ["qzxkvjwqzx-one", "vvkqxzjjkv-two", "zzqxkkvjqx-three"];
    const border = new AtTheBorder("PhaseEntrypoint", service.emulator.url);
    const args = (rules: object[], more: object = {}) => ({ zoneId, phase, rules, ...more });
    expect(await border.up(args([a, ruleWith(old)]))).toBe(true);
    expect(await border.up(args([b, ruleWith(now)]))).toBe(true);
    const restored = args([b, ruleWith(now)], { restoreVersion: "1" });
    expect(await border.up(restored, { preview: true })).toBe(true);
    expect(await border.up(restored)).toBe(true);
    expect(JSON.stringify(await there())).toContain(old);
    expect(await border.refresh()).toBe(true);
    expect(await border.up(restored)).toBe(true);
    expect(await border.up(args([b, ruleWith(other)]))).toBe(true);
    expect(border.leaving.length).toBeGreaterThan(5);
    expect(border.leaving.join("\n")).not.toMatch(/qzxkvjwqzx|vvkqxzjjkv|zzqxkkvjqx/);
  });

  test("cannot be combined with a shared ruleset or ignored rules", async () => {
    await resource.up(inputs([a]));
    expect(await failureOf(resource.preview(inputs([a], { restoreVersion: "1", ownership: "shared" })))).toContain(
      'restoreVersion: cannot be combined with ownership: "shared"',
    );
    const { rules, order } = resource.kept?.inputs ?? {};
    const ignoring = { ...inputs([]), rules, order, restoreVersion: "1", __ignore: ["rules", "order"] };
    expect(await failureOf(resource.preview(ignoring))).toContain('cannot be combined with `ignoreChanges: ["rules"]`');
    const ignored = { ...at("1"), __ignore: ["restoreVersion"] };
    expect(await failureOf(resource.preview(ignored))).toContain(
      'ignoreChanges "restoreVersion" would write the rules of the program in place of that version after drift',
    );
  });

  test("a preview without a connection reports what it could not check, and shows nothing as removed", async () => {
    await resource.up(inputs([a, b]));
    await stopEmulator(service);
    const preview = await resource.plan(at("1"), true).then(
      ({ action }) => action,
      (error: unknown) => (error as Error).message,
    );
    expect(preview).toBe("update");
    expect(resource.warnings.join("\n")).toContain(
      `could not check what version 1 of ${phase} of zone ${zoneId} contains`,
    );
  });
});

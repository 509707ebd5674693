import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";
import { RulesProgram } from "./rules-program.js";

/*
 * The engine does not show the provider the state of a resource that is created again (`pulumi up --replace`, a taint): what
 * exists then is treated as for any new resource.
 */

const phase = "http_request_firewall_custom";
const rule = (name: string, more: object = {}) => ({
  action: "block",
  description: name,
  expression: `http.host eq "${name}"`,
  ...more,
});

let service: Service;
let zoneId: string;
beforeEach(async () => {
  ({ service, zoneId } = await startService());
});

const entrypoint = async () => (await service.entrypoint(zoneId, phase)) ?? { id: "", rules: [] };
const there = async () => (await entrypoint()).rules;
const idOf = async (name: string): Promise<string> =>
  (await there()).find(({ description }) => description === name)?.id ?? "";

const edit = async (name: string) =>
  service.editRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf(name), rule(`${name}, by hand`));

describe.each([
  ["a shared list", { ownership: "shared" }],
  ["an exclusive list", {}],
])("%s that is created again", (_, options) => {
  const list = (names: readonly string[], more: object = {}) => ({
    zoneId,
    phase,
    rules: names.map((name) => rule(name, { ref: name })),
    ...options,
    ...more,
  });
  const all = ["a", "b", "c"];
  let resource: ManagedRuleset;
  beforeEach(async () => {
    resource = new ManagedRuleset("PhaseEntrypoint", service);
    await resource.up(list(all));
  });

  test("stops at a rule that somebody edited, whether it is deleted first or last", async () => {
    await edit("b");
    const before = await there();
    const { kept } = resource;
    for (const deleteFirst of [false, true]) {
      resource.kept = kept;
      const message = await failureOf(resource.replaceForced(list(all), { deleteFirst }));
      expect(message).toMatch(/already exists: ruleset|with a ref of this program/);
      expect(message).toMatch(
        /description, expression of: block \[ref b,|\[ref b, .*: differs in description, expression/,
      );
      expect(await there()).toEqual(before);
    }
    expect(await failureOf(resource.previewReplacement(list(all)))).toContain("block [ref b, ID ");
  });

  test("says in the preview what it changes if it adopts, and ends with an error if that overwrote an edit", async () => {
    await edit("b");
    const adopting = list(all, { onExisting: "adopt" });
    await resource.previewReplacement(adopting);
    expect([...resource.notes, ...resource.warnings].join("\n")).toContain("~ b: description, expression");
    const text = await failureOf(resource.replaceForced(adopting));
    expect(text).toMatch(/was changed by somebody else \(version 2\) .* this run's write \(version 3\) undid that/);
    expect(text).toContain('~ description, expression of: block "b, by hand"');
    expect(text).toMatch(
      /restore it: add it to `rules`, at its position, or in place of the rule with its ref\n {4}\{\n {6}ref: "b"/,
    );
    expect((await there()).map(({ ref }) => ref)).toEqual(all);
    await resource.settled(adopting);
  });

  test.each([
    ["deleted", async (path: string) => service.ask("DELETE", path), "- rule b was deleted"],
    [
      "moved",
      async (path: string) => service.ask("PATCH", path, { ...rule("b"), ref: "b", position: { index: 1 } }),
      "> rule b was moved",
    ],
  ])("ends with an error if it adopts and that undid that somebody %s a rule", async (_name, change, line) => {
    await change(`/zones/${zoneId}/rulesets/${(await entrypoint()).id}/rules/${await idOf("b")}`);
    const adopting = list(all, { onExisting: "adopt" });
    expect(await failureOf(resource.replaceForced(adopting))).toContain(line);
    expect((await there()).map(({ ref }) => ref)).toEqual(all);
    await resource.settled(adopting);
  });

  test("overwrites an edit where that is requested", async () => {
    await edit("b");
    await resource.replaceForced(list(all, { onExisting: "adopt", onConflict: "overwrite" }));
    expect((await there()).map(({ description }) => description)).toEqual(all);
  });

  test("keeps the rules as they are if nobody has edited them", async () => {
    const before = await there();
    await resource.replaceForced(list(all));
    expect(await there()).toEqual(before);
  });
});

describe("a RulesetRule that is created again", () => {
  const single = (more: object = {}) => ({ zoneId, phase, ref: "b", ...rule("b"), ...more });
  test("stops at an edit, whether it is deleted first or last", async () => {
    await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: [rule("a", { ref: "a" })] });
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up(single());
    await edit("b");
    const { kept } = resource;
    for (const deleteFirst of [false, true]) {
      resource.kept = kept;
      const message = await failureOf(resource.replaceForced(single(), { deleteFirst }));
      expect(message).toContain("already has a rule of somebody else");
      expect((await there()).map(({ description }) => description)).toEqual(["a", "b, by hand"]);
    }
  });

  test("ends with an error if it adopts and that overwrote an edit", async () => {
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up(single());
    await edit("b");
    const text = await failureOf(resource.replaceForced(single({ onExisting: "adopt" })));
    expect(text).toMatch(/^rule "b" in .* was changed by somebody else \(version 2\) .* undid that/);
    expect(text).toContain('~ description, expression of: block "b, by hand"');
  });

  test("under another ref does not take over somebody else's rule that equals what it was", async () => {
    const theirs = rule("b", { ref: "theirs" });
    await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: [theirs] });
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up(single());
    const message = await failureOf(resource.up(single({ ref: "theirs", enabled: false })));
    expect(message).toContain("already has a rule of somebody else");
    expect((await there()).map(({ enabled }) => enabled)).toEqual([true, true]);
  });
});

test("a list that is renamed without aliases ends with an error if it adopts and that overwrote an edit", async () => {
  const program = new RulesProgram(service);
  const list = { kind: "PhaseEntrypoint", zoneId, phase, rules: [rule("a", { ref: "a" })] };
  await program.up({ one: list });
  await edit("a");
  const renamed = { two: { ...list, onExisting: "adopt" } };
  expect(await failureOf(program.up(renamed))).toContain('~ description, expression of: block "a, by hand"');
  await program.up(renamed);
  await program.settled(renamed);
});

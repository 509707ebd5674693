import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset, startService } from "./harness.js";
import { ManagedResource } from "./managed.js";

/*
 * A resource that is created again over its own rules (`pulumi up --replace`, a taint) undoes no more than an update
 * would: what somebody changed since the stack last read the rules stops it.
 */

const phase = "http_request_firewall_custom";
const rule = (name: string, more: object = {}) => ({
  action: "block",
  description: name,
  expression: `http.host eq "${name}"`,
  ...more,
});

let emulator: Emulator;
let service: Service;
let zoneId: string;
beforeEach(async () => {
  const started = await startService();
  ({ emulator, service } = started);
  ({ zoneId } = started.ids);
});
afterEach(() => emulator.close());

const entrypoint = async () => (await service.entrypoint(zoneId, phase)) ?? { id: "", rules: [] };
const there = async () => (await entrypoint()).rules;
const idOf = async (name: string): Promise<string> =>
  (await there()).find(({ description }) => description === name)?.id ?? "";

/** What somebody does to a rule of the resource by hand. */
const CHANGES: readonly (readonly [string, RegExp, (name: string) => Promise<unknown>])[] = [
  [
    "edited",
    /~ block "b, by hand"|~ .*"b, by hand"/,
    async (name) =>
      service.editRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf(name), rule(`${name}, by hand`)),
  ],
  [
    "deleted",
    /was deleted/,
    async (name) => service.deleteRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf(name)),
  ],
  [
    "moved",
    /was moved/,
    async (name) => {
      const position = { before: "" };
      const content = { ...rule(name), position };
      await service.editRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf(name), content);
    },
  ],
];

const LISTS: readonly (readonly [string, object])[] = [
  ["a shared list", { ownership: "shared" }],
  ["a shared list that adopts", { ownership: "shared", onExisting: "adopt" }],
  ["an exclusive list that adopts", { onExisting: "adopt" }],
  ["an exclusive list that replaces", { onExisting: "replace" }],
  ["an exclusive list", {}],
];

describe.each(LISTS)("%s that is created again", (_, options) => {
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

  test.each(CHANGES)(
    "stops at a rule that somebody %s, whether it is deleted first or last",
    async (_, text, change) => {
      await change("b");
      const before = await there();
      const { kept } = resource;
      for (const deleteFirst of [false, true]) {
        resource.kept = kept;
        const message = await failureOf(resource.replaceForced(list(all), { deleteFirst }));
        expect(message).toMatch(/was changed by somebody else|already exists: ruleset/);
        if (options !== LISTS.at(-1)?.[1]) expect(message).toMatch(text);
        expect(await there()).toEqual(before);
      }
    },
  );

  test.each(CHANGES)("stops in the preview at a rule that somebody %s", async (_, text, change) => {
    await change("b");
    const message = await failureOf(resource.previewReplacement(list(all)));
    expect(message).toMatch(/was changed by somebody else|already exists: ruleset/);
    if (options !== LISTS.at(-1)?.[1]) expect(message).toMatch(text);
  });

  test.each(CHANGES)("overwrites that a rule was %s on request", async (_, text, change) => {
    await change("b");
    if (Object.keys(options).length === 0) return;
    await resource.replaceForced(list(all, { onConflict: "overwrite" }));
    expect(resource.warnings.join("\n")).toMatch(text);
    expect(resource.warnings).toEqual([...new Set(resource.warnings)]);
    expect((await there()).map(({ ref }) => ref)).toEqual(all);
    await resource.settled(list(all, { onConflict: "overwrite" }));
  });

  test("continues after a refresh, and when the program makes the same change", async () => {
    const edited = rule("b", { ref: "b", enabled: false });
    await service.editRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf("b"), { ...edited });
    const rules = [rule("a", { ref: "a" }), edited, rule("c", { ref: "c" })];
    await resource.replaceForced(list(all, { rules }));
    expect((await there()).map(({ enabled }) => enabled)).toEqual([true, false, true]);
    if (Object.keys(options).length === 0) return;
    await CHANGES[0]?.[2]("a");
    await resource.refresh();
    await resource.replaceForced(list(all));
    expect((await there()).map(({ description }) => description)).toEqual(all);
  });
});

describe("a RulesetRule that is created again", () => {
  const single = (more: object = {}) => ({ zoneId, phase, ref: "b", ...rule("b"), ...more });
  test.each([{}, { onExisting: "adopt" }])("stops at an edit, with %j, and overwrites it on request", async (more) => {
    await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: [rule("a", { ref: "a" })] });
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up(single(more));
    await CHANGES[0]?.[2]("b");
    const { kept } = resource;
    for (const deleteFirst of [false, true]) {
      resource.kept = kept;
      const message = await failureOf(resource.replaceForced(single(more), { deleteFirst }));
      expect(message).toContain("the rule was changed by somebody else since this stack last read it");
      expect((await there()).map(({ description }) => description)).toEqual(["a", "b, by hand"]);
    }
    resource.kept = kept;
    await resource.replaceForced(single({ ...more, onConflict: "overwrite" }));
    expect(resource.warnings.join("\n")).toContain('onConflict is "overwrite"');
    expect((await there()).map(({ description }) => description)).toEqual(["a", "b"]);
  });

  test("stops at a move", async () => {
    const names = ["a", "c"].map((name) => rule(name, { ref: name }));
    await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: names });
    const resource = new ManagedResource("RulesetRule", service);
    const args = single({ position: { before: "a" } });
    await resource.up(args);
    const position = { after: "" };
    await service.editRule(`zones/${zoneId}`, (await entrypoint()).id, await idOf("b"), { ...rule("b"), position });
    expect(await failureOf(resource.replaceForced(args))).toContain("was moved");
  });

  test("under another ref does not take over somebody else's rule that equals what it was", async () => {
    const theirs = rule("b", { ref: "theirs" });
    await service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: [theirs] });
    const resource = new ManagedResource("RulesetRule", service);
    await resource.up(single());
    const message = await failureOf(resource.up(single({ ref: "theirs", enabled: false })));
    expect(message).toContain('already has a rule with the ref "theirs"');
    expect((await there()).map(({ enabled }) => enabled)).toEqual([true, true]);
  });
});

describe("while the state of the stack cannot be read", () => {
  const list = (more: object = {}) => ({
    zoneId,
    phase,
    rules: ["a", "b"].map((name) => rule(name, { ref: name })),
    ...more,
  });
  const single = (more: object = {}) => ({ zoneId, phase, ref: "b", ...rule("b"), ...more });
  const KINDS: readonly (readonly [string, "PhaseEntrypoint" | "RulesetRule", (more?: object) => object])[] = [
    ["an exclusive list that adopts", "PhaseEntrypoint", (more) => list({ onExisting: "adopt", ...more })],
    ["an exclusive list that replaces", "PhaseEntrypoint", (more) => list({ onExisting: "replace", ...more })],
    [
      "a shared list that adopts",
      "PhaseEntrypoint",
      (more) => list({ ownership: "shared", onExisting: "adopt", ...more }),
    ],
    ["a RulesetRule that adopts", "RulesetRule", (more) => single({ onExisting: "adopt", ...more })],
  ];

  test.each(KINDS)("%s and is created again undoes no edit", async (_, kind, args) => {
    if (kind === "RulesetRule")
      await service.create(`zones/${zoneId}`, {
        name: "theirs",
        kind: "zone",
        phase,
        rules: [rule("a", { ref: "a" })],
      });
    const resource = new ManagedResource(kind, service);
    await resource.up(args());
    await CHANGES[0]?.[2]("b");
    resource.hasReadableState = false;
    const { kept } = resource;
    const before = await there();
    for (const deleteFirst of kind === "RulesetRule" ? [false] : [false, true]) {
      resource.kept = kept;
      const message = await failureOf(resource.replaceForced(args(), { deleteFirst }));
      expect(message).toContain("the state of this stack could not be read");
      expect(message).toContain('"b, by hand"');
      expect(await there()).toEqual(before);
    }
    resource.kept = kept;
    await resource.replaceForced(args({ onConflict: "overwrite" }));
    expect(resource.warnings.join("\n")).toContain("the state of this stack could not be read");
    expect((await there()).map(({ description }) => description)).toEqual(["a", "b"]);
  });

  test.each(KINDS)("%s and is created again keeps what nobody has edited", async (_, kind, args) => {
    const resource = new ManagedResource(kind, service);
    await resource.up(args());
    const before = await there();
    resource.hasReadableState = false;
    await resource.replaceForced(args());
    expect(await there()).toEqual(before);
  });
});

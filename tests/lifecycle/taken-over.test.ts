import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { writesIn } from "../support/requests.js";
import { type RunResult, ManagedRuleset, startService } from "./harness.js";

/*
 * A delete removes only what this stack wrote or claimed explicitly. What it adopted because it was equal may be someone
 * else's live firewall.
 */

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl")];

describe("what was adopted because it was equal", () => {
  let service: Service;
  let zoneId: string;
  let inputs: (list?: object[], more?: object) => object;
  let first: ManagedRuleset;
  let second: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId } = await startService());
    inputs = (list = rules, more = {}) => ({ zoneId, phase, rules: list, ...more });
    first = new ManagedRuleset("PhaseEntrypoint", service, "urn:first");
    second = new ManagedRuleset("PhaseEntrypoint", service, "urn:second");
  });
  const entry = () => service.entrypoint(zoneId, phase);
  const there = async () => (await entry())?.rules ?? [];
  const custom = (list: object[] = rules) => ({ zoneId, kind: "custom", name: "shared", phase, rules: list });

  test("a second stack reports whose rules it seems to adopt, and its destroy leaves them", async () => {
    await first.up(inputs());
    const before = await entry();
    const preview = await second.preview(inputs());
    expect(preview.warnings.join()).toMatch(
      /takes over [0-9a-f]{32}, version 1: 2 kept, 0 changed, 0 dropped\n[^]*last changed \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/,
    );
    expect(preview.notes.join()).not.toContain("takes over");
    await second.up(inputs());
    await second.settled(inputs());
    expect(await second.destroy()).toEqual([]);
    expect(second.warnings.join()).toMatch(
      /was not deleted: this stack took it over because it was equal[^]*onExisting: "adopt"/,
    );
    expect(await entry()).toEqual(before);
    await first.settled(inputs());
    await first.destroy();
    expect(await there()).toEqual([]);
  });

  test("what a takeover does is one message: what it keeps, changes, drops, adds and moves", async () => {
    const at = (ref: string, expression: string) => ({ ...block(ref, expression), ref });
    await first.up(inputs([at("a", "ssl"), at("b", "true"), at("c", "not ssl")]));
    await second.up(inputs([at("c", "not ssl"), at("a", "ssl"), at("d", "false")], { onExisting: "replace" }));
    const said = [...second.warnings, ...second.notes].filter((text) => /takes over|unchanged/.test(text));
    expect(said).toEqual([
      expect.stringMatching(/^takes over [0-9a-f]{32}, version 1: 2 kept, 0 changed, 1 dropped, 1 added, 1 moved\n/),
    ]);
  });

  test("an empty entry point is adopted as well, and rules added to it in the meantime stay on a delete", async () => {
    await first.up(inputs([]));
    await second.up(inputs([]));
    await first.up(inputs());
    expect(writesIn((await second.up(inputs())).requests)).toEqual([]);
    const before = await entry();
    expect(await second.destroy()).toEqual([]);
    expect(await entry()).toEqual(before);
  });

  test("belongs to this stack once it has written to it", async () => {
    await first.up(inputs());
    await second.up(inputs());
    const more = [...rules, block("C", "true")];
    await second.up(inputs(more));
    await second.settled(inputs(more));
    await second.destroy();
    expect(await there()).toEqual([]);
  });

  test("belongs to this stack when the takeover itself writes, with a warning", async () => {
    await first.up(inputs());
    const ran = await second.up(inputs([...rules, block("C", "true")]));
    expect(ran.warnings.join()).toContain("last changed");
    await second.destroy();
    expect(await there()).toEqual([]);
  });

  test.each([{ onExisting: "adopt" }, { onExisting: "replace" }, { onExisting: "empty" }])(
    "%j claims it for this stack, immediately or later, and later without a request",
    async (more) => {
      await first.up(inputs());
      expect((await second.up(inputs(rules, more))).warnings).toEqual([]);
      await second.destroy();
      expect(await there()).toEqual([]);
      await first.refresh();
      await first.up(inputs());
      await second.up(inputs());
      const preview = await second.preview(inputs(rules, more));
      expect([preview.action, preview.requests]).toEqual(["update", []]);
      expect(await second.up(inputs(rules, more))).toMatchObject({ action: "update", requests: [] });
      await second.settled(inputs(rules, more));
      await second.destroy();
      expect(await there()).toEqual([]);
    },
  );

  test("a change that already exists writes nothing, and claims nothing", async () => {
    await first.up(inputs());
    await second.up(inputs());
    const more = [...rules, block("C", "true")];
    await first.up(inputs(more));
    expect(writesIn((await second.up(inputs(more))).requests)).toEqual([]);
    expect(await second.destroy()).toEqual([]);
    expect(await there()).toHaveLength(3);
  });

  test.each([
    ["was applied", "after", false, 0],
    ["was applied, after a refresh", "after", true, 0],
    ["never arrived", "before", false, 2],
  ] as const)("a write with unknown outcome that %s", async (_, cut, isRefreshed, left) => {
    await first.up(inputs());
    await second.up(inputs());
    const more = [...rules, block("C", "true")];
    await service.fault({ method: "PUT", cut });
    await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 9 });
    await expect(second.up(inputs(more))).rejects.toThrow("It is not known");
    await service.noFaults();
    if (isRefreshed) await second.refresh();
    const next = cut === "after" ? more : rules;
    await second.up(inputs(next));
    await second.settled(inputs(next));
    await second.destroy();
    expect(await there()).toHaveLength(left);
  });

  test("a refresh that reads its owner's changes claims nothing", async () => {
    await first.up(inputs());
    await second.up(inputs());
    await first.up(inputs([block("A", "true"), block("B", "not ssl")]));
    await second.refresh();
    expect(await second.destroy()).toEqual([]);
    expect(await there()).toHaveLength(2);
  });

  test("a replacement elsewhere leaves it", async () => {
    const one = new ManagedRuleset("Ruleset", service, "urn:first");
    const two = new ManagedRuleset("Ruleset", service, "urn:second");
    await one.up(custom());
    await two.up(custom());
    const ran = await two.up({ ...custom(), name: "other" });
    expect(ran.action).toBe("replace");
    expect(ran.warnings.join()).toContain("was not deleted");
    expect(await service.ruleset(`zones/${zoneId}`, one.kept?.state.rulesetId ?? "")).toMatchObject({ version: "1" });
    await two.up({ ...custom(), name: "other", rules: [...rules, block("C", "true")] });
    await two.destroy();
    expect((await service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom")).toHaveLength(1);
  });

  test.each(["empty", "delete"])("a ruleset that someone else recreated is not deleted with %j", async (onDelete) => {
    await first.up(inputs(rules, { onDelete }));
    await service.delete(`zones/${zoneId}`, (await entry())?.id ?? "");
    const created = await service.create(`zones/${zoneId}`, { name: "default", kind: "zone", phase, rules: [] });
    const requests = await first.destroy();
    expect(writesIn(requests)).toEqual([]);
    expect(first.notes.join()).toContain("was deleted by somebody else");
    expect(await entry()).toMatchObject({ id: created.id, version: "1" });
  });

  test("the leftover of an interrupted run is kept as well, with the way to delete it", async () => {
    await service.fault({ method: "POST", cut: "after" });
    await service.fault({ method: "GET", path: "*/entrypoint", status: 500, times: 9 });
    await expect(first.up(inputs())).rejects.toThrow();
    await service.noFaults();
    await first.up(inputs());
    expect(await first.destroy()).toEqual([]);
    expect(await there()).toHaveLength(2);
    await first.up(inputs(rules, { onExisting: "adopt" }));
    await first.destroy();
    expect(await there()).toEqual([]);
  });

  test("a custom ruleset taken for a leftover is kept, and one given by its ID belongs to this stack", async () => {
    const one = new ManagedRuleset("Ruleset", service, "urn:first");
    const two = new ManagedRuleset("Ruleset", service, "urn:second");
    await one.up(custom());
    const ran = await two.up(custom());
    expect(ran.warnings.join()).toContain("last changed");
    expect(two.kept?.id).toBe(one.kept?.id);
    expect(await two.destroy()).toEqual([]);
    expect(two.warnings.join()).toContain("was not deleted");
    expect(await service.ruleset(`zones/${zoneId}`, one.kept?.state.rulesetId ?? "")).toMatchObject({ version: "1" });
    await two.up({ ...custom(), rulesetId: one.kept?.state.rulesetId });
    await two.destroy();
    expect((await service.list(`zones/${zoneId}`)).filter(({ kind }) => kind === "custom")).toEqual([]);
  });

  test("an equal custom ruleset of the account, which the zone lists, is not taken for a leftover", async () => {
    const ofAccount = new ManagedRuleset("Ruleset", service, "urn:account");
    const ofZone = new ManagedRuleset("Ruleset", service, "urn:zone");
    await ofAccount.up({ ...custom(), zoneId: undefined, accountId: await service.account() });
    await ofZone.up(custom());
    expect(ofZone.kept?.state.rulesetId).not.toBe(ofAccount.kept?.state.rulesetId);
    await ofZone.destroy();
    expect(await service.list(`zones/${zoneId}`)).toContainEqual(
      expect.objectContaining({ id: ofAccount.kept?.state.rulesetId }),
    );
  });

  test("a rule that another stack wrote with a ref of this one is not edited silently", async () => {
    await second.up(inputs([]));
    await first.up(inputs([block("A", "ssl", { enabled: false })]));
    const mine = inputs([block("A", "ssl")]);
    await expect(second.up(mine)).rejects.toThrow('+ block (disabled) "A" when ssl');
    expect(await there()).toMatchObject([{ enabled: false }]);
    const named = inputs([{ ...block("A", "ssl"), ref: (await there())[0]?.ref }]);
    await expect(second.up(named)).rejects.toThrow('+ block (disabled) "A" when ssl');
    await second.up(named, { onConflict: "overwrite" });
    expect(await there()).toMatchObject([{ enabled: true }]);
  });

  describe("within a stack", () => {
    /** A resource of the same stack replaces another, which the engine deletes at the end. */
    const succeed = async (old: ManagedRuleset, successor: ManagedRuleset, wanted: object): Promise<RunResult> => {
      const { kept } = old;
      if (kept === undefined) throw new Error("nothing to succeed");
      const ran = await successor.up(wanted);
      expect(writesIn(ran.requests)).toEqual([]);
      await successor.deleteOther(kept.id, kept.state);
      old.kept = undefined;
      await successor.settled(wanted);
      return ran;
    };

    test.each([
      ["a rename", "PhaseEntrypoint", {}],
      ["a move to a Ruleset", "Ruleset", { kind: "zone", name: "default" }],
    ] as const)("%s without aliases keeps the rules, and owns them on request", async (_, kind, more) => {
      await first.up(inputs());
      const successor = first.sibling(kind, "urn:successor");
      const ran = await succeed(first, successor, inputs(rules, { ...more, onExisting: "adopt" }));
      expect(ran.warnings).toEqual([]);
      await successor.destroy();
      expect(await there()).toEqual([]);
    });

    test("a rename without aliases and without a request names the rules, and its delete leaves them", async () => {
      await first.up(inputs());
      const successor = first.sibling("PhaseEntrypoint", "urn:successor");
      const ran = await succeed(first, successor, inputs());
      expect(ran.warnings.join()).toMatch(/A delete leaves them in place until .* onExisting: "adopt"/);
      expect(await successor.destroy()).toEqual([]);
      expect(await there()).toHaveLength(2);
    });

    test("a replacement that deletes first owns what the old object owned", async () => {
      await first.up(inputs());
      const ran = await first.replaceForced(inputs(), { deleteFirst: true });
      expect(writesIn(ran.requests)).toEqual([]);
      await first.settled(inputs());
      await first.destroy();
      expect(await there()).toEqual([]);
    });

    test("a replacement that deletes last leaves the rules until it owns them on request", async () => {
      await first.up(inputs());
      const ran = await first.replaceForced(inputs());
      expect(writesIn(ran.requests)).toEqual([]);
      expect(await first.destroy()).toEqual([]);
      expect(await there()).toHaveLength(2);
    });

    test.each([{ deleteFirst: false }, { deleteFirst: true }])(
      "a replacement of what was only adopted leaves it, %j",
      async (options) => {
        await first.up(inputs());
        await second.up(inputs());
        await second.replaceForced(inputs(), options);
        await second.settled(inputs());
        expect(await second.destroy()).toEqual([]);
        expect(await there()).toHaveLength(2);
      },
    );
  });
});

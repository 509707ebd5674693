import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { methodsOf } from "../support/requests.js";
import { type ManagedRuleset, startEntrypoint } from "./harness.js";

/*
 * The API has no conditional writes: what someone else changes between the read and the write of a run is overwritten.
 * The versions contain it, though, so every run must report it.
 */

const phase = "http_request_firewall_custom";
const rules = [block("A", "ssl"), block("B", "not ssl")];
const night = { action: "block", expression: "ip.src eq 203.0.113.9", description: "3am" };

describe("a change by someone else between the read and the write", () => {
  let service: Service;
  let zoneId: string;
  let scope: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, scope, resource } = await startEntrypoint());
  });
  const entry = () => service.entrypoint(zoneId, phase);
  const there = async () => (await entry())?.rules ?? [];
  const inputs = (list: object[] = rules, more: object = {}) => ({ zoneId, phase, rules: list, ...more });
  const more = [...rules, block("C", "true")];
  const plainRules = async () =>
    (await there()).map(({ ref, action, expression, description }) => ({ ref, action, expression, description }));
  /** The path of the ruleset, or of one of its rules. */
  const pathOf = async (part = ""): Promise<string> => `/${scope}/rulesets/${(await entry())?.id ?? ""}${part}`;
  const add = async (rule: object = night) => ({ method: "POST", path: await pathOf("/rules"), body: rule });
  const own = async (index: number) => (await there())[index]?.id ?? "";
  /** What someone else does just before the next PUT. */
  const meanwhile = async (...requests: { method: string; path: string; body?: unknown }[]) =>
    service.fault({ method: "PUT", meanwhile: requests });

  test("ends as a conflict that shows it and how to restore it; the state has what was written", async () => {
    await resource.up(inputs());
    await meanwhile(await add());
    const text = await failureOf(resource.up(inputs(more)));
    // The last one reads the zone's name, for the message.
    expect(methodsOf(await service.requests())).toEqual(["GET", "PUT", "GET", "GET"]);
    expect(text).toContain("was changed by somebody else (version 2) since it was last read");
    expect(text).toContain("this run's write (version 3) undid that");
    expect(text).toContain('+ block "3am" when ip.src eq 203.0.113.9');
    expect(text).toMatch(/To continue:\n {2}- restore it[^]*description: "3am"/);
    expect(text).toContain("versions show 2 --zone ");
    expect((await there()).map(({ description }) => description)).toEqual(["A", "B", "C"]);
    expect(resource.kept?.state).toMatchObject({ version: "3" });
    await resource.settled(inputs(more));
    const pasted = /with its ref\n([^]*?)\n {2}- leave it/.exec(text)?.[1] ?? "";
    const list = new Function(`return [${pasted}]`)() as object[];
    await resource.up(inputs([...more, ...list]));
    expect((await there()).map(({ description }) => description)).toEqual(["A", "B", "C", "3am"]);
  });

  test("does not hide, after a refresh, that the program is as before: the engine still has the inputs of before", async () => {
    await resource.up(inputs());
    await meanwhile(await add());
    await failureOf(resource.up(inputs(more)));
    await resource.refresh();
    expect((await resource.up(inputs())).action).toBe("update");
    expect((await there()).map(({ description }) => description)).toEqual(["A", "B"]);
    await resource.settled(inputs());
  });

  test("is shown when it is an edit, a deletion, a move or a description", async () => {
    const described = { description: "Ours" };
    await resource.up(inputs(more, described));
    const [a, b, c] = [await own(0), await own(1), await own(2)];
    const rule = await pathOf("/rules/");
    const change = inputs([...more, block("D", "true")], described);
    await meanwhile(
      { method: "PATCH", path: `${rule}${a}`, body: { action: "log", expression: "ssl", description: "A" } },
      { method: "DELETE", path: `${rule}${b}` },
      { method: "PATCH", path: `${rule}${c}`, body: { position: { before: "" } } },
    );
    const text = await failureOf(resource.up(change));
    expect(text).toContain('~ action of: log "A" when ssl');
    expect(text).toMatch(/- rule b-[0-9a-f]+ was deleted/);
    expect(text).toMatch(/> rule [ac]-[0-9a-f]+ was moved/);
    expect(text).toMatch(/delete again what was deleted: take it out of the program \(b-/);
    await resource.settled(change);
    const refs = await plainRules();
    await meanwhile({ method: "PUT", path: await pathOf(), body: { description: "Theirs", rules: refs } });
    expect(await failureOf(resource.up(inputs(more, described)))).toContain('the description became "Theirs"');
    await resource.settled(inputs(more, described));
  });

  test("is read from a single version, the one that was overwritten", async () => {
    await resource.up(inputs());
    await meanwhile(await add({ ...night, ref: "gone" }), await add({ ...night, description: "4am" }));
    const text = await failureOf(resource.up(inputs(more)));
    expect((await service.requests()).filter((request) => request.includes("/versions/"))).toEqual([
      expect.stringMatching(/versions\/3$/),
    ]);
    expect(text).toContain("(version 3)");
    expect(text).toContain('"4am"');
  });

  test("is a warning when overwriting was requested", async () => {
    await resource.up(inputs());
    await meanwhile(await add());
    const ran = await resource.up(inputs(more), { onConflict: "overwrite" });
    const warnings = ran.warnings.join();
    expect(warnings).toMatch(
      /^overwriting, as requested\.\n[^]*\+ block "3am"[^]*restore it: add it to `rules`, at its position/,
    );
    expect(warnings).toMatch(
      /\nVersion 2 contains everything that was overwritten: npx pulumi-rulesets versions show 2 /,
    );
    expect(warnings).not.toMatch(/leave it as it is|run `pulumi/);
    await resource.settled(inputs(more));
  });

  test("is no conflict when it changes nothing, or what this run changes too", async () => {
    await resource.up(inputs());
    const same = await plainRules();
    await meanwhile({ method: "PUT", path: await pathOf(), body: { rules: same } });
    expect(methodsOf((await resource.up(inputs(more))).requests)).toEqual(["GET", "PUT", "GET"]);
    await resource.settled(inputs(more));
    const equal = { action: "block", expression: 'http.host eq "d"', description: "D" };
    await meanwhile(await add(equal));
    await resource.up(inputs([...more, equal]));
    await resource.settled(inputs([...more, equal]));
  });

  test("is not assumed when the service answers a write with an unchanged version", async () => {
    await resource.up(inputs());
    const before = await entry();
    await service.fault({ method: "PUT", body: { success: true, errors: [], messages: [], result: before } });
    expect(methodsOf((await resource.up(inputs(more))).requests)).toEqual(["GET", "PUT"]);
  });

  test.each([403, 404, 500])("is reported without details when its version cannot be read (%i)", async (status) => {
    await resource.up(inputs());
    await meanwhile(await add());
    await service.fault({ method: "GET", path: "/versions/2$", status, times: 9 });
    const text = await failureOf(resource.up(inputs(more)));
    expect(text).toMatch(/\(version 2\)[^]*may have undone that\. Version 2 could not be read:\n {2}.*\d/);
    await service.noFaults();
    await resource.settled(inputs(more));
  });

  describe("is distinguished from a write of this run that was sent again", () => {
    /** The first write succeeds and its response is lost, and the read after it still returns the old version. */
    const lateLook = async (requests: { method: string; path: string }[] = []): Promise<void> => {
      const body = { success: true, errors: [], messages: [], result: await entry() };
      await service.fault({ method: "PUT", cut: "after", meanwhile: requests });
      await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", body });
    };

    test("when both succeeded", async () => {
      await resource.up(inputs());
      await lateLook();
      const ran = await resource.up(inputs(more));
      expect(methodsOf(ran.requests)).toEqual(["GET", "PUT", "GET", "PUT", "GET"]);
      expect((await entry())?.version).toBe("3");
      await resource.settled(inputs(more));
    });

    test("when someone else wrote before the first", async () => {
      await resource.up(inputs());
      await lateLook([await add()]);
      const text = await failureOf(resource.up(inputs(more)));
      expect(text).toContain("(version 2)");
      expect(text).toContain("(version 4)");
      expect(text).toContain('+ block "3am"');
      await resource.settled(inputs(more));
    });

    test("when a read finds the first, with someone else before it", async () => {
      await resource.up(inputs());
      await service.fault({ method: "PUT", cut: "after", meanwhile: [await add()] });
      expect(await failureOf(resource.up(inputs(more)))).toContain('+ block "3am"');
      await resource.settled(inputs(more));
    });

    test("when the next run finds the first, with someone else before it", async () => {
      await resource.up(inputs());
      await service.fault({ method: "PUT", cut: "after", meanwhile: [await add()] });
      await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 9 });
      await expect(resource.up(inputs(more))).rejects.toThrow("It is not known");
      await service.noFaults();
      expect(await failureOf(resource.up(inputs(more)))).toContain('+ block "3am"');
      await resource.settled(inputs(more));
    });

    test.each([0, 403])(
      "when it is found after a refresh, with someone else before it; the read before it returns %i",
      async (status) => {
        await resource.up(inputs([...rules, block("Gone", "true")]));
        await service.fault({ method: "PUT", cut: "after", meanwhile: [await add()] });
        await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 9 });
        await expect(resource.up(inputs(more))).rejects.toThrow("It is not known");
        await service.noFaults();
        await resource.refresh();
        await resource.refresh();
        if (status > 0) await service.fault({ method: "GET", path: "/versions/1$", status, times: 9 });
        const text = await failureOf(resource.up(inputs(more)));
        expect(text).toContain("(version 2)");
        expect(text).toContain('+ block "3am"');
        if (status === 0) expect(text).not.toContain("Gone");
        await resource.settled(inputs(more));
      },
    );

    test.each([false, true])(
      "when it succeeded before a run that changes more, with someone else before it; refreshed: %s",
      async (refresh) => {
        await resource.up(inputs());
        await service.fault({ method: "PUT", cut: "after", meanwhile: [await add()] });
        await service.fault({ method: "GET", path: "/rulesets/[0-9a-f]{32}$", status: 503, times: 9 });
        await expect(resource.up(inputs(more))).rejects.toThrow("It is not known");
        await service.noFaults();
        if (refresh) await resource.refresh();
        const evenMore = inputs([...more, block("D", "ip.src eq 192.0.2.1")]);
        const text = await failureOf(resource.up(evenMore));
        expect(text).toContain("(version 2)");
        expect(text).toContain('+ block "3am"');
        expect((await there()).map(({ description }) => description)).toEqual(["A", "B", "C", "D"]);
        await resource.settled(evenMore);
      },
    );
  });

  test("is reported in a takeover that writes: the resource is in the state, and the next up has nothing to do", async () => {
    await service.create(scope, { name: "default", kind: "zone", phase, rules });
    await meanwhile(await add());
    const adopting = inputs(more, { onExisting: "adopt" });
    const text = await failureOf(resource.up(adopting));
    expect(text).toContain("+ block [ref ");
    expect(text).toMatch(/Version 2 contains everything that was overwritten: npx .* show 2 --zone .*$/);
    expect(resource.kept?.state.version).toBe("3");
    await resource.settled(adopting);
  });

  test("is reported in a write that renames the entry point", async () => {
    await resource.up(inputs(rules, { name: "one" }));
    await meanwhile(await add());
    expect(await failureOf(resource.up(inputs(more, { name: "two" })))).toContain('+ block "3am"');
    await resource.settled(inputs(more, { name: "two" }));
    await meanwhile({ method: "DELETE", path: await pathOf() });
    const text = await failureOf(resource.up(inputs(rules, { name: "three" })));
    expect(text).toMatch(/was deleted by somebody else since it was last read, and this run's write recreated it/);
    await resource.settled(inputs(rules, { name: "three" }));
  });

  test("is reported when a delete empties the entry point: it fails, and the next one completes it", async () => {
    await resource.up(inputs());
    await meanwhile(await add());
    const text = await failureOf(resource.destroy());
    expect(text).toContain('+ block "3am"');
    expect(text).toContain("keep it: run `pulumi refresh`, then `pulumi up`");
    expect(text).toContain("run `pulumi destroy` (or `up`) again, which sends no write");
    expect(await there()).toEqual([]);
    expect(methodsOf(await resource.destroy())).toEqual(["GET"]);
    await resource.up(inputs());
    await meanwhile(await add());
    await resource.destroy({ onConflict: "overwrite" });
    const warnings = resource.warnings.join();
    expect(warnings).toContain('+ block "3am"');
    expect(warnings).toContain("restore it: declare the resource again, and add it to `rules`, at its position");
    expect(warnings).not.toMatch(/still in the state|keep it|run `pulumi/);
  });
});

import type { Service } from "../support/emulator.js";
import { block } from "../support/rules.js";
import { failureOf } from "../support/failure.js";
import { writesIn } from "../support/requests.js";
import { rulesShownBy } from "../support/shown-rules.js";
import { ManagedRuleset, startEntrypoint } from "./harness.js";

const phase = "http_request_firewall_custom";
const wire = (description: string, expression: string) => ({ action: "block", description, expression });

describe("taking over existing rulesets", () => {
  let service: Service;
  let zoneId: string;
  let scope: string;
  let resource: ManagedRuleset;
  beforeEach(async () => {
    ({ service, zoneId, scope, resource } = await startEntrypoint());
  });

  const existing = (...rules: object[]) => service.create(scope, { name: "dashboard", kind: "zone", phase, rules });
  const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
  const inputs = (rules: object[], more: object = {}) => ({ zoneId, phase, rules, ...more });

  test("fail: refuses an occupied phase at preview, with its rules and how to continue", async () => {
    const ruleset = await existing(wire("By hand", "ssl"));
    const [rule] = await there();
    const preview = resource.preview(inputs([block("Mine", "true")]));
    await expect(preview).rejects.toThrow(`already exists: ruleset ${ruleset.id}, version 1, with 1 rule`);
    const text = await failureOf(resource.preview(inputs([block("Mine", "true")])));
    for (const part of [
      `- block [ref ${rule?.ref ?? ""}, last changed `,
      `versions show 1 --zone ${zoneId} --ruleset ${ruleset.id} --typescript`,
      'onExisting: "adopt"',
      'onExisting: "replace"',
      'ownership: "shared"',
      '{ aliases: [{ name: "<previous name>" }] }',
    ])
      expect(text).toContain(part);
    expect(text).not.toContain("By hand");
    await expect(resource.up(inputs([]))).rejects.toThrow("already exists");
    expect(await there()).toHaveLength(1);
    expect(await service.requests()).not.toContainEqual(expect.stringMatching(/^(PUT|POST|DELETE)/));
  });

  test("fail: uses an empty leftover", async () => {
    const ruleset = await existing();
    await resource.up(inputs([block("Mine", "true")]));
    expect(resource.kept?.state.rulesetId).toBe(ruleset.id);
    await resource.settled(inputs([block("Mine", "true")]));
  });

  test("fail: uses a ruleset equal to the program, without a write and with all IDs", async () => {
    await existing(wire("A", "ssl"), wire("B", "not ssl"));
    const before = await there();
    const ran = await resource.up(inputs([block("A", "ssl"), block("B", "not ssl")]));
    expect(ran.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "GET"]);
    expect(ran.warnings).toEqual([]);
    expect(ran.notes.join("\n")).toMatch(
      /takes over [0-9a-f]{32}, version 1: 2 kept, 0 changed, 0 dropped\n {2}A delete leaves them in place until/,
    );
    expect(await there()).toEqual(before);
    await resource.settled(inputs([block("A", "ssl"), block("B", "not ssl")]));
  });

  test("adopt: refuses what it would lose, and its command prints it; once added, it takes over without a write", async () => {
    await existing(wire("A", "ssl"), {
      action: "skip",
      expression: "true",
      action_parameters: { phases: ["http_ratelimit"] },
    });
    const before = await there();
    const text = await failureOf(resource.preview(inputs([], { onExisting: "adopt" })));
    expect(text).toContain("add them to `rules`, at their places, as that command prints them");
    const rules = await rulesShownBy(text, service.emulator.url);
    expect(rules).toHaveLength(2);
    const ran = await resource.up(inputs(rules, { onExisting: "adopt" }));
    expect(ran.requests.map((request) => request.split(" ")[0])).toEqual(["GET", "GET"]);
    expect(await there()).toEqual(before);
    await resource.settled(inputs(rules, { onExisting: "adopt" }));
  });

  test("the refusal names only the rules in the way, where the rest is in the program", async () => {
    await existing(wire("A", "ssl"), wire("B", "not ssl"), { ...wire("C", "true"), ref: "c" });
    const [a, b, c] = await there();
    const adopting = await failureOf(
      resource.preview(inputs([block("A", "ssl"), block("B", "not ssl")], { onExisting: "adopt" })),
    );
    expect(adopting).toMatch(
      /with 3 rules\.\nNot in the program:\n {2}- block \[ref c, ID .*\nTheir texts .*\nonExisting/,
    );
    expect(adopting).toContain(c?.id);
    expect(adopting).not.toContain(a?.id);
    const edited = [block("A", "ssl"), { ...block("B", "not ssl"), ref: b?.ref, action: "log" }, block("C", "true")];
    expect(await failureOf(resource.preview(inputs(edited)))).toMatch(
      new RegExp(
        `with 3 rules\\.\nDifferent in the program:\n {2}~ action of: block \\[ref ${b?.id ?? ""}, .*\nTheir texts .*\nNothing was changed`,
      ),
    );
  });

  test("leaves a description to others when the program gives none, and otherwise manages it", async () => {
    const ruleset = await service.create(scope, {
      name: "dashboard",
      kind: "zone",
      phase,
      description: "Made by hand",
      rules: [wire("A", "ssl")],
    });
    const mine = inputs([block("A", "ssl")]);
    const took = await resource.up(mine);
    expect(writesIn(took.requests)).toEqual([]);
    await resource.settled(mine);
    const rules = ruleset.rules.map(({ ref }) => ({ ...wire("A", "ssl"), ref }));
    await service.replace(scope, ruleset.id, { description: "Edited by hand", rules });
    const changed = inputs([block("A", "ssl"), block("B", "true")]);
    await resource.up(changed);
    expect((await service.entrypoint(zoneId, phase))?.description).toBe("Edited by hand");
    await resource.settled(changed);
    const described = inputs([block("A", "ssl"), block("B", "true")], { description: "Ours" });
    await resource.up(described);
    await resource.settled(described);
    expect((await resource.up(changed)).action).toBe("update");
    expect((await service.entrypoint(zoneId, phase))?.description).toBe("");
    await resource.settled(changed);
  });

  test("adopt: keeps the IDs of matched rules and shows the differing fields", async () => {
    await existing({ ...wire("A", "ssl"), ref: "a" }, wire("B", "not ssl"));
    const before = await there();
    const ran = await resource.up(
      inputs([{ ...block("A", "true"), ref: "a" }, block("B", "not ssl"), block("C", "ssl")], { onExisting: "adopt" }),
    );
    expect(ran.notes.join("\n")).toMatch(/1 kept, 1 changed, 0 dropped, 1 added\n {2}~ a: expression/);
    expect((await there()).slice(0, 2).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("replace: lists every rule to be removed in the preview", async () => {
    await existing(wire("A", "ssl"), wire("Gone", "not ssl"));
    const before = await there();
    const mine = inputs([block("A", "ssl")], { onExisting: "replace" });
    const preview = await resource.preview(mine);
    expect(preview.warnings.join("\n")).toMatch(
      new RegExp(`1 kept, 0 changed, 1 dropped\n {2}- block \\[ref ${before[1]?.id ?? ""}, `),
    );
    await resource.up(mine);
    expect((await there()).map(({ id }) => id)).toEqual([before[0]?.id]);
  });

  describe("a program without rules", () => {
    test.each([{}, { onExisting: "adopt" }, { onExisting: "replace" }])(
      "is never told to drop everything as if it were a replacement: %j",
      async (more) => {
        await existing(wire("A", "ssl"), wire("B", "not ssl"));
        const text = await failureOf(resource.preview(inputs([], more)));
        expect(text).toContain('onExisting: "empty"');
        expect(text).not.toMatch(/onExisting: "replace" (takes|drops)|with onExisting: "replace"/);
        await expect(resource.up(inputs([], more))).rejects.toThrow('onExisting: "empty"');
        expect(await there()).toHaveLength(2);
        expect((await service.requests()).every((request) => request.startsWith("GET"))).toBe(true);
      },
    );

    test("is refused at preview with replace, with the rules to keep and the value that drops them all", async () => {
      await existing(wire("A", "ssl"), wire("B", "not ssl"));
      const text = await failureOf(resource.preview(inputs([], { onExisting: "replace" })));
      expect(text).toMatch(
        /with 2 rules\.\nNot in the program:\n {2}- block \[.*\n {2}- block \[.*\nTheir texts .*\nonExisting: "replace" does not drop every rule\. Nothing was changed\. To continue:\n {2}- keep them: add them to `rules`, at their places, as that command prints them\n/,
      );
      expect(text).toContain('  - drop them: set onExisting: "empty"');
      const rules = await rulesShownBy(text, service.emulator.url);
      expect((await resource.up(inputs(rules))).requests.every((request) => request.startsWith("GET"))).toBe(true);
      expect(await there()).toHaveLength(2);
    });

    test("drops every rule with empty, and the preview lists each", async () => {
      await existing(wire("A", "ssl"), wire("B", "not ssl"));
      const mine = inputs([], { onExisting: "empty" });
      const preview = await resource.preview(mine);
      expect(preview.warnings.join("\n")).toMatch(/0 kept, 0 changed, 2 dropped\n {2}- block \[.*\n {2}- block \[/);
      await resource.up(mine);
      expect(await there()).toEqual([]);
      await resource.settled(mine);
    });

    test("with empty is the same as replace where the program has rules", async () => {
      await existing(wire("A", "ssl"), wire("Gone", "not ssl"));
      await resource.up(inputs([block("A", "ssl")], { onExisting: "empty" }));
      expect(await there()).toMatchObject([{ description: "A" }]);
    });

    test("with replace is accepted for an empty ruleset", async () => {
      await existing();
      await resource.up(inputs([], { onExisting: "replace" }));
      await resource.settled(inputs([], { onExisting: "replace" }));
    });

    test("is also a Ruleset without the rules argument", async () => {
      const old = await service.create(scope, { name: "mine", kind: "custom", phase, rules: [wire("A", "ssl")] });
      const custom = new ManagedRuleset("Ruleset", service);
      const args = { zoneId, kind: "custom", name: "mine", phase, rulesetId: old.id, onExisting: "replace" };
      expect(await failureOf(custom.preview(args))).toContain('set onExisting: "empty"');
      expect((await service.ruleset(scope, old.id)).rules).toHaveLength(1);
    });

    test("the variable that overwrites changes of others also works where this resource is replaced", async () => {
      await resource.up(inputs([block("A", "ssl")]));
      await service.addRule(scope, resource.kept?.state.rulesetId ?? "", wire("Foreign", "true"));
      await resource.replaceOnChanges(inputs([], { onConflict: "overwrite" }));
      expect(await there()).toEqual([]);
    });
  });

  test("a custom ruleset with the same name is reported, and a new one created; by its ID it is adopted", async () => {
    const old = await service.create(scope, { name: "mine", kind: "custom", phase, rules: [wire("A", "ssl")] });
    const custom = new ManagedRuleset("Ruleset", service);
    const args = { zoneId, kind: "custom", name: "mine", phase, rules: [block("A", "ssl"), block("B", "true")] };
    expect((await custom.preview(args)).warnings.join()).toContain(`set rulesetId: "${old.id}"`);
    await custom.up({ ...args, rulesetId: old.id });
    expect(custom.kept?.id).toBe(`${scope}/rulesets/${old.id}`);
    expect((await service.ruleset(scope, old.id)).rules.map(({ id }) => id)[0]).toBe(old.rules[0]?.id);
    await custom.settled({ ...args, rulesetId: old.id });
  });

  test("an unknown ruleset ID is reported at preview", async () => {
    const custom = new ManagedRuleset("Ruleset", service);
    const args = { zoneId, kind: "custom", name: "mine", phase, rulesetId: "0".repeat(32) };
    await expect(custom.preview(args)).rejects.toThrow(`rulesetId: there is no ruleset ${"0".repeat(32)}`);
    await expect(custom.preview({ ...args, rulesetId: "mine" })).rejects.toThrow(
      "rulesetId: must be an ID of 32 hexadecimal digits; this has 4 characters",
    );
    const whole = `zones/${zoneId}/rulesets/${"0".repeat(32)}`;
    await expect(custom.preview({ ...args, rulesetId: whole })).rejects.toThrow("rulesetId: there is no ruleset 0000");
  });

  test("up --replace and a taint keep rules and IDs, and apply what the program changed in the meantime", async () => {
    const rules = [block("A", "ssl"), block("B", "not ssl")];
    await resource.up(inputs(rules));
    const before = await there();
    await resource.replaceForced(inputs(rules));
    expect(await there()).toEqual(before);
    await resource.settled(inputs(rules));
    await expect(resource.replaceForced(inputs(rules.slice(1)))).rejects.toThrow(
      "apply its changes first, then replace it",
    );
    await resource.replaceOnChanges(inputs([...rules, block("C", "true")]));
    expect((await there()).map(({ id }) => id).slice(0, 2)).toEqual(before.map(({ id }) => id));
    expect(await there()).toHaveLength(3);
    const custom = new ManagedRuleset("Ruleset", service, "urn:custom");
    const args = { zoneId, kind: "custom", name: "mine", phase, rules };
    await custom.up(args);
    const { kept } = custom;
    await custom.replaceForced(args);
    expect(custom.kept?.id).toBe(kept?.id);
    expect(await service.ruleset(scope, kept?.state.rulesetId ?? "")).toMatchObject({ version: "1" });
    expect(await resource.destroy()).toHaveLength(2);
    expect(await there()).toEqual([]);
  });

  test("a replacement reports an edited rule as changed, not as removed", async () => {
    const rules = [block("A", "ssl"), block("B", "not ssl")];
    await resource.up(inputs(rules));
    const before = await there();
    const ran = await resource.replaceOnChanges(inputs([block("A", "true"), block("B", "not ssl")]));
    expect(ran.warnings).toEqual([]);
    expect(ran.notes.join("\n")).toMatch(/1 kept, 1 changed, 0 dropped\n.*\n {2}~ a-[0-9a-f]{4}: expression/);
    expect((await there()).map(({ id }) => id)).toEqual(before.map(({ id }) => id));
  });

  test("a rule of somebody else stops a replacement elsewhere at preview, unless the old ruleset is kept", async () => {
    const old = inputs([block("A", "ssl")]);
    await resource.up(old);
    const { id } = (await service.entrypoint(zoneId, phase)) ?? { id: "" };
    await service.addRule(`zones/${zoneId}`, id, { ...block("B", "true") });
    const elsewhere = { ...old, phase: "http_ratelimit", rules: [] };
    const text = await failureOf(resource.preview(elsewhere));
    expect(text).toContain("this replacement would undo it:\n  + block");
    expect(await failureOf(resource.up(elsewhere))).toBe(text);
    expect(await there()).toHaveLength(2);
    await resource.up({ ...old, onDelete: "keep" });
    expect((await resource.up(elsewhere)).action).toBe("replace");
  });

  test("a delete sends nothing while another resource of the run manages the object", async () => {
    const rules = [block("A", "ssl")];
    await resource.up(inputs(rules));
    const renamed = resource.sibling("PhaseEntrypoint", "urn:renamed");
    await renamed.up(inputs(rules, { onExisting: "adopt" }));
    await service.forget();
    resource.session = renamed.session;
    const { kept } = resource;
    if (kept === undefined) throw new Error("nothing kept");
    await resource.deleteOther(kept.id, kept.state);
    expect(await service.requests()).toEqual([]);
    expect(renamed.notes.join()).toContain("was not deleted: urn:renamed manages it now. No request was sent.");
    resource.kept = undefined;
    await renamed.destroy();
    expect(await there()).toEqual([]);
  });

  test("two owners of one entry point fail at preview, with both URNs", async () => {
    const session = resource.newSession();
    await resource.plan(inputs([block("A", "ssl")]), true);
    const other = new ManagedRuleset("Ruleset", service, "urn:other");
    other.session = session;
    await expect(other.plan({ zoneId, kind: "zone", name: "x", phase, rules: [] }, true)).rejects.toThrow(
      "two owners in this program: urn:other and urn:test",
    );
  });

  test.each([
    ["keep", [], 2],
    ["empty", ["GET", "PUT"], 0],
    ["delete", ["GET", "DELETE"], 0],
  ])("onDelete %s", async (onDelete, requests, left) => {
    const args = inputs([block("A", "ssl"), block("B", "true")], { onDelete });
    await resource.up(args);
    expect((await resource.destroy()).map((request) => request.split(" ")[0])).toEqual(requests);
    expect(await there()).toHaveLength(left);
    expect((await service.entrypoint(zoneId, phase)) === undefined).toBe(onDelete === "delete");
  });

  test("an executed ruleset cannot be deleted, and the error contains what executes it", async () => {
    const custom = new ManagedRuleset("Ruleset", service, "urn:custom");
    await custom.up({ zoneId, kind: "custom", name: "mine", phase, rules: [] });
    const entry = await existing({
      action: "execute",
      expression: "true",
      action_parameters: { id: custom.kept?.state.rulesetId },
      ref: "run",
    });
    await expect(custom.destroy()).rejects.toThrow(
      `cannot be deleted while "dashboard" of zone enterprise.example.com (${zoneId}) (${entry.id}, rule "run") executes it`,
    );
  });

  test("a state of @pulumi/cloudflare continues under ours: equal rules are not written, and IDs stay", async () => {
    const old = await existing({ ...wire("A", "ssl"), ref: "a" }, wire("B", "not ssl"));
    const rules = old.rules.map(({ id, ref, action, description, expression }) => ({
      id,
      ref,
      action,
      description,
      expression,
      enabled: true,
    }));
    const theirs = { zoneId, kind: "zone", name: "dashboard", phase, rules, __defaults: [] };
    const ruleset = new ManagedRuleset("Ruleset", service);
    ruleset.kept = {
      id: old.id,
      inputs: theirs as never,
      state: { ...theirs, version: "1", lastUpdated: "" } as never,
    };
    const args = {
      zoneId,
      kind: "zone",
      name: "dashboard",
      phase,
      rules: [{ ...block("A", "ssl"), ref: "a" }, block("B", "not ssl")],
    };
    const ran = await ruleset.up(args);
    expect(writesIn(ran.requests)).toEqual([]);
    expect((await there()).map(({ id }) => id)).toEqual(old.rules.map(({ id }) => id));
    await ruleset.refresh();
    const more = { ...args, rules: [block("New", "true"), ...args.rules] };
    await ruleset.up(more);
    expect((await there()).slice(1).map(({ id }) => id)).toEqual(old.rules.map(({ id }) => id));
    await ruleset.settled(more);
  });

  test("a state of version 5 of @pulumi/cloudflare has single blocks in lists: the first edit is one write", async () => {
    const response = { status_code: 418, content: "no", content_type: "text/plain" };
    const old = await existing({ ...wire("A", "ssl"), action_parameters: { response } });
    const responses = [{ statusCode: 418, content: "no", contentType: "text/plain" }];
    const rules = old.rules.map(({ id, ref, action, description, expression }) => ({
      ...{ id, ref, action, description, expression, enabled: true },
      actionParameters: { responses, algorithms: [] },
    }));
    const theirs = { zoneId, kind: "zone", name: "dashboard", phase, rules };
    const ruleset = new ManagedRuleset("Ruleset", service);
    ruleset.kept = {
      id: old.id,
      inputs: theirs as never,
      state: { ...theirs, version: "1", lastUpdated: "" } as never,
    };
    const [parameters] = responses;
    const args = (expression: string) => ({
      ...{ zoneId, kind: "zone", name: "dashboard", phase },
      rules: [{ ...block("A", expression), actionParameters: { response: parameters } }],
    });
    expect(writesIn((await ruleset.up(args("ssl"))).requests)).toEqual([]);
    const edited = await ruleset.up(args("not ssl"));
    expect(writesIn(edited.requests)).toEqual([expect.stringMatching(/^PUT /)]);
    expect(await there()).toMatchObject([{ id: old.rules[0]?.id, action_parameters: { response } }]);
  });
});

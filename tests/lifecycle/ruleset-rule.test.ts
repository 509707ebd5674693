import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service, WireRuleset } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { startService } from "./harness.js";
import { RulesProgram } from "./rules-program.js";

const phase = "http_request_firewall_custom";
let service: Service;
let zoneId: string;
let accountId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, accountId } = await startService());
  program = new RulesProgram(service);
});

const rule = (expression = "ssl", more: object = {}): Record<string, unknown> => ({
  ...{ zoneId, phase, action: "block", expression },
  ...more,
});
const named = (ref: string, more: object = {}) => rule("ssl", { ref, ...more });
const theirs = (ref: string) => ({ ref, action: "log", expression: "true" });
const there = async (): Promise<WireRuleset["rules"]> => (await service.entrypoint(zoneId, phase))?.rules ?? [];
const refs = async (): Promise<string> => (await there()).map(({ ref }) => ref).join(" ");
const scope = () => `zones/${zoneId}`;
/** An entry point of someone else. */
const occupy = (...names: string[]) =>
  service.create(scope(), { name: "theirs", kind: "zone", phase, rules: names.map(theirs) });
describe("the life of a rule", () => {
  test("the first rule creates the entry point; it is edited, moved and deleted, and the entry point stays", async () => {
    const steps: [Record<string, unknown>, string, string][] = [
      [rule(), "create", "GET POST"],
      [rule("not ssl"), "update", "GET PATCH"],
      [rule("not ssl", { description: "Ours", enabled: false }), "update", "GET PATCH"],
      [rule("not ssl"), "update", "GET PATCH"],
      [rule("not ssl", { position: { before: "" } }), "update", "GET"],
      [rule("not ssl", { position: { index: 1 } }), "update", "GET"],
      [rule("not ssl"), "update", ""],
      [rule("not ssl", { onDelete: "keep" }), "update", ""],
      [rule("not ssl", { onConflict: "overwrite", onExisting: "adopt" }), "update", ""],
    ];
    const ids = new Set<string>();
    for (const [args, action, requests] of steps) {
      expect(await program.up({ a: args })).toMatchObject({ actions: { a: action }, requests });
      ids.add(program.state("a").ruleId);
      await program.settled({ a: args });
    }
    expect(ids.size).toBe(1);
    expect(program.kept.get("a")?.id).toMatch(`zones/${zoneId}/phases/${phase}/rules/a-`);
    expect(await program.destroy()).toBe("GET DELETE");
    expect(await service.entrypoint(zoneId, phase)).toMatchObject({ rules: [] });
  });

  test("its outputs are those of the rule: a stable ID, and a version that counts its own changes", async () => {
    await occupy("x");
    await program.up({ a: rule() });
    const { ruleId, rulesetId, version, lastUpdated, ref } = program.state("a");
    expect([version, ref]).toEqual(["1", (await there())[1]?.ref]);
    expect([ruleId, rulesetId]).toEqual([(await there())[1]?.id, (await service.entrypoint(zoneId, phase))?.id]);
    expect(lastUpdated).toMatch(/^\d{4}-/);
    await program.up({ a: rule("not ssl"), b: rule() });
    expect(program.state("a")).toMatchObject({ ruleId, version: "2" });
  });

  test("its state has the version of the ruleset that its last write made, which others do not change", async () => {
    await occupy("x");
    const written = (name: string) => program.state(name).__rulesetVersion;
    await program.up({ a: rule() });
    await program.up({ a: rule(), b: rule() });
    expect([written("a"), written("b")]).toEqual(["2", "3"]);
    await service.addRule(scope(), program.state("a").rulesetId, theirs("y"));
    await program.refresh();
    await program.up({ a: rule("ssl", { onDelete: "keep" }), b: rule("not ssl") });
    expect([written("a"), written("b")]).toEqual(["2", "5"]);
  });

  test("in an account, and in a ruleset by ID", async () => {
    const custom = await service.create(`accounts/${accountId}`, { name: "mine", kind: "custom", phase, rules: [] });
    const inCustom = { accountId, rulesetId: custom.id, action: "block", expression: "ssl" };
    const execute = { action: "execute", expression: 'cf.zone.plan eq "ENT"', actionParameters: { id: custom.id } };
    const both = { a: inCustom, b: { accountId, phase, ...execute } };
    expect((await program.up(both)).actions).toEqual({ a: "create", b: "create" });
    expect(program.kept.get("a")?.id).toMatch(`accounts/${accountId}/rulesets/${custom.id}/rules/a-`);
    expect(program.state("a").phase).toBe(phase);
    await program.settled(both);
    // What the engine passes in for ignoreChanges: "*".
    expect((await program.up({ ...both, a: { ...inCustom, phase } })).actions).toEqual({ a: "none", b: "none" });
    await program.up({ ...both, a: { ...inCustom, expression: "not ssl" } });
    await program.destroy();
    expect(await service.ruleset(`accounts/${accountId}`, custom.id)).toMatchObject({ rules: [] });
  });

  test("all rules of an entry point cost one read and one write each, and nothing when nothing changes", async () => {
    const all = (expression: string) =>
      Object.fromEntries(["a", "b", "c", "d", "e"].map((name) => [name, rule(expression)]));
    expect((await program.preview(all("ssl"))).requests).toBe("GET");
    expect((await program.up(all("ssl"))).requests).toBe("GET POST POST POST POST POST");
    await program.settled(all("ssl"));
    expect(await program.refresh()).toBe("GET");
    expect((await program.preview(all("not ssl"))).requests).toBe("GET");
    expect((await program.up(all("not ssl"))).requests).toBe("GET PATCH PATCH PATCH PATCH PATCH");
    expect(await program.destroy()).toBe("GET DELETE DELETE DELETE DELETE DELETE");
  });

  const ratelimit = { characteristics: ["cf.colo.id"], period: 60, requestsPerPeriod: 5 };
  test.each([
    ["phase", { phase: "http_ratelimit", ratelimit }],
    ["ref", { ref: "other" }],
  ])("another %s is another rule, and the old one is deleted last", async (_, more) => {
    await program.up({ a: rule() });
    const { actions, requests } = await program.up({ a: rule("ssl", more) });
    expect(actions).toEqual({ a: "replace" });
    expect(requests).toMatch(/POST.* DELETE$/);
    await program.settled({ a: rule("ssl", more) });
  });

  test("keeps its place under another ref", async () => {
    await occupy("x", "y");
    await program.up({ a: named("a", { position: { before: "y" } }) });
    await program.up({ a: named("a") });
    await program.up({ a: named("b") });
    expect(await refs()).toBe("x b y");
  });
});

describe("a rule without a ref gets one that", () => {
  test("is known in the first preview, stays the same after edits, and differs between stacks", async () => {
    const { inputs } = await program.preview({ "Block admin": rule() });
    expect(inputs["Block admin"]?.ref).toMatch(/^block-admin-[0-9a-f]{8}$/);
    await program.up({ "Block admin": rule() });
    await program.up({ "Block admin": rule("not ssl", { action: "log", description: "Other" }) });
    expect(program.state("Block admin").ref).toBe(inputs["Block admin"]?.ref);
    const other = new RulesProgram(service, "prod");
    await other.up({ "Block admin": rule() });
    expect(other.state("Block admin").ref).not.toBe(program.state("Block admin").ref);
    expect(await there()).toHaveLength(2);
  });
});

describe("the position of a rule", () => {
  test.each([
    ["last by default", undefined, "x y z a"],
    ["first", { before: "" }, "a x y z"],
    ["last", { after: "" }, "x y z a"],
    ["before a rule", { before: "y" }, "x a y z"],
    ["after a rule", { after: "y" }, "x y a z"],
    ["at an index", { index: 2 }, "x a y z"],
    ["at the end, for an index beyond it", { index: 9 }, "x y z a"],
  ])("%s", async (_, position, expected) => {
    await occupy("x", "y", "z");
    const args = { a: named("a", position === undefined ? {} : { position }) };
    await program.up(args);
    expect(await refs()).toBe(expected);
    await program.settled(args);
  });

  test("is met anywhere on the right side, so that two rules can be before the same one", async () => {
    await occupy("x");
    const both = { a: named("a", { position: { before: "x" } }), b: named("b", { position: { before: "x" } }) };
    await program.up(both);
    expect(await refs()).toBe("a b x");
    await program.settled(both);
  });

  test("moves the rule when it changes, and sends nothing when it is already met", async () => {
    await occupy("x", "y");
    await program.up({ a: named("a") });
    expect((await program.up({ a: named("a", { position: { after: "x" } }) })).requests).toBe("GET");
    expect(await refs()).toBe("x y a");
    expect((await program.up({ a: named("a", { position: { before: "x" } }) })).requests).toBe("GET PATCH");
    expect(await refs()).toBe("a x y");
    const both = { a: named("a", { position: { before: "y" }, expression: "not ssl" }) };
    expect((await program.up(both)).requests).toBe("GET PATCH");
    await program.settled(both);
  });

  test("shows in a refresh after someone else moved the rule, and the next up moves it back", async () => {
    await occupy("x", "y");
    const args = { a: named("a", { position: { before: "y" } }) };
    await program.up(args);
    const { id = "" } = (await service.entrypoint(zoneId, phase)) ?? {};
    await service.editRule(scope(), id, program.state("a").ruleId, { position: { after: "" } });
    await program.refresh();
    expect(program.kept.get("a")?.inputs.position).toEqual({ after: "y" });
    expect((await program.preview(args)).actions).toEqual({ a: "update" });
    await program.up(args);
    expect(await refs()).toBe("x a y");
    await program.settled(args);
  });

  test("may refer to a rule of the same program that is created in the same run", async () => {
    const first = await program.preview({ a: named("a"), b: named("b", { position: { before: "a" } }) });
    expect(first.actions).toEqual({ a: "create", b: "create" });
  });

  test("may refer to a rule of a list of the same program that is created in the same run", async () => {
    const rules = [{ ref: "k1", action: "block", expression: "ssl" }];
    const list = { kind: "PhaseEntrypoint", zoneId, phase, ownership: "shared", rules };
    const args = { list, a: named("a", { position: { before: "k1" } }) };
    expect((await program.preview(args)).actions).toEqual({ list: "create", a: "create" });
    await program.upInTurn(args);
    expect((await service.rules(zoneId, phase)).map(({ ref }) => ref)).toEqual(["a", "k1"]);
    expect(await program.up(args)).toMatchObject({ actions: { list: "none", a: "none" }, requests: "" });
  });

  test("is refused at preview when its rule is missing, with the existing refs", async () => {
    await occupy("x", "y");
    const text = await failureOf(program.preview({ a: named("a", { position: { before: "z" } }) }));
    expect(text).toBe(
      `rule "a", position.before: there is no rule "z" in ${phase} of zone enterprise.example.com (${zoneId}). Its rules: x, y. To continue: name one of them. ` +
        "To name a rule that this program creates, add its resource to `dependsOn` of this one, or use a RulesetRule instead of its " +
        "ref: { before: otherRule }",
    );
    await program.up({ a: named("a") });
    expect(await failureOf(program.preview({ a: named("a", { position: { after: "z" } }) }))).toContain('no rule "z"');
  });

  test.each([
    ["itself", { a: { before: "a" } }, "position.before: must name another rule, not the rule itself"],
    [
      "two that are to be first",
      { a: { before: "" }, b: { before: "" } },
      'position: {"before":""} is also the position of',
    ],
    ["two at the same index", { a: { index: 2 }, b: { index: 2 } }, "only one rule can be there"],
    ["two places at once", { d: { before: "a", after: "" } }, "exactly one"],
  ])("%s are refused at preview", async (_, wishes, text) => {
    await occupy("a", "b", "c");
    const adopted = (ref: string, position: unknown) => named(ref, { position, onExisting: "adopt" });
    const args = Object.fromEntries(Object.entries(wishes).map(([ref, at]) => [ref, adopted(ref, at)]));
    expect(await failureOf(program.preview(args))).toContain(text);
  });

  test("before and after one another is no cycle", async () => {
    await occupy("a", "b");
    const adopt = (ref: string, position: object) => named(ref, { position, onExisting: "adopt" });
    const both = { a: adopt("a", { before: "b" }), b: adopt("b", { after: "a" }) };
    expect((await program.preview(both)).actions).toEqual({ a: "create", b: "create" });
  });
});

describe("arguments", () => {
  test.each([
    ["neither phase nor ruleset", { phase: undefined }, "phase or rulesetId is required; specify exactly one"],
    ["no zone", { zoneId: undefined }, "zoneId or accountId is required; specify exactly one"],
    ["an unknown phase", { phase: "http_request_firewall_costum" }, "phase: "],
    ["no action", { action: undefined }, "action is required"],
    ["no expression", { expression: undefined }, "expression is required"],
    ["an invalid expression", { expression: "ip.src eq" }, "expression:"],
    ["an action the phase does not take", { action: "set_config", actionParameters: { ssl: "full" } }, "action: phase"],
    [
      "parameters of another action",
      { actionParameters: { id: "x" } },
      "actionParameters.id: the action block does not take id",
    ],
    [
      "a field with both names",
      { action_parameters: {}, actionParameters: {} },
      "actionParameters: is given twice, also with the service's name action_parameters",
    ],
    [
      "a wrong value in the service's spelling",
      { action_parameters: { response: { status_code: 1 } } },
      "actionParameters.response.statusCode: must be >= 400",
    ],
    ["a ref reserved for the engine", { ref: "__x" }, "ref: must not start with __"],
    ["an empty position", { position: {} }, "position: before, after or index is required; specify exactly one"],
    [
      "an invalid position",
      { position: { befor: "x" } },
      "position.befor: there is no property befor; did you mean before?",
    ],
    ["index zero", { position: { index: 0 } }, "position.index: must be a whole number of at least 1"],
    ["a string as the position", { position: "first" }, "position: must be an object"],
    ["an invalid ID", { rulesetId: "x", phase: undefined }, "rulesetId: must be an ID of 32 hexadecimal digits"],
    ["an unknown ruleset", { rulesetId: "0".repeat(32), phase: undefined }, "rulesetId: there is no ruleset 000"],
    ["an unknown rule", { ruleId: "0".repeat(32) }, "there is no rule 000"],
    ["an invalid choice", { onExisting: "replace" }, "onExisting: must be one of fail, adopt"],
  ])("%s is refused at preview", async (_, more, text) => {
    await occupy("x");
    expect(await failureOf(program.preview({ a: rule("ssl", more) }))).toContain(text);
  });

  test("refuses rules for a managed ruleset", async () => {
    const managed = (await service.list(scope())).find(({ kind }) => kind === "managed");
    const args = rule("ssl", { phase: undefined, rulesetId: managed?.id });
    const list = {
      kind: "Ruleset",
      rulesetKind: "custom",
      name: "x",
      zoneId,
      phase,
      rulesetId: managed?.id,
      rules: [],
    };
    for (const a of [args, list])
      expect(await failureOf(program.preview({ a }))).toContain("is one of Cloudflare's managed rulesets (");
  });

  test.each([
    ["zoneId", { zoneId: UNKNOWN }],
    ["phase", { phase: UNKNOWN }],
    ["rulesetId", { phase: undefined, rulesetId: UNKNOWN }],
    ["expression", { expression: UNKNOWN }],
    ["part of the rule", { action: "block", actionParameters: { response: UNKNOWN } }],
    ["ref", { ref: UNKNOWN }],
    ["place", { position: UNKNOWN }],
    ["neighbour", { position: { before: UNKNOWN } }],
    ["id to take over", { ruleId: UNKNOWN }],
    ["onExisting", { onExisting: UNKNOWN }],
  ])("a %s that is unknown is accepted in a preview", async (_, more) => {
    await occupy("x");
    expect((await program.preview({ a: rule("ssl", more) })).actions).toEqual({ a: "create" });
    await program.up({ a: rule() });
    const { actions } = await program.preview({ a: rule("ssl", more) });
    expect(["update", "replace", "none"]).toContain(actions.a);
  });

  test("a preview without a connection checks what it can, and reports what it could not", async () => {
    await service.fault({ status: 503, times: 9 });
    const { warnings } = await program.preview({ a: rule("ssl", { position: { before: "x" } }) });
    expect(warnings.join()).toMatch(/^could not check what is in http_request_firewall_custom/);
  });
});

describe("changes by someone else", () => {
  const path = async (name: string) =>
    [(await service.entrypoint(zoneId, phase))?.id ?? "", program.state(name).ruleId] as const;
  const edit = async (name: string, change: object) =>
    service.editRule(scope(), ...(await path(name)), change as never);

  test("of other rules do not affect this one", async () => {
    const { id, rules } = await occupy("x", "y");
    await program.up({ a: named("a") });
    await service.editRule(scope(), id, rules[0]?.id ?? "", { action: "block", expression: "not ssl" });
    await service.deleteRule(scope(), id, rules[1]?.id ?? "");
    await service.addRule(scope(), id, theirs("z"));
    await program.refresh();
    await program.settled({ a: named("a") });
    expect((await program.up({ a: named("a", { expression: "not ssl" }) })).requests).toBe("GET PATCH");
    expect(await refs()).toBe("x a z");
  });

  test("an edit stops a change at preview, which shows it; one that the program declares too is recognised", async () => {
    await program.up({ a: rule() });
    await edit("a", { action: "log", expression: "ssl" });
    const text = await failureOf(program.preview({ a: rule("not ssl") }));
    expect(text).toMatch(
      /^rule "a-[0-9a-f]{8}" in http_request_firewall_custom of zone \S+ \([0-9a-f]{32}\) \(now version 2\) was changed by/,
    );
    expect(text).toContain("~ action of: log when ssl");
    expect(text).toMatch(/keep it: copy its values into the arguments of this resource\n {4}\{\n {6}ref:/);
    expect(text).toContain("RULESETS_ON_CONFLICT=overwrite pulumi up");
    expect(await failureOf(program.up({ a: rule("not ssl") }))).toBe(text);
    expect((await program.up({ a: rule("ssl", { action: "log" }) })).requests).toBe("GET");
    await program.settled({ a: rule("ssl", { action: "log" }) });
  });

  test("an edit is overwritten when the program requests it, with a warning", async () => {
    await program.up({ a: rule() });
    await edit("a", { action: "log", expression: "ssl" });
    const { warnings } = await program.up({ a: rule("not ssl", { onConflict: "overwrite" }) });
    expect(warnings[0]).toContain('onConflict is "overwrite", so this change undoes it');
    expect((await there())[0]).toMatchObject({ action: "block" });
  });

  test("a deletion stops a change; a refresh drops the rule, and the next up recreates it", async () => {
    await program.up({ a: rule() });
    await service.deleteRule(scope(), ...(await path("a")));
    const text = await failureOf(program.up({ a: rule("not ssl") }));
    expect(text).toMatch(/- rule a-[0-9a-f]{8} was deleted/);
    expect(text).toContain("the next `pulumi up` creates again what was deleted");
    await program.refresh();
    expect(program.kept.size).toBe(0);
    await program.up({ a: rule("not ssl") });
    await program.settled({ a: rule("not ssl") });
  });

  test("a deletion of the whole entry point does the same", async () => {
    await program.up({ a: rule() });
    await service.delete(scope(), (await path("a"))[0]);
    expect(await failureOf(program.up({ a: rule("not ssl") }))).toContain("was deleted");
    await program.up({ a: rule("not ssl", { onConflict: "overwrite" }) });
    expect(await there()).toHaveLength(1);
    await service.delete(scope(), (await service.entrypoint(zoneId, phase))?.id ?? "");
    await program.refresh();
    expect(program.kept.size).toBe(0);
  });

  test("a rule recreated by hand under its ref is the same rule", async () => {
    const args = { a: named("a") };
    await program.up(args);
    const [id, ruleId] = await path("a");
    await service.deleteRule(scope(), id, ruleId);
    await service.addRule(scope(), id, { ref: "a", action: "block", expression: "ssl" });
    expect((await program.up({ a: named("a", { expression: "not ssl" }) })).requests).toBe("GET PATCH");
    expect(program.state("a").ruleId).not.toBe(ruleId);
    await program.settled({ a: named("a", { expression: "not ssl" }) });
  });

  test("an edit stops a delete; after a refresh it continues", async () => {
    await program.up({ a: rule() });
    await edit("a", { action: "log", expression: "ssl" });
    const text = await failureOf(program.destroy());
    expect(text).toContain("this delete would undo it");
    expect(text).toContain('`pulumi up` with onDelete: "keep" first');
    await program.refresh();
    await program.destroy();
    expect(await there()).toEqual([]);
  });

  test("an edit stops a replacement, whose delete would undo it, at preview and before the new rule exists", async () => {
    await program.up({ a: named("a") });
    await edit("a", { action: "log", expression: "ssl" });
    const text = await failureOf(program.preview({ a: named("b") }));
    expect(text).toContain("~ action of: log when ssl");
    expect(text).toContain("this replacement would undo it");
    expect(await failureOf(program.up({ a: named("b") }))).toBe(text);
    expect(await refs()).toBe("a");

    const overwrites = { onConflict: "overwrite" } as const;
    expect((await program.preview({ a: named("b") }, overwrites)).warnings[0]).toContain("this replacement undoes it");
    await program.up({ a: named("b") }, overwrites);
    expect(await refs()).toBe("b");
  });

  test("a delete of a missing rule succeeds", async () => {
    await program.up({ a: rule(), b: rule() });
    await service.deleteRule(scope(), ...(await path("a")));
    expect(await program.destroy()).toBe("GET DELETE");
    await program.up({ a: rule() });
    await service.delete(scope(), (await path("a"))[0]);
    expect(await program.destroy()).toBe("GET");
  });

  test("a change between the read and the write is reported, and the state has what was written", async () => {
    await program.up({ a: rule() });
    const [id, ruleId] = await path("a");
    const body = { action: "log", expression: "true" };
    const meanwhile = [{ method: "PATCH", path: `/zones/${zoneId}/rulesets/${id}/rules/${ruleId}`, body }];
    await service.fault({ method: "PATCH", meanwhile });
    const text = await failureOf(program.up({ a: rule("not ssl") }));
    expect(text).toContain(
      "was changed by somebody else (version 2) since it was last read, and this run's write (version 3) undid that",
    );
    expect(text).toContain("~ action, expression of: log when true");
    expect(text).toContain(`versions show 2 --zone ${zoneId} --ruleset ${id}`);
    // The engine updates a resource whose last write ended early, although nothing is left to be written.
    expect(await program.up({ a: rule("not ssl") })).toMatchObject({ actions: { a: "update" }, requests: "" });
    await program.settled({ a: rule("not ssl") });
    await service.fault({ method: "DELETE", meanwhile });
    expect(await failureOf(program.destroy())).toContain("undid that");
    expect(await program.destroy()).toBe("GET");
  });
});

describe("an existing rule", () => {
  test("with another content is refused at preview, with what to do", async () => {
    await occupy("x");
    const text = await failureOf(program.preview({ a: named("x") }));
    expect(text).toMatch(
      /already has a rule of somebody else with a ref of this program:\n {2}- log \[ref x, ID [0-9a-f]{32}/,
    );
    expect(text).toContain("]: differs in action, expression\n");
    expect(text).not.toContain("when true");
    expect(text).toContain('take the existing rule over and change it: onExisting: "adopt"');
    expect(await failureOf(program.up({ a: named("x") }))).toBe(text);
  });

  test("is adopted by its ref, changed under its ID, and deleted", async () => {
    const [x] = (await occupy("x", "y")).rules;
    const args = { a: named("x", { onExisting: "adopt" }) };
    const { notes } = await program.preview(args);
    expect(notes).toEqual([
      `takes over the rule "x" (${x?.id ?? ""}): action, expression will change`,
      expect.stringMatching(/^this change stops requests that were not stopped:/),
    ]);
    expect((await program.up(args)).requests).toBe("GET PATCH");
    expect(program.state("a").ruleId).toBe(x?.id);
    await program.settled(args);
    await program.destroy();
    expect(await refs()).toBe("y");
  });

  test("is adopted by its ID, whatever its ref", async () => {
    const [, y] = (await occupy("x", "y")).rules;
    const args = { a: rule("true", { action: "log", ruleId: y?.id }) };
    expect((await program.up(args)).requests).toBe("GET");
    expect(program.state("a")).toMatchObject({ ref: "y", ruleId: y?.id });
    await program.settled(args);
    const { ruleId: _taken, ...without } = args.a;
    expect((await program.up({ a: without })).actions).toEqual({ a: "none" });
    expect(await failureOf(new RulesProgram(service).preview({ a: { ...args.a, ref: "z" } }))).toContain(
      'has the ref "y": write ref: "y", or leave ref out',
    );
    expect(await failureOf(new RulesProgram(service).preview({ a: named(y?.id ?? "") }))).toContain('write ref: "y"');
  });

  test("that is equal is adopted with a warning; a delete leaves it until this stack has changed or claimed it", async () => {
    await occupy("x");
    const args = { a: rule("true", { action: "log", ref: "x" }) };
    const { warnings, requests } = await program.up(args);
    expect(requests).toBe("GET");
    expect(warnings[0]).toMatch(/^takes over the rule "x" .* seems to belong to somebody else, last changed \d{4}-/);
    await program.settled(args);
    expect(await program.destroy()).toBe("");
    expect(program.messages.warnings[0]).toContain("a rule is kept, because it was only taken over for equal content");
    await program.up(args);
    const claimed = { a: { ...args.a, onExisting: "adopt" } };
    expect(await program.up(claimed)).toMatchObject({ actions: { a: "update" }, requests: "" });
    await program.settled(claimed);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("that is the leftover of an interrupted run belongs to the stack", async () => {
    await program.up({ a: rule() });
    program.kept.clear();
    const { notes, requests } = await program.up({ a: rule() });
    expect([requests, notes[0]]).toEqual([
      "GET",
      expect.stringContaining("which an interrupted run of this stack left behind"),
    ]);
    await program.destroy();
    expect(await there()).toEqual([]);
  });

  test("moves from one resource of the stack to another that adopts it, which then owns it", async () => {
    await program.up({ a: named("r") });
    expect(await program.up({ b: named("r", { onExisting: "adopt" }) })).toMatchObject({
      actions: { a: "delete", b: "create" },
      requests: "GET",
    });
    expect(program.messages.notes.join("\n")).toContain("it stays as it is");
    expect(program.messages.notes.join("\n")).toMatch(/was not deleted: urn:\S+::b manages it now/);
    await program.destroy();
    expect(await there()).toEqual([]);
  });

  test('stays on a delete with onDelete: "keep"', async () => {
    await program.up({ a: rule("ssl", { onDelete: "keep" }) });
    expect(await program.destroy()).toBe("");
    expect(await there()).toHaveLength(1);
  });
});

describe("owners in one program", () => {
  const whole = (more: object = {}) => ({
    kind: "PhaseEntrypoint",
    zoneId,
    phase,
    rules: [{ ref: "w", action: "log", expression: "true" }],
    ...more,
  });

  test("two of the same rule are refused", async () => {
    const text = await failureOf(program.preview({ a: named("r"), b: named("r") }));
    expect(text).toMatch(
      /rule "r" in .* has two owners in this program: \S+::a and \S+::b\. To continue: keep one of them/,
    );
  });

  test.each([
    ["before", () => ({ whole: whole(), a: named("r") })],
    ["after", () => ({ a: named("r"), whole: whole() })],
  ])("an owner of the whole, declared %s the rule, is refused, with the way to share", async (_, both) => {
    const text = await failureOf(program.preview(both()));
    expect(text).toMatch(/is owned as a whole by \S+PhaseEntrypoint::whole, which would delete the rule of \S+::a\./);
    expect(text).toContain('share it: set ownership: "shared" on urn:');
  });

  test("an owner of the whole by ID is refused as well, once it exists", async () => {
    await program.up({ whole: whole() });
    const { rulesetId } = program.kept.get("whole")?.state as { rulesetId: string };
    const byId = { ...named("r"), phase: undefined, rulesetId };
    expect(await failureOf(program.preview({ whole: whole(), a: byId }))).toContain("is owned as a whole by");
  });

  test("rules that replace an owner of the whole are kept through its delete", async () => {
    await program.up({ whole: whole() });
    const before = await there();
    const taken = { a: rule("true", { action: "log", ref: "w", onExisting: "adopt" }) };
    await program.up(taken);
    expect(program.messages.notes.join("\n")).toMatch(/was not deleted: \S+RulesetRule::a manages it now/);
    expect(await there()).toEqual(before);
    await program.settled(taken);
    expect(await program.destroy()).toBe("GET DELETE");
  });

  test("an owner of the whole that replaces rules keeps them through their delete", async () => {
    await program.up({ a: rule("true", { action: "log", ref: "w" }) });
    const before = await there();
    await program.up({ whole: whole({ onExisting: "adopt" }) });
    expect(await there()).toEqual(before);
    await program.settled({ whole: whole({ onExisting: "adopt" }) });
  });
});

describe("someone else who is faster", () => {
  test("in creating the entry point: the rule is added to it", async () => {
    const other = {
      method: "POST",
      path: `/zones/${zoneId}/rulesets`,
      body: { name: "theirs", kind: "zone", phase, rules: [theirs("x")] },
    };
    await service.fault({ method: "POST", meanwhile: [other] });
    expect((await program.up({ a: named("a") })).requests).toBe("GET POST GET POST");
    expect(await refs()).toBe("x a");
    await program.settled({ a: named("a") });
  });

  test("in creating it while our own response is lost", async () => {
    const other = {
      method: "POST",
      path: `/zones/${zoneId}/rulesets`,
      body: { name: "theirs", kind: "zone", phase, rules: [theirs("x")] },
    };
    await service.fault({ method: "POST", cut: "before", meanwhile: [other] });
    await program.up({ a: named("a") });
    expect(await refs()).toBe("x a");
  });

  test("in deleting the neighbour: the next read reports it", async () => {
    const { id, rules } = await occupy("x", "y");
    const gone = { method: "DELETE", path: `/zones/${zoneId}/rulesets/${id}/rules/${rules[1]?.id ?? ""}` };
    await service.fault({ method: "POST", meanwhile: [gone] });
    const text = await failureOf(program.up({ a: named("a", { position: { before: "y" } }) }));
    expect(text).toContain('position.before: there is no rule "y"');
    expect(await refs()).toBe("x");
  });

  test("in deleting the entry point: it is recreated", async () => {
    const { id } = await occupy("x");
    await service.fault({ method: "POST", meanwhile: [{ method: "DELETE", path: `/zones/${zoneId}/rulesets/${id}` }] });
    await program.up({ a: named("a") });
    expect(await refs()).toBe("a");
  });

  test("in deleting the rule that is changed: a conflict", async () => {
    await program.up({ a: named("a") });
    const { rulesetId, ruleId } = program.state("a");
    const gone = { method: "DELETE", path: `/zones/${zoneId}/rulesets/${rulesetId}/rules/${ruleId}` };
    await service.fault({ method: "PATCH", meanwhile: [gone] });
    expect(await failureOf(program.up({ a: named("a", { expression: "not ssl" }) }))).toContain("- rule a was deleted");
  });
});

describe("network failures", () => {
  test.each(["before", "after"] as const)(
    "an update with unknown outcome (cut %s) is finished by the next up, also after a refresh",
    async (cut) => {
      for (const refreshed of [false, true]) {
        const next = rule(refreshed ? "ssl" : "not ssl");
        if (!refreshed) await program.up({ a: rule() });
        await service.fault({ method: "PATCH", cut });
        await service.fault({
          method: "GET",
          path: `*/rulesets/${program.state("a").rulesetId}`,
          status: 503,
          times: 9,
        });
        expect(await failureOf(program.up({ a: next }))).toContain(
          "It is not known whether the request was carried out",
        );
        await service.noFaults();
        expect(program.state("a").__incomplete).toBe(true);
        if (refreshed) await program.refresh();
        expect((await program.preview({ a: next })).actions).toEqual({ a: "update" });
        await program.up({ a: next });
        expect(program.state("a").__incomplete).toBeUndefined();
        await program.settled({ a: next });
      }
    },
  );

  test("a run that was killed after its write is continued by the next one", async () => {
    await occupy("x");
    await program.up({ a: rule() });
    const before = new Map(program.kept);
    const moved = { a: rule("not ssl", { position: { before: "x" } }) };
    await program.up(moved);
    for (const [name, kept] of before) program.kept.set(name, kept);
    expect((await program.up(moved)).requests).toBe("GET");
    await program.settled(moved);
  });

  test("a delete whose response is lost succeeds", async () => {
    await program.up({ a: rule() });
    await service.fault({ method: "DELETE", cut: "after" });
    await expect(program.destroy()).rejects.toThrow("no response");
    expect(await program.destroy()).toBe("GET");
  });
});

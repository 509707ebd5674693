import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { ManagedRuleset } from "./harness.js";
import { RulesProgram, startRulesProgram, type ProgramArgs } from "./rules-program.js";

const phase = "http_request_firewall_custom";
let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const content = (name: string) => ({ action: "block", description: name, expression: `http.host eq "${name}"` });
/** A rule of the shared list, without a ref unless one is given. */
const listed = (name: string, more: object = { ref: name }) => ({ ...content(name), ...more });
const single = (name: string, more: object = {}) => ({ zoneId, phase, ref: name, ...content(name), ...more });
const shared = (rules: object[], more: object = {}) => ({
  kind: "PhaseEntrypoint",
  zoneId,
  phase,
  ownership: "shared",
  rules,
  ...more,
});
/** What a resource needs to have a rule whose old resource is checked later, or not at all. */
const adopt = { onExisting: "adopt" };
const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
const refs = async (): Promise<string> => (await there()).map(({ ref }) => ref).join(" ");
const idOf = async (description: string): Promise<string> =>
  (await there()).find((rule) => rule.description === description)?.id ?? "";
const occupy = (...names: string[]) =>
  service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: names.map((name) => listed(name)) });
type Args = ProgramArgs[string];
/** Both orders in which a program can declare a list and a rule. */
const ORDERS = [
  ["list first", (list: Args, rule: Args): ProgramArgs => ({ list, rule })],
  ["rule first", (list: Args, rule: Args): ProgramArgs => ({ rule, list })],
] as const;

describe.each(ORDERS)("a shared entry point and a RulesetRule of one program, %s", (_, both) => {
  const twoOwners = /rule .* in http_request_firewall_custom of zone .* has two owners in this program: /;

  test("work together with different refs", async () => {
    const wanted = both(shared([listed("a"), listed("b")]), single("r"));
    await program.up(wanted);
    // The list learns of a rule that was added after it.
    await program.refresh();
    await program.settled(wanted);
    expect((await refs()).split(" ").sort()).toEqual(["a", "b", "r"]);
    await program.up({ list: shared([listed("b")]), rule: single("r", { enabled: false }) });
    expect((await refs()).split(" ").sort()).toEqual(["b", "r"]);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("are refused at preview when both use the same ref", async () => {
    const text = await failureOf(program.preview(both(shared([listed("a"), listed("r")]), single("r"))));
    expect(text).toMatch(twoOwners);
    expect(text).toMatch(/PhaseEntrypoint::list|RulesetRule::rule/);
  });

  test("are refused when the rule adopts one of the list by its ID", async () => {
    await program.up({ list: shared([listed("a", {}), listed("b")]) });
    const ruleId = await idOf("a");
    const { ref: _ref, ...rule } = single("mine");
    const wanted = both(shared([listed("a", {}), listed("b")]), { ...rule, ruleId });
    expect(await failureOf(program.preview(wanted))).toMatch(twoOwners);
  });

  test("are refused when the rule adopts one of the list by its derived ref", async () => {
    await program.up({ list: shared([listed("a", {})]) });
    const [standing] = await there();
    const rule = single("a", { ref: standing?.ref, onExisting: "adopt" });
    expect(await failureOf(program.preview(both(shared([listed("a", {})]), rule)))).toMatch(twoOwners);
  });

  test("are refused when the list refers to the rule by its ID", async () => {
    await program.up({ rule: single("r") });
    const wanted = both(shared([listed("mine", { ref: await idOf("r") })]), single("r"));
    expect(await failureOf(program.preview(wanted))).toMatch(twoOwners);
  });

  test("a rule moves from one to the other: into a new list, and back", async () => {
    await program.up({ rule: single("r") });
    const id = await idOf("r");
    const run = await program.up({ list: shared([listed("r")], adopt) });
    expect(run.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(run.warnings).toEqual([]);
    expect(await idOf("r")).toBe(id);
    await program.settled({ list: shared([listed("r")], adopt) });
    const back = await program.up({ rule: single("r", adopt) });
    expect(back.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(await idOf("r")).toBe(id);
    expect(back.warnings).toEqual([]);
    await program.settled({ rule: single("r", adopt) });
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule moves from one to the other: into an existing list, and out of it", async () => {
    const start = both(shared([listed("a")]), single("r"));
    await program.up(start);
    const id = await idOf("r");
    const into = { list: shared([listed("a"), listed("r")], adopt) };
    expect((await program.preview(into)).requests).not.toMatch(/DELETE|POST|PATCH/);
    const run = await program.up(into);
    expect(run.requests).not.toMatch(/DELETE|POST/);
    expect(await idOf("r")).toBe(id);
    await program.settled(into);
    const out = both(shared([listed("a")]), single("r", adopt));
    await program.preview(out);
    const back = await program.up(out);
    expect(back.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(await idOf("r")).toBe(id);
    await program.settled(out);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  const enabledOf = async () => (await there()).map(({ ref, enabled }) => `${ref} ${String(enabled)}`).sort();

  test("a rule may change on its way into the list and out of it, and keeps its ID", async () => {
    await program.up(both(shared([listed("a")]), single("r")));
    const id = await idOf("r");
    const into = { list: shared([listed("a"), listed("r", { ref: "r", enabled: false })], adopt) };
    await program.preview(into);
    expect((await program.up(into)).requests).not.toMatch(/POST|DELETE/);
    expect(await enabledOf()).toEqual(["a true", "r false"]);
    expect(await idOf("r")).toBe(id);
    await program.settled(into);
    const out = both(shared([listed("a")]), single("r", { position: { before: "a" }, ...adopt }));
    const preview = await program.preview(out);
    expect(preview.notes.join("\n")).toMatch(/takes over the rule "r" .*enabled, position will change/);
    expect((await program.up(out)).requests).not.toMatch(/POST|DELETE/);
    expect(await enabledOf()).toEqual(["a true", "r true"]);
    expect(await idOf("r")).toBe(id);
    // The list learns of the rule that was changed after it.
    await program.refresh();
    await program.settled(out);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule that somebody edited is not changed on its way, in either direction, without adopt", async () => {
    await program.up(both(shared([listed("a"), listed("l")]), single("r")));
    const { id } = (await service.entrypoint(zoneId, phase)) ?? { id: "" };
    const edit = async (name: string) =>
      service.editRule(`zones/${zoneId}`, id, await idOf(name), content(`${name}, by hand`));
    for (const name of ["r", "l"]) await edit(name);
    const into = [listed("a"), listed("l"), listed("r", { ref: "r", enabled: false })];
    expect(await failureOf(program.preview({ list: shared(into) }))).toContain('onExisting: "adopt"');
    const out = both(shared([listed("a")]), single("l", { enabled: false }));
    expect(await failureOf(program.preview(out))).toMatch(/onExisting: "adopt"|was changed by somebody else/);
    const alone = { other: single("l", { enabled: false }) };
    expect(await failureOf(program.preview(alone))).toContain('onExisting: "adopt"');
  });

  test("a rule that somebody edited is not changed on its way into a new list either", async () => {
    await program.up({ rule: single("r") });
    const { id } = (await service.entrypoint(zoneId, phase)) ?? { id: "" };
    await service.editRule(`zones/${zoneId}`, id, await idOf("r"), content("r, by hand"));
    const into = { list: shared([listed("r", { ref: "r", enabled: false })]) };
    expect(await failureOf(program.preview(into))).toContain('onExisting: "adopt"');
    expect(await failureOf(program.up(into))).toContain('onExisting: "adopt"');
    expect((await there())[0]?.description).toBe("r, by hand");
  });

  test("a rule of another stack is not changed on its way without adopt", async () => {
    await occupy("x");
    await program.up(both(shared([listed("a")]), single("x")));
    const into = { list: shared([listed("a"), listed("x", { ref: "x", enabled: false })]) };
    expect(await failureOf(program.preview(into))).toContain('onExisting: "adopt"');
  });

  test("a rule that moved into the list belongs to the list, and is deleted with it", async () => {
    await program.up(both(shared([listed("a")]), single("r")));
    await program.up({ list: shared([listed("a"), listed("r")], adopt) });
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule that the list only adopted is not passed on as its own", async () => {
    await occupy("x");
    const first = { list: shared([listed("a"), listed("x")]) };
    expect((await program.up(first)).warnings.join("\n")).toContain("They may be somebody else's");
    const { warnings } = await program.up(both(shared([listed("a")]), single("x")));
    expect(warnings.join("\n")).toContain('takes over the rule "x"');
    await program.destroy();
    expect(await refs()).toBe("x");
  });

  test("a rule that the RulesetRule only adopted is not passed on to the list as its own", async () => {
    await occupy("x");
    await program.up(both(shared([listed("a")]), single("x")));
    await program.up({ list: shared([listed("a"), listed("x")]) });
    await program.destroy();
    expect(await refs()).toBe("x");
  });
});

describe("a limit on removals, where rules move within the program", () => {
  const limited = (rules: object[], more: object = {}) => shared(rules, { maxRemovedPercent: 0, ...more });
  const [a, b, c] = [listed("a"), listed("b"), listed("c")];
  const writes = /POST|PUT|PATCH|DELETE/;
  const other = (rules: object[]): Args => ({ ...shared(rules), maxRemovedPercent: 100 });

  test.each<[string, () => ProgramArgs, () => ProgramArgs]>([
    ["to a RulesetRule", () => ({ list: limited([a, b]) }), () => ({ rule: single("b", adopt), list: limited([a]) })],
    [
      "to a shared list",
      () => ({ list: limited([a, b]) }),
      () => ({ other: { ...other([c, b]), ...adopt }, list: limited([a]) }),
    ],
    [
      "between shared lists that exist",
      () => ({ other: other([c]), list: limited([a, b]) }),
      () => ({ other: { ...other([c, b]), ...adopt }, list: limited([a]) }),
    ],
    [
      "to a RulesetRule, from a list that is shared from now on",
      () => ({ list: limited([a, b], { ownership: "exclusive" }) }),
      () => ({ rule: single("b", adopt), list: limited([a]) }),
    ],
    [
      "to RulesetRules, all of them",
      () => ({ list: limited([a]) }),
      () => ({ rule: single("a", adopt), list: limited([]) }),
    ],
  ])("does not count a rule that moves %s, if that is checked first", async (_, before, next) => {
    const after = next();
    await program.up(before());
    const ids = new Map((await there()).map(({ ref, id }) => [ref, id]));
    const preview = await program.preview(after);
    expect(preview.notes.join("\n")).toMatch(
      /1 rule moves to another resource of this program, and is not deleted:\n {2}- block "[ab]" .*: urn:\S+::(rule|other)/,
    );
    expect(preview.warnings).toEqual([]);
    const run = await program.up(after);
    expect(run.requests).not.toMatch(/PUT|PATCH|DELETE/);
    for (const { ref, id } of await there()) if (ids.has(ref)) expect(id).toBe(ids.get(ref));
    expect((await there()).length).toBeGreaterThanOrEqual(ids.size);
    await program.refresh();
    await program.settled(after);
  });

  test.each<[string, () => ProgramArgs]>([
    ["a RulesetRule", () => ({ list: limited([a]), rule: single("b") })],
    ["a shared list", () => ({ list: limited([a]), other: other([b]) })],
  ])("counts it if %s is checked later, and says how to go on", async (_, next) => {
    const after = next();
    await program.up({ list: limited([a, b]) });
    for (const run of ["preview", "up"] as const) {
      const text = await failureOf(program[run](after));
      expect(text).toContain("this change removes 1 of 2 rules, 50 percent");
      expect(text).toContain("add that resource to `dependsOn` of this one");
    }
    expect(await refs()).toBe("a b");
  });

  test("counts the other rules, and shows where the moved one went", async () => {
    await program.up({ list: limited([a, b, c]) });
    const text = await failureOf(program.preview({ rule: single("b"), list: limited([a]) }));
    expect(text).toContain("removes 1 of 3 rules");
    expect(text).toMatch(
      /\n {2}- block "c" .*\n1 rule moves to another resource .*\n {2}- block "b" .*RulesetRule::rule\n/,
    );
  });

  test("counts a rule with the same ref in another ruleset", async () => {
    await program.up({ list: limited([a, b]) });
    const elsewhere = { ...single("b"), phase: "http_ratelimit", action: "log" };
    const text = await failureOf(program.preview({ rule: elsewhere, list: limited([a]) }));
    expect(text).toContain("removes 1 of 2 rules");
  });

  test("does not count what stays behind in a replacement, because other resources have it", async () => {
    await program.up({ list: limited([a, b]) });
    const moved = (rules: object[]) => limited(rules, { phase: "http_request_firewall_managed" });
    expect(await failureOf(program.preview({ rule: single("a"), list: moved([]) }))).toContain("removes 1 of 2 rules");
    const after = { rule: single("a"), more: single("b"), list: moved([]) };
    expect((await program.preview(after)).actions.list).toBe("replace");
    expect((await program.up(after)).requests).not.toMatch(/PATCH|DELETE/);
    expect(await refs()).toBe("a b");
  });

  test("does not count what a whole list leaves to RulesetRules when it is replaced", async () => {
    const whole = (place: string, rules: object[]) => limited(rules, { ownership: "exclusive", phase: place });
    await program.up({ list: whole(phase, [a, b]) });
    const after = { rule: single("a"), more: single("b"), list: whole("http_request_firewall_managed", []) };
    await program.up(after);
    expect(await refs()).toBe("a b");
  });

  test("never counts a rule that moves into a list", async () => {
    await program.up({ rule: single("b"), list: limited([a]) });
    const preview = await program.preview({ list: limited([a, b]) });
    expect(preview.requests).not.toMatch(writes);
    expect((await program.up({ list: limited([a, b]) })).requests).not.toMatch(/POST|DELETE/);
  });
});

describe("a rule that its new resource changes before the old one is checked", () => {
  const changed = { enabled: false, ...adopt };
  const off = { ref: "r", enabled: false };
  test.each<[string, () => ProgramArgs, () => ProgramArgs]>([
    [
      "from a list to a RulesetRule",
      () => ({ list: shared([listed("a"), listed("r")]) }),
      () => ({ rule: single("r", changed), list: shared([listed("a")]) }),
    ],
    [
      "from a list that is removed",
      () => ({ list: shared([listed("a"), listed("r")]), other: single("b") }),
      () => ({ rule: single("r", changed), other: single("b") }),
    ],
    [
      "from a list to another",
      () => ({ two: shared([listed("b")]), list: shared([listed("a"), listed("r")]) }),
      () => ({ two: shared([listed("b"), listed("r", off)], adopt), list: shared([listed("a")]) }),
    ],
    [
      "from a RulesetRule to a list",
      () => ({ list: shared([listed("a")]), rule: single("r") }),
      () => ({ list: shared([listed("a"), listed("r", off)], adopt) }),
    ],
  ])("is taken over on request: %s", async (_, before, after) => {
    await program.up(before());
    const id = await idOf("r");
    const preview = await program.preview(after());
    expect(preview.warnings).toEqual([]);
    const { requests } = await program.upInTurn(after());
    expect(requests).not.toMatch(/POST|PUT/);
    expect((await there()).find(({ ref }) => ref === "r")).toMatchObject({ id, enabled: false });
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("is warned about if the old resource is checked first and may delete it", async () => {
    await program.up({ list: shared([listed("a"), listed("r"), listed("s")]) });
    const after = { list: shared([listed("a"), listed("s")]), rule: single("r") };
    expect((await program.preview(after)).warnings.join("\n")).toMatch(
      /the rule "r" \(.*\) moves here from urn:\S+::list, which was checked first and may delete it[^]*`dependsOn`/,
    );
    expect((await program.preview({ rule: single("r", adopt), list: after.list })).warnings).toEqual([]);
    // So it is in an `up` where the rule depends on the list.
    const { requests } = await program.upInTurn(after);
    expect(requests).toMatch(/DELETE.*POST/);
    expect((await refs()).split(" ").sort()).toEqual(["a", "r", "s"]);
  });

  test("counts as a rule of others in the order of rules", async () => {
    await program.up({ list: shared([listed("a"), listed("r")]) });
    const { notes } = await program.preview({ rule: single("r"), list: shared([listed("a")]) });
    expect(notes.join("\n")).toContain(`1 "a" (yours), 2 other`);
  });
});

test("a rule may change on its way from one shared list to another", async () => {
  const lists = (one: object[], two: object[]): ProgramArgs => ({ one: shared(one), two: shared(two) });
  await program.up(lists([listed("a"), listed("r")], [listed("b")]));
  const id = await idOf("r");
  const after = lists([listed("a")], [listed("b"), listed("r", { ref: "r", enabled: false })]);
  await program.preview(after);
  expect((await program.up(after)).requests).not.toMatch(/POST|DELETE/);
  expect((await there()).find(({ ref }) => ref === "r")).toMatchObject({ id, enabled: false });
  await program.refresh();
  await program.settled(after);
  const both = lists([listed("a"), listed("r")], [listed("b"), listed("r", { ref: "r", enabled: false })]);
  expect(await failureOf(program.preview(both))).toMatch(/with a ref of this program|give each rule its own ref/);
});

test("a rule stays when a RulesetRule claims it while its list is being written", async () => {
  const list = new ManagedRuleset("PhaseEntrypoint", service, "urn:list");
  const { kind: _kind, ...before } = shared([listed("a"), listed("r")]);
  await list.up(before);
  const id = await idOf("r");
  const run = list.start();
  const rule = { ...single("r"), __urn: "urn:rule" };
  const { rulesets } = run.session.client;
  const addRule = rulesets.addRule.bind(rulesets) as (...args: readonly unknown[]) => Promise<unknown>;
  // The engine passes the rule on while the list is already being written.
  rulesets.addRule = (async (...args: readonly unknown[]) => {
    await run.check("RulesetRule", {}, rule);
    return addRule(...args);
  }) as typeof rulesets.addRule;
  await service.forget();
  await list.apply({ ...before, rules: [listed("a"), listed("b")] });
  expect(await service.requests()).not.toContainEqual(expect.stringContaining("DELETE"));
  expect(await idOf("r")).toBe(id);
});

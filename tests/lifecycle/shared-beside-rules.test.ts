import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { ManagedRuleset, startService } from "./harness.js";
import { RulesProgram, type ProgramArgs } from "./rules-program.js";

const phase = "http_request_firewall_custom";
let emulator: Emulator;
let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  const started = await startService();
  ({ emulator, service } = started);
  ({ zoneId } = started.ids);
  program = new RulesProgram(service);
});
afterEach(() => emulator.close());

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
const there = async () => (await service.entrypoint(zoneId, phase))?.rules ?? [];
const refs = async (): Promise<string> => (await there()).map(({ ref }) => ref).join(" ");
const idOf = async (description: string): Promise<string> =>
  (await there()).find((rule) => rule.description === description)?.id ?? "";
const occupy = (...names: string[]) =>
  service.create(`zones/${zoneId}`, { name: "theirs", kind: "zone", phase, rules: names.map((name) => listed(name)) });
const failureOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "it did not fail",
    (error: unknown) => (error as Error).message,
  );

type Args = ProgramArgs[string];
/** Both orders in which a program can declare a list and a rule. */
const ORDERS = [
  ["list first", (list: Args, rule: Args): ProgramArgs => ({ list, rule })],
  ["rule first", (list: Args, rule: Args): ProgramArgs => ({ rule, list })],
] as const;

describe.each(ORDERS)("a shared entry point and a RulesetRule of one program, %s", (_, both) => {
  const twoOwners =
    /rule .* in http_request_firewall_custom of zone .* has two owners in this program: |is also the ref of a rule of \S+, which shares/;

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
    const run = await program.up({ list: shared([listed("r")]) });
    expect(run.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(run.warnings).toEqual([]);
    expect(await idOf("r")).toBe(id);
    await program.settled({ list: shared([listed("r")]) });
    const back = await program.up({ rule: single("r") });
    expect(back.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(await idOf("r")).toBe(id);
    expect(back.warnings).toEqual([]);
    await program.settled({ rule: single("r") });
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule moves from one to the other: into an existing list, and out of it", async () => {
    const start = both(shared([listed("a")]), single("r"));
    await program.up(start);
    const id = await idOf("r");
    const into = { list: shared([listed("a"), listed("r")]) };
    expect((await program.preview(into)).requests).not.toMatch(/DELETE|POST|PATCH/);
    const run = await program.up(into);
    expect(run.requests).not.toMatch(/DELETE|POST/);
    expect(await idOf("r")).toBe(id);
    await program.settled(into);
    const out = both(shared([listed("a")]), single("r"));
    await program.preview(out);
    const back = await program.up(out);
    expect(back.requests).not.toMatch(/DELETE|POST|PATCH/);
    expect(await idOf("r")).toBe(id);
    await program.settled(out);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule that changes on its way into the list is refused at preview, and moves with adopt", async () => {
    await program.up(both(shared([listed("a")]), single("r")));
    const id = await idOf("r");
    const changed = [listed("a"), listed("r", { ref: "r", enabled: false })];
    expect(await failureOf(program.preview({ list: shared(changed) }))).toContain('onExisting: "adopt"');
    const into = { list: shared(changed, { onExisting: "adopt" }) };
    await program.up(into);
    expect((await there()).map((rule) => [rule.ref, rule.enabled])).toContainEqual(["r", false]);
    expect(await idOf("r")).toBe(id);
    await program.settled(into);
    await program.destroy();
    expect(await refs()).toBe("");
  });

  test("a rule that moved into the list belongs to the list, and is deleted with it", async () => {
    await program.up(both(shared([listed("a")]), single("r")));
    await program.up({ list: shared([listed("a"), listed("r")]) });
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

import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules, phase } from "./declared-rules.js";
import { type ProgramArgs, type RulesProgram, startRulesProgram } from "./rules-program.js";

/* Deletes of old resources and old objects, while other resources of the run fail: only what the program declares stays. */

let service: Service;
let zoneId: string;
let program: RulesProgram;
/** Changes of a resource that replace it. */
let elsewhere: { readonly zoneId: string };
let account: { readonly accountId: string; readonly zoneId: undefined };
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
  account = { accountId: await service.account(), zoneId: undefined };
  elsewhere = { zoneId: await service.zone("business") };
});

const { listed, single, list, refs } = declaredRules(() => ({ service, zoneId }));
const isEmptyElsewhere = async () =>
  ((await service.entrypoint(elsewhere.zoneId, phase)) ?? { rules: [] }).rules.length === 0;

const unnamed = (name: string) => {
  const { ref: _ref, ...rule } = listed(name);
  return rule;
};

test("a resource is deleted although another one failed that declares none of its rules", async () => {
  await program.up({ one: list(["r"]), two: list(["b"]) });
  const text = await failureOf(program.up({ two: list(["b", "c"]) }, { unstarted: ["two"], continueOnError: true }));
  expect(text).toBe("two was not started");
  expect(await refs()).toEqual(["b"]);
});

describe("a resource that gets another name and new refs, while the create under that name fails", () => {
  test.each<[string, () => ProgramArgs[string], () => ProgramArgs[string]]>([
    ["a RulesetRule", () => single("r"), () => single("s")],
    ["a list", () => list(["r"]), () => list(["s"])],
    ["a list that becomes a RulesetRule", () => list(["r"]), () => single("s")],
  ])("keeps its rules until a run has created it: %s", async (_, before, after) => {
    await program.up({ one: before() });
    await service.fault({ method: "POST", path: "/rules$", status: 403 });
    const text = await failureOf(program.up({ two: after() }, { continueOnError: true }));
    expect(text).toMatch(/nothing was deleted, because this run could not create urn:.*::two in the same ruleset/);
    expect([await refs(), [...program.kept.keys()]]).toEqual([["r"], ["one"]]);
    await program.up({ two: after() });
    expect([await refs(), [...program.kept.keys()]]).toEqual([["s"], ["two"]]);
    await program.refresh();
    await program.settled({ two: after() });
  });
});

test("a custom ruleset of a resource that gets another name is kept if that create fails", async () => {
  const custom = (name: string) => {
    const { kind: _kind, ...rest } = list([name]);
    return { ...rest, kind: "Ruleset", rulesetKind: "custom", name: "own", ownership: "exclusive", ...account };
  };
  await program.up({ one: custom("r") });
  await service.fault({ method: "POST", path: "/rulesets$", status: 403 });
  const text = await failureOf(program.up({ two: custom("s") }, { continueOnError: true }));
  expect(text).toContain("nothing was deleted");
  expect([...program.kept.keys()]).toEqual(["one"]);
});

test("a rule that another resource declares twice over is deleted once that one has it under another ref", async () => {
  await program.up({ one: list([unnamed("r")]), two: list(["r"]) });
  await program.up({ two: list(["r"]) });
  expect(await refs()).toEqual(["r"]);
  await program.refresh();
  await program.settled({ two: list(["r"]) });
});

test("an old object is deleted although its resource was to come back, and was not written", async () => {
  await program.up({ one: list(["a"]), two: list(["r"]) });
  await failureOf(program.up({ one: list(["a", "r"]), two: list(["b"], elsewhere) }, { unstarted: ["one"] }));
  const back = { one: list(["a"]), two: list(["b"]) };
  await failureOf(program.up(back, { unstarted: ["two"], continueOnError: true }));
  await program.up(back);
  expect(await refs()).toEqual(["a", "b"]);
  expect(await isEmptyElsewhere()).toBe(true);
  await program.refresh();
  await program.settled(back);
});

describe("a list that is back in a zone before its old object there was deleted", () => {
  const away = (more: object = {}) => ({ one: list(["r"], { ...elsewhere, ...more }) });
  const home = () => ({ one: list(["a"]), two: list(["b"]) });
  beforeEach(async () => {
    await program.up(away());
    await failureOf(program.up(home(), { unstarted: ["two"] }));
  });

  test("has only taken over the rules there: the delete of that object leaves and names them, also in a later run", async () => {
    expect((await program.up(away())).warnings.join("\n")).toMatch(/They may be somebody else's.*\n.*\[ref r,/);
    await failureOf(program.up(home(), { unstarted: ["two"] }));
    expect((await program.up(home())).warnings.join("\n")).toMatch(/a rule is kept, because .*\n.*\[ref r,/);
    await program.destroy();
    expect(await isEmptyElsewhere()).toBe(false);
  });

  test("deletes them once it adopts them", async () => {
    await program.up(away());
    await program.up(away({ onExisting: "adopt" }));
    expect((await program.up(home())).warnings).toEqual([]);
    expect(await isEmptyElsewhere()).toBe(true);
  });
});

import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type ProgramArgs } from "./rules-program.js";

/*
 * After a run that was stopped halfway, or with `--target`, two resources of the stack can own the same rule. A run that checks
 * both before it writes leaves it to the one that declares it.
 */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { single, list, refs, idOf } = declaredRules(
  () => ({ service, zoneId }),
  () => ({}),
);

const adopt = { onExisting: "adopt" };

/** Programs before and after a move of the rule "r" from "one" to "two". */
const MOVES: readonly (readonly [string, () => ProgramArgs, () => ProgramArgs])[] = [
  [
    "a list and a new list",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"]), two: list(["b", "r"], adopt) }),
  ],
  [
    "two lists",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"]), two: list(["b", "r"], adopt) }),
  ],
  [
    "a list and a RulesetRule",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"]), two: single("r", adopt) }),
  ],
  [
    "a RulesetRule and a list",
    () => ({ one: single("r"), two: list(["b"]) }),
    () => ({ two: list(["b", "r"], adopt) }),
  ],
];

describe.each(MOVES)("a rule that %s own, after an `up --target` of its new owner", (_, before, after) => {
  let id: string | undefined;
  beforeEach(async () => {
    await program.up(before());
    id = await idOf("r");
    await program.up(after(), { targets: ["two"] });
  });

  test("survives `up --target` of both, and of the removal of its old owner", async () => {
    await program.up(after(), { targets: ["one", "two"] });
    expect(await idOf("r")).toBe(id);
    const { one: _one, ...rest } = after();
    await program.up(rest, { targets: ["one", "two"] });
    expect(await idOf("r")).toBe(id);
    await program.up(rest);
    expect(await idOf("r")).toBe(id);
    await program.refresh();
    await program.settled(rest);
  });

  test("is deleted by `destroy --target` of its old owner; a refresh shows it, and the next run repairs it", async () => {
    await program.destroy({ targets: ["one"] });
    expect(await idOf("r")).toBeUndefined();
    await program.refresh();
    await program.up(after());
    expect(await refs()).toContain("r");
    await program.refresh();
    await program.settled(after());
  });

  test("is deleted by a `destroy` of both, in any order", async () => {
    await program.destroy({ targets: ["two"] });
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("is deleted by one `destroy`", async () => {
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("has one owner after the next run", async () => {
    await program.up(after());
    expect(await idOf("r")).toBe(id);
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

describe("a rule that two resources have, and whose old owner is written before its new one is checked", () => {
  test.each<[string, () => ProgramArgs[string]]>([
    ["a RulesetRule", () => single("r", adopt)],
    ["a list", () => list(["r"], adopt)],
    ["a list that took it over as equal", () => list(["r"])],
  ])("is named by that run, and created again after a refresh: %s", async (_, owner) => {
    const after = () => ({ one: list(["a"]), two: owner() });
    await program.up({ one: list(["a", "r"]) });
    const id = await idOf("r");
    await program.up(after(), { targets: ["two"] });
    const text = await failureOf(program.upInTurn(after()));
    expect(text).toMatch(/were deleted earlier in this run by another one,.*\n {2}- "r" \(.*\), by urn:.*::one\n/);
    expect(text).toContain(`(${id ?? ""})`);
    await program.refresh();
    await program.up(after());
    expect(await refs()).toEqual(["a", "r"]);
    await program.refresh();
    await program.settled(after());
  });
});

describe("an exclusive list that was to become single rules", () => {
  const before = () => ({ one: list(["a", "r"], { ownership: "exclusive" }) });
  const rules = () => ({ a: single("a"), r: single("r") });
  test.each(["empty", "delete"])("leaves the rule that one of them has, with onDelete %s", async (onDelete) => {
    await program.up({ one: { ...before().one, onDelete } });
    const id = await idOf("r");
    await program.up(rules(), { targets: ["r"] });
    await program.up({ r: rules().r }, { targets: ["one", "r"] });
    expect(await idOf("r")).toBe(id);
    await program.up(rules());
    expect(await idOf("r")).toBe(id);
  });
});

describe("an exclusive list that is removed while single rules share its entry point", () => {
  test("leaves them their rules, and nothing without an owner", async () => {
    await program.up({ one: list(["a", "r"], { ownership: "exclusive" }) });
    const id = await idOf("r");
    await program.up({ r: single("r") });
    expect([await refs(), await idOf("r")]).toEqual([["r"], id]);
    await program.refresh();
    await program.settled({ r: single("r") });
  });

  test("stops at the limit on removals, if some have no other owner", async () => {
    const limit = { maxRemovedPercent: 0 };
    await program.up({ one: list(["a", "r"], { ownership: "exclusive", ...limit }) });
    expect(await failureOf(program.up({ r: single("r") }))).toContain("this delete removes 1 of 2 rules");
    const elsewhere = { ...limit, ownership: "exclusive", zoneId: await service.zone("business") };
    const text = await failureOf(program.preview({ r: single("r"), one: list(["a", "r"], elsewhere) }));
    expect(text).toContain("this replacement removes 1 of 2 rules");
    expect(await refs()).toEqual(["a", "r"]);
  });
});

describe("a removed resource whose rules a new one has taken over in an earlier run", () => {
  const whole = { ownership: "exclusive" };
  test.each<[string, () => ProgramArgs[string], () => ProgramArgs[string]]>([
    ["a list, and a list", () => list(["r"]), () => list(["r"])],
    ["a list, and a RulesetRule", () => list(["r"]), () => single("r")],
    ["a RulesetRule, and a list", () => single("r"), () => list(["r"])],
    ["an exclusive list, and an exclusive list", () => list(["r"], whole), () => list(["r"], whole)],
    ["a RulesetRule, and an exclusive list", () => single("r"), () => list(["r"], whole)],
  ])("is deleted, and leaves them: %s", async (_, before, after) => {
    await program.up({ one: before() });
    const id = await idOf("r");
    await program.up({ two: after() }, { targets: ["two"] });
    await program.up({ two: after() });
    expect([[...program.kept.keys()], await idOf("r")]).toEqual([["two"], id]);
  });
});

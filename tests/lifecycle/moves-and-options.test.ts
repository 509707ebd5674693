import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";

/* Rules that move between the resources of a program, under every resource option and option of a run that matters to it. */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { listed, single, list, there, refs, ruleOf, idOf } = declaredRules(
  () => ({ service, zoneId }),
  () => ({}),
);
const off = { enabled: false };
/** What a rule that changes needs if its old resource is checked later, or not at all. */
const adopt = { onExisting: "adopt" };

/** Programs before and after a move of the rule "r" from "one" to "two", changed on the way. */
const MOVES: readonly (readonly [string, () => ProgramArgs, () => ProgramArgs])[] = [
  [
    "between lists",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"]), two: list(["b", listed("r", off)], adopt) }),
  ],
  [
    "to a new list",
    () => ({ one: list(["a", "r"]) }),
    () => ({ two: list([listed("r", off)], adopt), one: list(["a"]) }),
  ],
  [
    "from a list to a RulesetRule",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"]), two: single("r", { ...off, ...adopt }) }),
  ],
  [
    "from a RulesetRule to a list",
    () => ({ one: single("r"), two: list(["b"]) }),
    () => ({ one: single("s"), two: list(["b", listed("r", off)], adopt) }),
  ],
];

/** Expects that the rule has moved and changed, that nothing is left to do, and that it is deleted with the program. */
async function expectMoved(id: string | undefined, after: ProgramArgs, options: CourseOptions = {}): Promise<void> {
  expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
  await program.refresh();
  const { actions, requests } = await program.up(after, options);
  expect([new Set(Object.values(actions)), requests]).toEqual([new Set(["none"]), ""]);
  await program.destroy();
  expect(await refs()).toEqual([]);
}

describe.each(MOVES)("a rule that moves %s", (_, before, after) => {
  let id: string | undefined;
  beforeEach(async () => {
    await program.up(before());
    id = await idOf("r");
  });

  test.each([
    ["one", "uno"],
    ["two", "dos"],
  ])("keeps its ID while %s gets another name, by `aliases`", async (old, name) => {
    const renamed = Object.fromEntries(Object.entries(after()).map(([key, args]) => [key === old ? name : key, args]));
    const options = { aliases: { [name]: old } };
    await program.preview(renamed, options);
    await program.up(renamed, options);
    await expectMoved(id, renamed);
  });

  test("keeps its ID while both get other names, without `aliases`", async () => {
    const { one = {}, two = {} } = after();
    const renamed = { uno: { ...one, ...adopt }, dos: two };
    await program.up(renamed);
    await expectMoved(id, renamed);
  });

  test.each(["one", "two"])("keeps its ID with `deleteBeforeReplace`, while %s is replaced", async (name) => {
    const options = { replaces: before()[name] === undefined ? [] : [name], deleteFirst: ["one", "two"] };
    await program.up(after(), options);
    await expectMoved(id, after());
  });

  test("moves in the run after one with `deleteBeforeReplace` that did not write its new owner", async () => {
    const options = { replaces: ["one"], deleteFirst: ["one"] };
    await failureOf(program.up(after(), { ...options, unstarted: ["two"] }));
    expect(await idOf("r")).toBe(id);
    await program.up(after());
    await expectMoved(id, after());
  });

  test("keeps its ID while its old resource is removed with `retainOnDelete`", async () => {
    const { two = {} } = after();
    await program.up({ two }, { retained: ["one"] });
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
    await program.refresh();
    await program.settled({ two });
    await program.destroy();
    expect(await refs()).not.toContain("r");
  });

  test("belongs to its new owner while `protect` keeps its old resource from being removed", async () => {
    const { two = {} } = after();
    for (let run = 0; run < 2; run += 1) {
      expect(await failureOf(program.up({ two }, { protected: ["one"] }))).toBe("one is protected");
      expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
      await program.refresh();
    }
    await program.up({ two });
    await expectMoved(id, { two });
  });

  test.each([[["two"]], [["one", "two"]]])(
    "moves in a run with `--target` %s, and in the next one",
    async (targets) => {
      await program.up(after(), { targets });
      // The old resource does not know that it was the new one that has changed the rule.
      await program.refresh();
      await program.up(after());
      await expectMoved(id, after());
    },
  );

  test("may have an expression that is not known at preview", async () => {
    const pending = (args: ProgramArgs): ProgramArgs =>
      Object.fromEntries(
        Object.entries(args).map(([name, each]) => {
          const { rules, ref } = each as { rules?: readonly { ref: string }[]; ref?: string };
          const hide = <T extends { ref?: string }>(rule: T): T =>
            rule.ref === "r" ? { ...rule, expression: UNKNOWN } : rule;
          if (rules !== undefined) return [name, { ...each, rules: rules.map(hide) }];
          return [name, ref === undefined ? each : hide({ ...each, ref })];
        }),
      );
    await program.preview(pending(after()));
    expect(await idOf("r")).toBe(id);
    await program.up(after());
    await expectMoved(id, after());
  });
});

test("a rule that the program drops is deleted while its list is replaced with `deleteBeforeReplace`", async () => {
  await program.up({ one: list(["a", "r"]), two: list(["b"]) });
  const id = await idOf("a");
  const after = { one: list(["a", "c"]), two: list(["b"]) };
  await program.up(after, { replaces: ["one"], deleteFirst: ["one"] });
  expect([await refs(), await idOf("a")]).toEqual([["a", "b", "c"], id]);
  await program.refresh();
  await program.settled(after);
});

test("the limit on removals holds for a renamed resource whose old name another one has now", async () => {
  const limited = { maxRemovedPercent: 50 };
  await program.up({ one: list(["a", "b"], limited) });
  const renamed = await program.up({ two: list(["a", "b"], limited) }, { aliases: { two: "one" } });
  expect(renamed).toMatchObject({ actions: { two: "update" }, requests: "" });
  expect(await failureOf(program.up({ one: list(["c"], limited) }))).toContain("removes 2 of 3 rules");
  expect(await refs()).toEqual(["a", "b", "c"]);
});

describe("with `ignoreChanges`", () => {
  beforeEach(() => program.up({ one: list(["a", "r"]), two: list(["b"]) }));

  test("on the rules of the old list, both declare the rule, and the preview says so", async () => {
    const after = { one: list(["a"]), two: list(["b", "r"]) };
    const options = { ignored: { one: ["rules"] } };
    const before = await there();
    for (const run of ["preview", "up"] as const)
      expect(await failureOf(program[run](after, options))).toMatch(/rule "r" in .* has two owners in this program/);
    expect(await there()).toEqual(before);
  });

  test("on the rules of the new list, nobody declares the rule, and the preview names it", async () => {
    const after = { one: list(["a"], { maxRemovedPercent: 0 }), two: list(["b", "r"]) };
    const text = await failureOf(program.preview(after, { ignored: { two: ["rules"] } }));
    expect(text).toContain("this change removes 1 of 3 rules");
    expect(text).toContain('http.host eq "r"');
  });

  test("on an argument of the new RulesetRule, what the rule is there changes when it moves, and never again", async () => {
    const id = await idOf("r");
    const after = (enabled: boolean) => ({ one: list(["a"]), two: list(["b"]), rule: single("r", { enabled }) });
    const options = { ignored: { rule: ["enabled"] } };
    await program.up(after(false), options);
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
    await program.up(after(true), options);
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
  });
});

describe("to another stack", () => {
  let other: RulesProgram;
  beforeEach(() => {
    other = new RulesProgram(service, "prod");
  });

  test("a rule that the other stack declares differently is refused there, and stays", async () => {
    await program.up({ one: list(["a", "r"]) });
    const before = await there();
    for (const two of [list([listed("r", off)]), single("r", off)]) {
      const text = await failureOf(other.up({ two }));
      expect(text).toContain("block [ref r, ID ");
      expect(text).not.toContain("of this stack");
      expect(await there()).toEqual(before);
    }
  });

  test("an equal rule is only taken over there: deleting it there leaves it", async () => {
    await program.up({ one: list(["a", "r"]) });
    const before = await there();
    expect((await other.up({ two: single("r"), three: list([]) })).warnings.join()).toContain("somebody else");
    await other.destroy();
    expect(await there()).toEqual(before);
  });

  test.each<[string, () => ProgramArgs]>([
    ["a list", () => ({ two: list(["b", listed("r", off)], { onExisting: "adopt" }) })],
    ["a RulesetRule", () => ({ two: single("r", { ...off, onExisting: "adopt" }) })],
  ])('moves by way of a RulesetRule with onDelete "keep", to %s', async (_, after) => {
    await program.up({ one: list(["a", "r"]) });
    const id = await idOf("r");
    await program.up({ one: list(["a"]), rule: single("r", { onDelete: "keep" }) });
    await program.up({ one: list(["a"]) });
    expect(await idOf("r")).toBe(id);
    await other.up(after());
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
    await other.refresh();
    await other.settled(after());
    await program.refresh();
    await program.settled({ one: list(["a"]) });
    await other.destroy();
    expect(await refs()).toEqual(["a"]);
  });
});

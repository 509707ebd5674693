import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules, phase } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";

/*
 * The new owner of rules fails, and the engine deletes their old one nevertheless: with `--continue-on-error`, or in a later
 * run because the old one was replaced. The rules stay in force, and the stack keeps them until somebody has them.
 */

let emulator: Emulator;
let service: Service;
let zoneId: string;
let program: RulesProgram;
/** Changes of a resource that replace it. */
let elsewhere: { readonly zoneId: string };
beforeEach(async () => {
  ({ emulator, service, zoneId, program } = await startRulesProgram());
  elsewhere = { zoneId: await service.zone("business") };
});
afterEach(() => emulator.close());

const { listed, single, list, there, refs, ruleOf } = declaredRules(() => ({ service, zoneId }));
const off = { enabled: false };
const waits = "nothing was deleted, because rules move to resources of this program";
const isEmptyElsewhere = async () =>
  ((await service.entrypoint(elsewhere.zoneId, phase)) ?? { rules: [] }).rules.length === 0;

/** Programs before and after a move of the rule "r" from "one", which is replaced, and then without the rule. */
const REPLACED: readonly (readonly [string, () => ProgramArgs, () => ProgramArgs, () => ProgramArgs])[] = [
  [
    "a list, to another list",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"], elsewhere), two: list(["b", listed("r", off)]) }),
    () => ({ one: list(["a"], elsewhere), two: list(["b"]) }),
  ],
  [
    "a list, to another list that is checked first",
    () => ({ two: list(["b"]), one: list(["a", "r"]) }),
    () => ({ two: list(["b", listed("r", off)]), one: list(["a"], elsewhere) }),
    () => ({ two: list(["b"]), one: list(["a"], elsewhere) }),
  ],
  [
    "a list, to a new list",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"], elsewhere), two: list([listed("r", off)]) }),
    () => ({ one: list(["a"], elsewhere) }),
  ],
  [
    "a list, to a RulesetRule",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"], elsewhere), two: single("r", off) }),
    () => ({ one: list(["a"], elsewhere) }),
  ],
  [
    "a RulesetRule, to a list",
    () => ({ one: single("r"), two: list(["b"]) }),
    () => ({ one: single("s", elsewhere), two: list(["b", listed("r", off)]) }),
    () => ({ one: single("s", elsewhere), two: list(["b"]) }),
  ],
  [
    "a RulesetRule that only gets another ref, to a list",
    () => ({ one: single("r"), two: list(["b"]) }),
    () => ({ one: single("s"), two: list(["b", listed("r", off)]) }),
    () => ({ one: single("s"), two: list(["b"]) }),
  ],
  [
    "an exclusive list, to a RulesetRule",
    () => ({ one: list(["r"], { ownership: "exclusive" }) }),
    () => ({ one: list(["a"], { ownership: "exclusive", ...elsewhere }), two: single("r", off) }),
    () => ({ one: list(["a"], { ownership: "exclusive", ...elsewhere }) }),
  ],
];

describe.each(REPLACED)(
  "a rule of %s, while its resource is replaced and the new owner fails",
  (_, before, after, without) => {
    let id: string | undefined;
    const interrupt = async (options: CourseOptions): Promise<void> => {
      await program.up(before());
      id = (await ruleOf("r"))?.id;
      await failureOf(program.up(after(), { unstarted: ["two"], ...options }));
      expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
    };

    const expectMoved = async (): Promise<void> => {
      expect((await program.up(after())).warnings).toEqual([]);
      expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
      await program.refresh();
      await program.settled(after());
      await program.destroy();
      expect(await refs()).toEqual([]);
    };

    describe.each<CourseOptions>([{}, { continueOnError: true }, { replaces: ["one"] }])("with %j", (options) => {
      beforeEach(() => interrupt(options));

      test("belongs to its new owner after the next run", async () => {
        await expectMoved();
        expect(await isEmptyElsewhere()).toBe(true);
      });

      test("is deleted by the next run if the program drops it", async () => {
        await program.up(without());
        expect(await ruleOf("r")).toBeUndefined();
        await program.refresh();
        await program.settled(without());
      });

      test("is deleted by a destroy", async () => {
        await program.destroy();
        expect(await refs()).toEqual([]);
        expect(await isEmptyElsewhere()).toBe(true);
      });
    });

    test.each<CourseOptions>([{ deleteFirst: ["one"] }, { deleteFirst: ["one"], replaces: ["one"] }])(
      "belongs to its new owner after the next run, and is named in a warning, with %j",
      async (options) => {
        await interrupt(options);
        const named = program.messages.warnings.filter((text) => text.includes(`"r" (${id ?? ""})`));
        // In the same ruleset, the rule is deleted with its old resource at the latest.
        expect(named).toHaveLength(after().one?.zoneId === zoneId ? 0 : 1);
        await expectMoved();
      },
    );
  },
);

const unnamed = (name: string) => {
  const { ref: _ref, ...rule } = listed(name);
  return rule;
};
const whole = { ownership: "exclusive" };
const unnamedSingle = (name: string) => {
  const { ref: _ref, ...rule } = single(name);
  return rule;
};

/** Programs before and after the rules of "one", the only ones, get another owner, "two". */
const RENAMED: readonly (readonly [string, () => ProgramArgs, () => ProgramArgs])[] = [
  ["a shared list with refs", () => ({ one: list(["a", "r"]) }), () => ({ two: list(["a", "r"]) })],
  [
    "a shared list without refs",
    () => ({ one: list([unnamed("a"), unnamed("r")]) }),
    () => ({ two: list([unnamed("a"), unnamed("r")]) }),
  ],
  ["a RulesetRule with a ref", () => ({ one: single("r") }), () => ({ two: single("r") })],
  ["a RulesetRule without a ref", () => ({ one: unnamedSingle("r") }), () => ({ two: unnamedSingle("r") })],
  ["a whole list", () => ({ one: list(["a", "r"], whole) }), () => ({ two: list(["a", "r"], whole) })],
  [
    "a whole list that changes",
    () => ({ one: list(["a", "r"], whole) }),
    () => ({ two: list(["a", "r", "s"], whole) }),
  ],
  ["a shared list that becomes a whole one", () => ({ one: list(["r"]) }), () => ({ two: list(["r"], whole) })],
  [
    "a RulesetRule that becomes a whole list",
    () => ({ one: single("r") }),
    () => ({ two: list(["r"], { ...whole, onExisting: "adopt" }) }),
  ],
  [
    "a RulesetRule without a ref that becomes one of a list",
    () => ({ one: unnamedSingle("r") }),
    () => ({ two: list([unnamed("r")]) }),
  ],
];

describe.each(RENAMED)("%s that gets another name, without `aliases`, and is not created", (_, before, after) => {
  const texts = async () => (await there()).map(({ description }) => description).sort();
  beforeEach(async () => {
    await program.up(before());
    const rules = await there();
    const text = await failureOf(program.up(after(), { unstarted: ["two"], continueOnError: true }));
    expect(text).toContain(waits);
    expect(text).toContain("::two");
    expect(await there()).toEqual(rules);
    expect([...program.kept.keys()]).toEqual(["one"]);
  });

  test("is created by the next run, and deleted with it", async () => {
    const declared = JSON.stringify(after())
      .match(/"description":"\w"/g)
      ?.map((each) => each.slice(-2, -1));
    expect((await program.up(after())).warnings).toEqual([]);
    expect(await texts()).toEqual(declared?.sort());
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("is deleted by the next run if the program drops it", async () => {
    const others = { other: single("z", elsewhere) };
    await program.up(others);
    expect(await refs()).toEqual([]);
    await program.settled(others);
  });
});

test("a resource is deleted although another one failed that declares none of its rules", async () => {
  await program.up({ one: list(["r"]), two: list(["b"]) });
  const text = await failureOf(program.up({ two: list(["b", "c"]) }, { unstarted: ["two"], continueOnError: true }));
  expect(text).not.toContain(waits);
  expect(await refs()).toEqual(["b"]);
});

test("a rule that another resource declares twice over is deleted once that one has it under another ref", async () => {
  await program.up({ one: list([unnamed("r")]), two: list(["r"]) });
  await program.up({ two: list(["r"]) });
  expect(await refs()).toEqual(["r"]);
  await program.refresh();
  await program.settled({ two: list(["r"]) });
});

test("a rule that moves as it is belongs to its new owner, though its old one was replaced in the run that failed", async () => {
  await program.up({ one: list(["a", "r"]), two: list(["b"]) });
  const id = (await ruleOf("r"))?.id;
  const after = { one: list(["a"], elsewhere), two: list(["b", "r"]) };
  await failureOf(program.up(after, { unstarted: ["two"] }));
  await program.refresh();
  expect((await program.up(after)).warnings).toEqual([]);
  expect((await ruleOf("r"))?.id).toBe(id);
  await program.refresh();
  await program.settled(after);
  await program.destroy();
  expect(await refs()).toEqual([]);
});

test.each([[false], [true]])(
  "a rule that was to change on its way is changed by the next run (after a refresh: %s)",
  async (refreshes) => {
    await program.up({ one: list(["a", "r"]) });
    const after = { one: list(["a"]), two: list([listed("r", off)]) };
    await service.fault({ method: "PATCH", times: 1, status: 400 });
    await failureOf(program.up(after));
    expect(await ruleOf("r")).toMatchObject({ enabled: true });
    if (refreshes) await program.refresh();
    await program.up(after);
    expect(await ruleOf("r")).toMatchObject({ enabled: false });
    await program.refresh();
    await program.settled(after);
  },
);

describe.each<readonly [string, () => ProgramArgs[string]]>([
  ["a RulesetRule", () => single("r", off)],
  ["a new list", () => list([listed("r", off)])],
])("a rule that moves to %s whose write fails, while its list is replaced elsewhere", (_, two) => {
  const after = () => ({ one: list(["a"], elsewhere), two: two() });
  let rule: Awaited<ReturnType<typeof ruleOf>>;
  beforeEach(async () => {
    await program.up({ one: list(["a", "r"]) });
    rule = await ruleOf("r");
    await service.fault({ method: "PATCH", times: 1, status: 400 });
    const text = await failureOf(program.up(after(), { continueOnError: true }));
    expect(text).toContain(waits);
    expect(await ruleOf("r")).toEqual(rule);
  });

  test.each([[false], [true]])("moves in the next run (after a refresh: %s)", async (refreshes) => {
    if (refreshes) await program.refresh();
    expect((await program.up(after())).warnings).toEqual([]);
    expect(await there()).toMatchObject([{ id: rule?.id, enabled: false }]);
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("is deleted by the next run if the program drops it", async () => {
    await program.up({ one: list(["a"], elsewhere) });
    expect(await refs()).toEqual([]);
  });
});

describe.each([[false], [true]])("with deleteBeforeReplace, a write that fails (after a refresh: %s)", (refreshes) => {
  test("leaves a RulesetRule as it was, and the next run changes it", async () => {
    await program.up({ one: single("r") });
    const rule = await ruleOf("r");
    await service.fault({ method: "PATCH", times: 1, status: 400 });
    await failureOf(program.up({ one: single("r", off) }, { replaces: ["one"], deleteFirst: ["one"] }));
    expect(await ruleOf("r")).toEqual(rule);
    if (refreshes) await program.refresh();
    await program.up({ one: single("r", off) });
    expect(await ruleOf("r")).toMatchObject({ id: rule?.id, enabled: false });
    await program.refresh();
    await program.settled({ one: single("r", off) });
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

describe.each([[false], [true]])(
  "a list that was deleted first, and whose create was not started (after a refresh: %s)",
  (refreshes) => {
    const others = () => ({ other: list(["b"]) });
    beforeEach(async () => {
      await program.up({ one: list(["a", "r"]), ...others() });
      const stopped = { one: list(["c"]), two: single("r", off), ...others() };
      const options = { replaces: ["one"], deleteFirst: ["one"], uncreated: ["one"], unstarted: ["two"] };
      expect(await failureOf(program.up(stopped, options))).toBe("one was not created");
      expect(await refs()).toEqual(["a", "b", "r"]);
      if (refreshes) await program.refresh();
    });

    test("leaves a rule that moves to its new owner in the next run", async () => {
      const rule = await ruleOf("r");
      const after = { one: list(["c"]), two: single("r", off), ...others() };
      await program.up(after);
      expect(await refs()).not.toContain("a");
      expect(await ruleOf("r")).toMatchObject({ id: rule?.id, enabled: false });
      await program.refresh();
      await program.settled(after);
    });

    test.each([[["a"]], [["a", "r"]], [["c"]], [[]]])(
      "leaves rules that the next run deletes, except %j, which the program declares",
      async (rules) => {
        const after = { one: list(rules), ...others() };
        await program.up(after);
        expect(await refs()).toEqual([...rules, "b"].toSorted());
        await program.refresh();
        await program.settled(after);
        await program.destroy();
        expect(await refs()).toEqual([]);
      },
    );
  },
);

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

describe("rules of an old object whose resource was to come back, and was not written", () => {
  const back = () => ({ one: list(["a", "r"]), two: list(["b"]) });
  let rules: Awaited<ReturnType<typeof there>>;
  beforeEach(async () => {
    await program.up(back());
    await failureOf(program.up({ one: list(["c"], elsewhere), two: list(["b", "d"]) }, { unstarted: ["two"] }));
    rules = await there();
    const text = await failureOf(program.up(back(), { unstarted: ["one"], continueOnError: true }));
    expect(text).toContain(waits);
    expect(await there()).toEqual(rules);
  });

  test("stay in force, and belong to it after the next run", async () => {
    await program.up(back());
    expect(await there()).toEqual(rules);
    await program.refresh();
    await program.settled(back());
  });

  test("are deleted by the next run if the program drops them", async () => {
    const without = { one: list(["c"], elsewhere), two: list(["b"]) };
    await program.up(without);
    expect(await refs()).toEqual(["b"]);
    await program.refresh();
    await program.settled(without);
  });
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

test.each<CourseOptions>([{}, { targets: ["one"] }])(
  "a rule that a resource released, and that somebody has edited since, is not overwritten when it comes back, with %j",
  async (options) => {
    await program.up({ one: list(["a", "r"]) });
    await program.up({ one: list(["c"], elsewhere), two: single("r", off) });
    const { id: rulesetId = "" } = (await service.entrypoint(zoneId, phase)) ?? {};
    const rule = await ruleOf("r");
    const content = { action: "log", expression: rule?.expression, description: rule?.description };
    await service.editRule(`zones/${zoneId}`, rulesetId, rule?.id ?? "", content);
    const rules = await there();
    const text = await failureOf(program.up({ one: list(["a", "r"]) }, options));
    expect(text).toContain("somebody else has changed");
    expect(await there()).toEqual(rules);
  },
);

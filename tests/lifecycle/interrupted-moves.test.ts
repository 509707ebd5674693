import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";

/*
 * A rule moves to another resource, and that resource fails, or is never written, while the old one has already given
 * the rule up. The next run completes the move as if it were the first: the rule belongs to the stack all the time.
 */

let emulator: Emulator;
let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ emulator, service, zoneId, program } = await startRulesProgram());
});
afterEach(() => emulator.close());

const { listed, single, list, entrypoint, refs, ruleOf } = declaredRules(() => ({ service, zoneId }));
const off = { enabled: false };
const edit = async (name: string) =>
  service.editRule(`zones/${zoneId}`, (await entrypoint()).id, (await ruleOf(name))?.id ?? "", {
    ...listed(name),
    description: `${name}, by hand`,
  });

/** Programs before and after a move of the rule "r", by what happens to it. */
const MOVES: readonly (readonly [string, () => ProgramArgs, () => ProgramArgs])[] = [
  [
    "between lists, changed on the way",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"]), two: list(["b", listed("r", off)]) }),
  ],
  [
    "between lists, as it is",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"]), two: list(["b", "r"]) }),
  ],
  [
    "to a list that comes first",
    () => ({ two: list(["b"]), one: list(["a", "r"]) }),
    () => ({ two: list(["b", listed("r", off)]), one: list(["a"]) }),
  ],
  [
    "to a new list",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"]), two: list(["b", listed("r", off)]) }),
  ],
  [
    "to a new list that comes first",
    () => ({ one: list(["a", "r"]) }),
    () => ({ two: list([listed("r", off)]), one: list(["a"]) }),
  ],
  ["to a RulesetRule", () => ({ one: list(["a", "r"]) }), () => ({ one: list(["a"]), two: single("r", off) })],
  [
    "to a RulesetRule that comes first",
    () => ({ one: list(["a", "r"]) }),
    () => ({ two: single("r", off), one: list(["a"]) }),
  ],
  ["to a RulesetRule, as it is", () => ({ one: list(["a", "r"]) }), () => ({ one: list(["a"]), two: single("r") })],
  [
    "from a list that is created again",
    () => ({ one: list(["a", "r"]) }),
    () => ({ one: list(["a"]), two: single("r", off) }),
  ],
  [
    "from a RulesetRule that gets another ref",
    () => ({ one: single("r"), two: list(["b"]) }),
    () => ({ one: single("s"), two: list(["b", listed("r", off)]) }),
  ],
];

const optionsFor = (name: string): CourseOptions =>
  name === "from a list that is created again" ? { replaces: ["one"] } : {};

describe.each(MOVES)("a rule that moves %s, to a resource that is not written", (name, before, after) => {
  let id: string | undefined;
  beforeEach(async () => {
    await program.up(before());
    id = (await ruleOf("r"))?.id;
    await program.preview(after());
    await failureOf(program.up(after(), { unstarted: ["two"], ...optionsFor(name) }));
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
  });

  test.each([true, false])("moves in the next run (after a refresh: %s), and is deleted with it", async (refreshes) => {
    if (refreshes) await program.refresh();
    await program.preview(after());
    expect((await program.up(after())).warnings).toEqual([]);
    const wanted = JSON.stringify(after()).includes('"enabled":false') ? off : {};
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true, ...wanted });
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("returns to its resource if the program takes the move back", async () => {
    await program.up(before());
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
    await program.refresh();
    await program.settled(before());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("does not stay in force unnoticed if the program drops it then", async () => {
    const { two: _, ...rest } = after();
    const exists = "two" in before();
    const kept = { ...rest, ...(exists ? { two: before().two ?? {} } : {}) };
    const { warnings } = await program.up(kept);
    await program.refresh();
    if (!(await refs()).includes("r")) return program.settled(kept);
    // A resource that is not in the state may also have had the rule, and left it in force.
    expect(exists).toBe(false);
    expect(warnings.join("\n")).toMatch(/1 rule was to move to another resource, which does not exist.*\n.*\[ref r,/);
    await program.up(after());
    expect(await ruleOf("r")).toMatchObject({ id });
    await program.up(kept);
    expect(await refs()).not.toContain("r");
    await program.refresh();
    await program.settled(kept);
  });

  test("stays as somebody edits it before the next run", async () => {
    await edit("r");
    await program.refresh();
    for (let run = 0; run < 2; run += 1) {
      const text = await failureOf(program.up(after()));
      if (text !== "it did not fail")
        expect(text).toMatch(/of this stack .*somebody else has changed|already has a rule/);
      expect(await ruleOf("r")).toMatchObject({ id, description: "r, by hand" });
    }
  });
});

describe("a rule that was released for a resource that does not have it", () => {
  const before = () => ({ one: list(["a", "r"]), two: list(["b"]) });
  const after = () => ({ one: list(["a"]), two: list(["b", listed("r", off)]) });
  const without = () => ({ one: list(["a"]), two: list(["b"]) });
  beforeEach(async () => {
    await program.up(before());
    await failureOf(program.up(after(), { unstarted: ["two"] }));
  });

  test("is named by the preview that deletes it", async () => {
    const { warnings } = await program.preview(without());
    expect(warnings.join("\n")).toMatch(
      /1 rule was to move .*\n.*\[ref r,.*::two does not have it; it will be deleted/,
    );
    await program.up(without());
    expect(await refs()).toEqual(["a", "b"]);
  });

  test("stays if somebody has edited it, and both the preview and the run say so", async () => {
    await edit("r");
    const preview = await program.preview(without());
    expect(preview.warnings.join("\n")).toMatch(/\[ref r,.*somebody else has changed it since; it stays in force/);
    const { warnings } = await program.up(without());
    expect(warnings.join("\n")).toMatch(/1 rule was to move .* somebody else has changed it since: it stays in force/);
    expect(await ruleOf("r")).toMatchObject({ description: "r, by hand" });
    await program.refresh();
    await program.settled(without());
  });

  test("stays if somebody has edited it and its old resource is removed, which is said", async () => {
    await edit("r");
    const { warnings } = await program.up({ two: list(["b"]) });
    expect(warnings.join("\n")).toMatch(/1 rule was to move .* somebody else has changed it since: it stays in force/);
    expect(await refs()).toEqual(["b", "r"]);
  });

  test.each([[["one", "two"]], [["two", "one"]]])("is deleted by a destroy of %s, in that order", async (names) => {
    const kept = names.flatMap((name) => [...program.kept].filter(([each]) => each === name));
    program.kept.clear();
    for (const [name, each] of kept) program.kept.set(name, each);
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("stays if a destroy has its old resource as the only target, which is said", async () => {
    await program.destroy({ targets: ["one"] });
    expect(program.messages.warnings.join("\n")).toMatch(/1 rule was to move .* not deleted here:\n.*"r" .*::two/);
    expect(await refs()).toEqual(["b", "r"]);
  });
});

test("a rule that a deleted RulesetRule had released is deleted with it", async () => {
  await program.up({ one: single("r"), two: list(["b"]) });
  const options = { replaces: ["one"], deleteFirst: ["one"], unstarted: ["two"] };
  await failureOf(program.up({ one: single("s"), two: list(["b", "r"]) }, options));
  expect(await refs()).toEqual(["b", "r", "s"]);
  await program.up({ two: list(["b"]) });
  expect(await refs()).toEqual(["b"]);
});

/** The rule "r" of "one" is released for "two", which is not written; then "one" is deleted before it is created again. */
describe("a rule that was released for another resource is not forgotten by a resource that is deleted before it is created again", () => {
  const again = { replaces: ["one"], deleteFirst: ["one"] };

  test.each([
    ["a list", () => list(["a", "r"]), () => list(["a"])],
    ["a RulesetRule", () => single("r"), () => single("a")],
  ])("%s deletes it if the program drops it", async (_, before, after) => {
    await program.up({ one: before(), two: list(["b"]) });
    const moved = { one: after(), two: list(["b", "r"]) };
    await failureOf(program.up(moved, { ...again, unstarted: ["two"] }));
    const { warnings } = await program.up({ one: after(), two: list(["b"]) }, again);
    expect([await refs(), warnings]).toEqual([["a", "b"], []]);
    await program.refresh();
    await program.settled({ one: after(), two: list(["b"]) });
  });
});

test("a rule without an owner is reported once, and the stack is silent after that", async () => {
  await program.up({ one: list(["a", "r"]) });
  await failureOf(program.up({ one: list(["a"]), two: single("r") }, { unstarted: ["two"] }));
  const { warnings } = await program.up({ one: list(["a"]) });
  expect(warnings.join("\n")).toMatch(/1 rule was to move to another resource, which does not exist/);
  await program.refresh();
  await program.settled({ one: list(["a"]) });
  const next = await program.up({ one: list(["a", "b"]) });
  expect(next.warnings).toEqual([]);
  expect((await program.up({ one: list(["a", "b"]), two: single("r") })).warnings).toEqual([]);
  await program.refresh();
  await program.destroy();
  expect(await refs()).toEqual([]);
});

test("a rule that was reported without an owner stays, also once the resource that was to have it exists without it", async () => {
  await program.up({ one: list(["a", "r"]) });
  await failureOf(program.up({ one: list(["a"]), two: list(["r"]) }, { unstarted: ["two"] }));
  const after = { one: list(["a"]), two: list(["b"]) };
  expect((await program.up(after)).warnings.join("\n")).toMatch(
    /1 rule was to move .*it stays in force without an owner/,
  );
  await program.refresh();
  await program.settled(after);
  expect(await refs()).toEqual(["a", "b", "r"]);
});

describe("a rule that moves from a list that is deleted first, to be created in another zone, while nothing can be written", () => {
  let after: ProgramArgs;
  let id: string | undefined;
  beforeEach(async () => {
    await program.up({ one: list(["a", "r"]), two: list(["b"]) });
    id = (await ruleOf("r"))?.id;
    after = { one: list(["c"], { zoneId: await service.zone("business") }), two: list(["b", "r"]) };
    await service.fault({ method: "POST", times: 1, status: 400 });
    await failureOf(program.up(after, { deleteFirst: ["one"], unstarted: ["two"] }));
  });

  test("is named by the run that fails", () => {
    expect(program.messages.warnings.join("\n")).toMatch(
      /1 rule moves to another resource .*\n.*"r" .*::two\n.*before its replacement was created/,
    );
  });

  test.each([true, false])("moves in the next run (after a refresh: %s), and is deleted with it", async (refreshes) => {
    if (refreshes) await program.refresh();
    expect((await program.up(after)).warnings).toEqual([]);
    expect([await refs(), (await ruleOf("r"))?.id]).toEqual([["b", "r"], id]);
    await program.refresh();
    await program.settled(after);
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

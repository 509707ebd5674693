import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type CourseOptions, type ProgramArgs } from "./rules-program.js";

/*
 * A rule moves to another resource, and that resource is not written, while the old one has already let go of the rule. The rule
 * stays in force, and no state has it: the next run names it, and takes it over on request.
 */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { listed, single, list, entrypoint, refs, ruleOf } = declaredRules(() => ({ service, zoneId }));
const off = { enabled: false };
const adopt = { onExisting: "adopt" };

/** Programs before and after a move of the rule "r" to "two", by what happens to it. */
const MOVES: readonly (readonly [string, () => ProgramArgs, (more?: object) => ProgramArgs])[] = [
  [
    "between lists, changed on the way",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    (more) => ({ one: list(["a"]), two: list(["b", listed("r", off)], more) }),
  ],
  [
    "between lists, as it is",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    (more) => ({ one: list(["a"]), two: list(["b", "r"], more) }),
  ],
  [
    "to a new list",
    () => ({ one: list(["a", "r"]) }),
    (more) => ({ one: list(["a"]), two: list(["b", listed("r", off)], more) }),
  ],
  [
    "to a RulesetRule",
    () => ({ one: list(["a", "r"]) }),
    (more) => ({ one: list(["a"]), two: single("r", { ...off, ...more }) }),
  ],
  [
    "to a RulesetRule, as it is",
    () => ({ one: list(["a", "r"]) }),
    (more) => ({ one: list(["a"]), two: single("r", more) }),
  ],
];

describe.each(MOVES)("a rule that moves %s, to a resource that is not written", (_, before, after) => {
  let id: string | undefined;
  const isChanged = () => JSON.stringify(after()).includes('"enabled":false');
  beforeEach(async () => {
    await program.up(before());
    id = (await ruleOf("r"))?.id;
    await program.preview(after());
    await failureOf(program.up(after(), { unstarted: ["two"] }));
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
  });

  test.each([true, false])("is named by the next run (after a refresh: %s), and stays in force", async (refreshes) => {
    if (refreshes) await program.refresh();
    if (isChanged()) {
      const text = await failureOf(program.up(after()));
      expect(text).toMatch(/\[ref r,[^]*onExisting: "adopt"/);
    } else await program.up(after());
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
  });

  test("is taken over on request, and then deleted with its resource", async () => {
    await program.up(after(adopt));
    expect(await ruleOf("r")).toMatchObject({ id, enabled: !isChanged() });
    await program.refresh();
    await program.settled(after(adopt));
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test("returns to its resource if the program takes the move back", async () => {
    await program.up(before());
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
    await program.refresh();
    await program.settled(before());
  });

  test("stays as somebody edits it before the next run", async () => {
    await service.editRule(`zones/${zoneId}`, (await entrypoint()).id, id ?? "", {
      ...listed("r"),
      description: "r, by hand",
    });
    await program.refresh();
    expect(await failureOf(program.up(after()))).toMatch(/\[ref r,[^]*onExisting: "adopt"/);
    expect(await ruleOf("r")).toMatchObject({ id, description: "r, by hand" });
  });

  test("stays in force if no resource declares it any more", async () => {
    await program.up({ one: list(["a"]) });
    await program.destroy();
    expect(await refs()).toEqual(["r"]);
  });
});

/** Programs before and after a move of the rule "r" from "one", which is replaced or renamed. */
const REPLACED: readonly (readonly [string, () => ProgramArgs, (elsewhere: object) => ProgramArgs])[] = [
  [
    "a list that is replaced",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    (elsewhere) => ({ one: list(["a"], elsewhere), two: list(["b", listed("r", off)]) }),
  ],
  [
    "a RulesetRule that is replaced",
    () => ({ one: single("r"), two: list(["b"]) }),
    (elsewhere) => ({ one: single("s", elsewhere), two: list(["b", listed("r", off)]) }),
  ],
  [
    "an exclusive list that is replaced",
    () => ({ one: list(["r"], { ownership: "exclusive" }) }),
    (elsewhere) => ({ one: list(["a"], { ownership: "exclusive", ...elsewhere }), two: single("r", off) }),
  ],
  ["a list that gets another name", () => ({ one: list(["a", "r"]) }), () => ({ two: list(["a", "r"]) })],
  ["a RulesetRule that gets another name", () => ({ one: single("r") }), () => ({ two: single("r") })],
  [
    "an exclusive list that gets another name",
    () => ({ one: list(["a", "r"], { ownership: "exclusive" }) }),
    () => ({ two: list(["a", "r"], { ownership: "exclusive" }) }),
  ],
];

describe.each(REPLACED)("a rule of %s, whose new owner is not written", (_, before, after) => {
  const options: CourseOptions = { unstarted: ["two"], continueOnError: true };
  test("is not deleted with its old resource, and is taken over on request", async () => {
    const elsewhere = { zoneId: await service.zone("business") };
    await program.up(before());
    const id = (await ruleOf("r"))?.id;
    expect(await failureOf(program.up(after(elsewhere), options))).toContain("two was not started");
    expect(await ruleOf("r")).toMatchObject({ id, enabled: true });
    const { two = {}, ...rest } = after(elsewhere);
    await program.up({ ...rest, two: { ...two, ...adopt } });
    expect((await ruleOf("r"))?.id).toBe(id);
    await program.refresh();
    await program.settled({ ...rest, two: { ...two, ...adopt } });
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

describe("a resource that is deleted first, and whose create fails", () => {
  test("leaves what the program declares, deletes the rest, and has its rules again after the next run", async () => {
    await program.up({ one: list(["a", "r"]) });
    const id = (await ruleOf("r"))?.id;
    const replaced = { replaces: ["one"], deleteFirst: ["one"], uncreated: ["one"] };
    expect(await failureOf(program.up({ one: list(["r", "s"]) }, replaced))).toBe("one was not created");
    expect(await refs()).toEqual(["r"]);
    await program.up({ one: list(["r", "s"]) });
    expect((await ruleOf("r"))?.id).toBe(id);
    await program.refresh();
    await program.settled({ one: list(["r", "s"]) });
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

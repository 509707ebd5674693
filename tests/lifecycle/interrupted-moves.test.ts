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

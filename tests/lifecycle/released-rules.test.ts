import type { Emulator } from "../../emulator/index.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { RulesProgram, startRulesProgram, type ProgramArgs } from "./rules-program.js";
import { bare, secret, sent } from "./secrets-apart.js";

/*
 * What becomes of rules that a resource released for another one, which has not written them: what messages show of them, what
 * later writes of the resource keep of its records, and what its delete does.
 */

let emulator: Emulator;
let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ emulator, service, zoneId, program } = await startRulesProgram());
});
afterEach(() => emulator.close());

const { listed, single, list, refs, ruleOf } = declaredRules(() => ({ service, zoneId }));
const off = { enabled: false };

describe("a secret in a rule that was released", () => {
  const text = "Tr0ub4dor&3 horse";
  const r = (more: object = {}) => listed("r", { description: secret(text), ...more });
  const inList = (names: (string | object)[]) => sent(list(names)) as ProgramArgs[string];
  const alone = () => sent(single("r", { description: secret(text) })) as ProgramArgs[string];
  const messages = () => [...program.messages.warnings, ...program.messages.notes].join("\n");

  test("is not shown once no resource of the program declares it", async () => {
    await program.up({ one: inList(["a", r()]) });
    await failureOf(program.up({ one: list(["a"]), two: inList([r(off)]) }, { unstarted: ["two"] }));
    expect(await ruleOf("r")).toMatchObject({ description: bare(secret(text)) });
    for (const go of [() => program.preview({ one: list(["a"]) }), () => program.up({ one: list(["a"]) })]) {
      await go();
      expect(messages()).toMatch(/1 rule was to move .*\n.*\[secret\].*\[ref r,/);
      expect(messages()).not.toContain(text);
    }
  });

  test("is not shown when a RulesetRule that gave it up is deleted", async () => {
    await program.up({ one: alone() });
    const options = { replaces: ["one"], deleteFirst: ["one"], unstarted: ["two"] };
    await failureOf(program.up({ one: single("s"), two: inList([r(off)]) }, options));
    await program.up({ other: single("t") });
    expect(messages()).toMatch(/1 rule was to move .*\n.*\[secret\].*\[ref r,/);
    expect(messages()).not.toContain(text);
    expect(await refs()).toEqual(["r", "t"]);
  });
});

describe("rules that a replaced resource left for another one, which failed,", () => {
  const moved = () => list(["b", listed("r", off)]);

  test("still belong to the stack if the new object was only written in part", async () => {
    const full = { zoneId: await service.zone("free") };
    const others = ["w", "x", "y", "z"];
    await program.up({ one: list(["a", "r"]), two: list(["b"]), three: list(others, full) });
    const id = (await ruleOf("r"))?.id;
    const after = { one: list(["a", "c"], full), two: moved(), three: list(others, full) };
    expect(await failureOf(program.up(after, { unstarted: ["two"] }))).toContain("maximum number of rules");
    const smaller = { ...after, one: list(["a"], full) };
    await program.up(smaller);
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
    await program.refresh();
    await program.settled(smaller);
  });

  test("still belong to the stack after an update of a RulesetRule that undid somebody's change", async () => {
    const elsewhere = await service.zone("business");
    const after = (description: string) => ({ one: single("s", { zoneId: elsewhere, description }), two: moved() });
    await program.up({ one: single("r"), two: list(["b"]) });
    const id = (await ruleOf("r"))?.id;
    await failureOf(program.up(after("c"), { unstarted: ["two"] }));
    const { rulesetId, ruleId } = program.state("one");
    const path = `/zones/${elsewhere}/rulesets/${rulesetId}/rules/${ruleId}`;
    const edit = { method: "PATCH", path, body: { action: "block", expression: "ssl" } };
    await service.fault({ method: "PATCH", meanwhile: [edit] });
    await failureOf(program.up(after("d"), { unstarted: ["two"] }));
    expect(program.recorded.get("one")).toMatchObject({ hasFailed: true });
    await program.up(after("d"));
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
  });

  describe.each([
    ["a list", () => list(["a", "r"]), (name: string, place: object) => list(["a", name], place)],
    ["a RulesetRule", () => single("r"), (name: string, place: object) => single("s", { ...place, description: name })],
  ])("%s", (_, before, changed) => {
    let after: (name: string) => ProgramArgs;
    let id: string | undefined;
    beforeEach(async () => {
      const elsewhere = { zoneId: await service.zone("business") };
      after = (name) => ({ one: changed(name, elsewhere), two: moved() });
      await program.up({ one: before(), two: list(["b"]) });
      id = (await ruleOf("r"))?.id;
      await failureOf(program.up(after("c"), { unstarted: ["two"] }));
    });

    test("still belong to the stack after it was updated in another run that failed", async () => {
      await failureOf(program.up(after("d"), { unstarted: ["two"] }));
      await program.up(after("d"));
      expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
      await program.refresh();
      await program.settled(after("d"));
    });

    test.each([
      ["elsewhere", {}],
      ["where it is", { replaces: ["one"] }],
    ])(
      "still belong to the stack after it was replaced again, %s, in another run that failed",
      async (_where, options) => {
        const third = { zoneId: await service.zone("pro") };
        const again = "replaces" in options ? after("c") : { ...after("c"), one: changed("c", third) };
        await failureOf(program.up(again, { ...options, unstarted: ["two"] }));
        await program.up(again);
        expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
        await program.refresh();
        await program.settled(again);
      },
    );

    test("are no longer recorded once it is updated after somebody has them", async () => {
      expect(program.state("one")).toHaveProperty("__released");
      await program.up(after("c"));
      await program.up(after("d"));
      expect(program.state("one")).not.toHaveProperty("__released");
      await program.refresh();
      await program.settled(after("d"));
    });
  });
});

describe("a rule that a RulesetRule had released is deleted with it, although its own rule stays", () => {
  const replaced = { replaces: ["one"], deleteFirst: ["one"], unstarted: ["two"] };
  const after = () => ({ one: single("s"), two: list(["b", "r"]) });

  test("because it was only taken over", async () => {
    await program.up({ one: single("r"), two: list(["b"]) });
    await new RulesProgram(service, "prod").up({ other: single("s") });
    await failureOf(program.up(after(), replaced));
    const { warnings } = await program.up({ two: list(["b"]) });
    expect(warnings.join("\n")).toContain("this stack took it over because it was equal");
    expect(await refs()).toEqual(["b", "s"]);
    await program.refresh();
    await program.settled({ two: list(["b"]) });
  });

  test("because it moves to a list", async () => {
    await program.up({ one: single("r"), two: list(["b"]) });
    await failureOf(program.up(after(), replaced));
    const { notes } = await program.up({ two: list(["b", "s"]) });
    expect(notes.join("\n")).toMatch(/rule "s" .* was not deleted: .*::two manages it now/);
    expect(await refs()).toEqual(["b", "s"]);
    await program.refresh();
    await program.settled({ two: list(["b", "s"]) });
  });

  test("but not if its onDelete is keep", async () => {
    const kept = { onDelete: "keep" };
    await program.up({ one: single("r", kept), two: list(["b"]) });
    await failureOf(program.up({ one: single("s", kept), two: list(["b", "r"]) }, replaced));
    await program.up({ two: list(["b"]) });
    expect(await refs()).toEqual(["b", "r", "s"]);
  });
});

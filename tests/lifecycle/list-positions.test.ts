import { UNKNOWN } from "../../core/model/unknown.js";
import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules, phase } from "./declared-rules.js";
import { RulesProgram, startRulesProgram } from "./rules-program.js";

/*
 * Rules of a shared list have positions among the rules of others: those run in the order x, y, z, and are never moved.
 */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { listed, single, list, entrypoint, there, idOf } = declaredRules(() => ({ service, zoneId }));
const scope = (): string => `zones/${zoneId}`;
const occupy = (...names: string[]) =>
  service.create(scope(), { name: "theirs", kind: "zone", phase, rules: names.map((name) => listed(name)) });
const refs = async (): Promise<string> => (await there()).map(({ ref }) => ref).join(" ");
/** The list with rules of these names, and positions. */
const placed = (names: string, positions: object, more: object = {}) => ({
  list: list(names.split(" "), { positions, ...more }),
});
const move = async (name: string, position: object) =>
  service.editRule(scope(), (await entrypoint()).id, (await idOf(name)) ?? "", { position });

describe("the positions of the rules of a new list", () => {
  test.each([
    ["none", "a b", {}, "x y z a b"],
    ["before a rule", "a b", { a: { before: "y" } }, "x a b y z"],
    ["after a rule", "a b", { a: { after: "y" } }, "x y a b z"],
    ["before different rules", "a b", { a: { before: "x" }, b: { before: "z" } }, "a b x y z"],
    ["after different rules", "a b", { a: { after: "x" }, b: { after: "y" } }, "x a y b z"],
    ["only of the last one", "a b c", { c: { before: "y" } }, "x a b c y z"],
    ["only of the first one", "a b c", { a: { after: "x" } }, "x a b c y z"],
    ["where one member is null", "a", { a: { before: null, after: "y" } }, "x y a z"],
    ["on both sides of a rule", "a b", { a: { before: "y" }, b: { after: "y" } }, "x a y b z"],
  ])("%s", async (_, names, positions, expected) => {
    await occupy("x", "y", "z");
    const args = placed(names, positions);
    await program.preview(args);
    await program.up(args);
    expect(await refs()).toBe(expected);
    await program.refresh();
    await program.settled(args);
  });

  test("by the ID of another rule", async () => {
    await occupy("x", "y");
    const args = placed("a", { a: { before: await idOf("y") } });
    await program.up(args);
    expect(await refs()).toBe("x a y");
    await program.settled(args);
  });

  test("show in the preview how the rules interleave", async () => {
    await occupy("x", "y");
    const { notes } = await program.preview(placed("a b", { a: { before: "y" } }));
    expect(notes.join("\n")).toContain("1 other, 2–3 yours, 4 other");
  });
});

describe("a change of the positions of a list", () => {
  beforeEach(async () => {
    await occupy("x", "y", "z");
    await program.up({ list: list(["a", "b"]) });
  });

  test("moves what is elsewhere, and what the order of the list then requires", async () => {
    const first = placed("a b", { a: { before: "y" } });
    expect((await program.up(first)).requests).toBe("GET PATCH");
    expect(await refs()).toBe("x a y z b");
    await program.settled(first);
    const next = placed("a b", { b: { before: "x" } });
    expect((await program.up(next)).requests).toBe("GET PATCH PATCH");
    expect(await refs()).toBe("a b x y z");
    await program.settled(next);
  });

  test("sends nothing if the rules already are there, or if positions are dropped", async () => {
    const args = placed("a b", { a: { after: "z" } });
    expect(await program.up(args)).toMatchObject({ actions: { list: "update" }, requests: "GET" });
    await program.settled(args);
    const without = { list: list(["a", "b"]) };
    expect(await program.up(without)).toMatchObject({ actions: { list: "update" }, requests: "" });
    expect(program.kept.get("list")?.state).not.toHaveProperty("positions");
    await program.settled(without);
  });

  test("is made in one request together with an edit", async () => {
    const args = { list: list([listed("a", { enabled: false }), "b"], { positions: { a: { before: "y" } } }) };
    expect((await program.up(args)).requests).toBe("GET PATCH");
    expect(await refs()).toBe("x a y z b");
    await program.settled(args);
  });

  test("that stops halfway is completed by the next run", async () => {
    const args = placed("a b", { a: { before: "x" }, b: { before: "y" } });
    await service.fault({ method: "PATCH", path: (await idOf("b")) ?? "", times: 1, status: 400 });
    await failureOf(program.up(args));
    await service.noFaults();
    expect(await refs()).toBe("a x y z b");
    await program.up(args);
    expect(await refs()).toBe("a b x y z");
    await program.refresh();
    await program.settled(args);
  });

  test("is not decided while a position is not known", async () => {
    const { warnings } = await program.preview(placed("a b", { a: { before: UNKNOWN } }));
    expect(warnings).toEqual([]);
  });
});

describe("a list with positions, after somebody else", () => {
  const args = () => placed("a b", { a: { before: "y" } });
  beforeEach(async () => {
    await occupy("x", "y", "z");
    await program.up(args());
    expect(await refs()).toBe("x a b y z");
  });

  test("moved a rule out of its position: a refresh shows it, and the next up moves it back", async () => {
    await move("a", { after: "" });
    await program.refresh();
    expect(program.kept.get("list")?.inputs.positions).toEqual({ a: { after: "y" } });
    expect((await program.preview(args())).actions).toEqual({ list: "update" });
    await program.up(args());
    expect(await refs()).toBe("x a b y z");
    await program.refresh();
    await program.settled(args());
  });

  test("moved a rule: a change stops, as after an edit", async () => {
    await move("a", { after: "" });
    const changed = { list: list(["a", listed("b", { enabled: false })], { positions: { a: { before: "y" } } }) };
    expect(await failureOf(program.preview(changed))).toContain("rule a was moved");
  });

  test("moved the rule that a position names: a refresh shows it, and the next up moves only what must move", async () => {
    await move("y", { before: "" });
    expect(await program.up(args())).toMatchObject({ actions: { list: "none" }, requests: "" });
    await program.refresh();
    expect((await program.up(args())).requests).toBe("GET PATCH");
    expect(await refs()).toBe("a y x b z");
    await program.settled(args());
  });

  test("deleted the rule that a position names: the rules stay", async () => {
    await service.deleteRule(scope(), (await entrypoint()).id, (await idOf("y")) ?? "");
    await program.refresh();
    await program.settled(args());
    const changed = { list: list(["a", listed("b", { enabled: false })], { positions: { a: { before: "y" } } }) };
    expect((await program.up(changed)).requests).toBe("GET PATCH");
    expect(await refs()).toBe("x a b z");
  });
});

describe("refused at preview", () => {
  test.each([
    [
      "in a ruleset that is not shared",
      { ownership: "exclusive" },
      'positions: places rules among those of others, so it needs ownership: "shared"',
    ],
    [
      "a rule that is not in the list",
      { positions: { c: { before: "x" } } },
      "positions.c: is not the ref of a rule in `rules`",
    ],
    [
      "a rule of the same list",
      { positions: { a: { before: "b" } } },
      "positions.a: must name a rule of somebody else",
    ],
    ["an unknown rule", { positions: { a: { before: "q" } } }, 'positions.a: there is no rule "q"'],
    [
      "before and after",
      { positions: { a: { before: "x", after: "y" } } },
      "positions.a: before and after are mutually exclusive; specify exactly one",
    ],
    ["an index", { positions: { a: { index: 1 } } }, "positions.a.index: there is no property index"],
    [
      "no rule",
      { positions: { a: { before: "" } } },
      "positions.a: must be the ref or the ID of a rule of somebody else",
    ],
    ["a list", { positions: [{ before: "x" }] }, "positions: must be an object"],
    ["a text", { positions: { a: "x" } }, "positions.a: must be an object"],
    [
      "an order that others do not have",
      { positions: { a: { after: "y" }, b: { before: "x" } } },
      'positions.a: the positions and the order of `rules` require it after "y" and before "x", which runs first',
    ],
    [
      "an order against that of the list",
      { positions: { a: { after: "x" }, b: { before: "x" } } },
      'positions.a: the positions and the order of `rules` require it both before and after "x"',
    ],
  ])("%s", async (_, more, text) => {
    await occupy("x", "y");
    expect(
      await failureOf(program.preview({ list: list(["a", "b"], { positions: { a: { before: "x" } }, ...more }) })),
    ).toContain(text);
    expect(await refs()).toBe("x y");
  });

  test("a position in a ruleset that does not exist", async () => {
    const text = await failureOf(program.preview(placed("a", { a: { before: "x" } })));
    expect(text).toContain('positions.a: there is no rule "x"');
    expect(text).toContain("It contains no rules.");
  });

  test("a new position that names a missing rule, in a list that exists", async () => {
    await occupy("x");
    await program.up({ list: list(["a"]) });
    expect(await failureOf(program.preview(placed("a", { a: { before: "q" } })))).toContain(
      'positions.a: there is no rule "q"',
    );
  });

  test("an equal rule that would have to move", async () => {
    await occupy("x", "a");
    expect(await failureOf(program.preview(placed("a", { a: { before: "x" } })))).toContain(
      "with a ref of this program",
    );
    const adopted = placed("a", { a: { before: "x" } }, { onExisting: "adopt" });
    await program.up(adopted);
    expect(await refs()).toBe("a x");
    await program.settled(adopted);
  });
});

describe("a list with positions and other resources of the program", () => {
  test("is placed beside a RulesetRule that is written before it", async () => {
    await occupy("x");
    const args = { rule: single("r"), ...placed("a b", { a: { before: "r" } }) };
    expect((await program.preview(args)).actions).toEqual({ rule: "create", list: "create" });
    await program.upInTurn(args);
    expect(await refs()).toBe("x a b r");
    await program.refresh();
    await program.settled(args);
  });

  test("takes over a RulesetRule with its position, without a write", async () => {
    await occupy("x", "y");
    await program.up({ r: single("r", { position: { before: "y" } }) });
    const args = placed("r", { r: { before: "y" } });
    const id = await idOf("r");
    expect((await program.up(args)).requests).not.toMatch(/POST|PATCH|DELETE/);
    expect([await refs(), await idOf("r")]).toEqual(["x r y", id]);
    await program.settled(args);
  });
});

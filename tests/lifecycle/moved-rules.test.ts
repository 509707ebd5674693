import type { Service } from "../support/emulator.js";
import { failureOf } from "../support/failure.js";
import { declaredRules } from "./declared-rules.js";
import { ManagedRuleset } from "./harness.js";
import { RulesProgram, startRulesProgram, type ProgramArgs } from "./rules-program.js";
import { secret, sent } from "./secrets-apart.js";

/* Rules that move between the resources of a program, while things go wrong. */

let service: Service;
let zoneId: string;
let program: RulesProgram;
beforeEach(async () => {
  ({ service, zoneId, program } = await startRulesProgram());
});

const { listed, single, list, entrypoint, there, refs, ruleOf } = declaredRules(() => ({ service, zoneId }));
const edit = async (name: string, more: object = { description: `${name}, by hand` }) =>
  service.editRule(`zones/${zoneId}`, (await entrypoint()).id, (await ruleOf(name))?.id ?? "", listed(name, more));
const off = { enabled: false };
const adopt = { onExisting: "adopt" };

describe("a rule that moves belongs to its new owner, and is deleted with it", () => {
  test.each<[string, () => ProgramArgs, () => ProgramArgs]>([
    [
      "an existing list, new owner first",
      () => ({ two: list(["b"]), one: list(["a", "r"]) }),
      () => ({ two: list(["b", "r"]), one: list(["a"]) }),
    ],
    [
      "an existing list, old owner first",
      () => ({ one: list(["a", "r"]), two: list(["b"]) }),
      () => ({ one: list(["a"]), two: list(["b", "r"]) }),
    ],
    [
      "a new list, new owner first",
      () => ({ one: list(["a", "r"]) }),
      () => ({ two: list(["b", "r"], adopt), one: list(["a"]) }),
    ],
    [
      "a new list, old owner first",
      () => ({ one: list(["a", "r"]) }),
      () => ({ one: list(["a"]), two: list(["b", "r"]) }),
    ],
    [
      "an existing list, from a RulesetRule that gets another ref",
      () => ({ two: list(["b"]), rule: single("r") }),
      () => ({ two: list(["b", "r"]), rule: single("s") }),
    ],
  ])("%s", async (_, before, after) => {
    await program.up(before());
    const id = (await ruleOf("r"))?.id;
    const run = await program.up(after());
    expect(run.warnings).toEqual([]);
    expect((await ruleOf("r"))?.id).toBe(id);
    await program.refresh();
    await program.settled(after());
    await program.destroy();
    expect(await refs()).toEqual([]);
  });

  test.each([["new owner first"], ["old owner first"]])("a new list that changes it, %s", async (order) => {
    await program.up({ one: list(["a", "r"]) });
    const id = (await ruleOf("r"))?.id;
    const [one, two] = [list(["a"]), list(["b", listed("r", off)], order === "new owner first" ? adopt : {})];
    const after: ProgramArgs = order === "new owner first" ? { two, one } : { one, two };
    const preview = await program.preview(after);
    if (order === "new owner first")
      expect(preview.notes.join("\n")).toContain("1 other rule is left unchanged, 0 kept, 1 changed\n  ~ r: enabled\n");
    await program.up(after);
    expect(await ruleOf("r")).toMatchObject({ id, enabled: false });
    await program.refresh();
    await program.settled(after);
    await program.destroy();
    expect(await refs()).toEqual([]);
  });
});

test("three lists pass on one rule each in a ring, changed and reordered", async () => {
  await program.up({ a: list(["a1", "x"]), b: list(["b1", "y"]), c: list(["c1", "z"]) });
  const ids = new Map((await there()).map(({ ref, id }) => [ref, id]));
  const after = {
    a: list([listed("z", off), "a1"], adopt),
    b: list([listed("x", off), "b1"], adopt),
    c: list([listed("y", off), "c1"], adopt),
  };
  await program.preview(after);
  expect((await program.up(after)).requests).not.toMatch(/POST|DELETE/);
  for (const { ref, id } of await there()) expect(id).toBe(ids.get(ref));
  await program.refresh();
  await program.settled(after);
  await program.destroy();
  expect(await refs()).toEqual([]);
});

describe("a rule that another resource has since a run that was stopped halfway", () => {
  test("is named by a preview in which its old list is checked first, and may delete it", async () => {
    await program.up({ one: list(["a", "r"]) });
    const { one } = Object.fromEntries(program.kept);
    await program.up({ rule: single("r"), one: list(["a"]) });
    // `--target` of the rule alone, or an error in the write of the list, leaves the list's state as it was.
    if (one !== undefined) program.kept.set("one", one);
    const after = { one: list(["a"]), rule: single("r") };
    expect((await program.preview(after)).warnings.join()).toMatch(
      /the rule "r" .* was checked first and may delete it/,
    );
    const id = (await ruleOf("r"))?.id;
    await program.up(after);
    expect((await ruleOf("r"))?.id).toBe(id);
    await program.settled(after);
  });

  test("is deleted when no resource has it any more", async () => {
    await program.up({ one: list(["a", "r"]) });
    const { one } = Object.fromEntries(program.kept);
    await program.up({ rule: single("r"), one: list(["a"]) });
    if (one !== undefined) program.kept.set("one", one);
    await program.up({ one: list(["a"]) });
    expect(await refs()).toEqual(["a"]);
    await program.refresh();
    await program.settled({ one: list(["a"]) });
  });
});

test("a rule that moves and is edited between the check and the write is not overwritten", async () => {
  const one = new ManagedRuleset("PhaseEntrypoint", service, "urn:one");
  const two = one.sibling("PhaseEntrypoint", "urn:two");
  const without = ({ kind: _kind, ...args }: ReturnType<typeof list>) => args;
  await one.up(without(list(["a", "r"])));
  await two.up(without(list(["b"])));
  const args = without(list(["b", listed("r", off)]));
  const run = two.start();
  one.run = run;
  await one.plan(without(list(["a"])), false);
  const { checked } = await two.plan(args, false);
  await edit("r");
  await two.clock.sleep(60_000);
  const { kept } = two;
  const olds = { id: kept?.id ?? "", inputs: { ...kept?.inputs }, outputs: { ...(kept?.state as object) } };
  expect(await failureOf(run.update("PhaseEntrypoint", olds, checked))).toMatch(
    /contains a rule of this stack that somebody else has changed since it was last read:\n.*; moved here from urn:one\n/,
  );
  expect(await ruleOf("r")).toMatchObject({ description: "r, by hand", enabled: true });
});

describe("the refusal of a rule that somebody edited", () => {
  const hidden = 'http.host eq "wonderland"';
  const plain = listed("r", { expression: secret(hidden) });
  const moved = () => ({ ...sent(list(["b", { ...plain, ...off }])), kind: "PhaseEntrypoint" });
  beforeEach(async () => {
    await program.up({ one: { ...sent(list(["a", plain])), kind: "PhaseEntrypoint" }, two: list(["b"]) });
    await edit("r", { expression: hidden, description: "by hand" });
  });

  test("shows no text of it where its new owner is checked first", async () => {
    const programs: readonly ProgramArgs[] = [
      { two: moved(), one: list(["a"]) },
      { new: moved(), one: list(["a"]), two: list(["b2"]) },
      { rule: sent({ ...single("r", off), expression: secret(hidden) }), one: list(["a"]) },
      { rule: single("r", { ...off, expression: "ssl" }), one: list(["a"]) },
    ];
    for (const after of programs) {
      const text = await failureOf(program.preview(after));
      expect(text).not.toMatch(/by hand|wonderland/);
      expect(text).toMatch(/block \[ref r, ID [0-9a-f]{32}, last changed [^\]]+\]/);
      expect(text).toMatch(/[Dd]iffers .*description/);
    }
  });

  test("shows no secret of it where its old owner is", async () => {
    const programs: readonly ProgramArgs[] = [
      { one: list(["a"]), two: moved() },
      { one: list(["a"]), two: list(["b2"]), new: moved() },
      { one: list(["a"]), rule: sent({ ...single("r", off), expression: secret(hidden) }) },
      { one: list(["a"]), rule: single("r", { ...off, expression: "ssl" }) },
    ];
    for (const after of programs) {
      const text = await failureOf(program.preview(after));
      expect(text).toContain("by hand");
      expect(text).not.toContain("wonderland");
      expect(text).toContain("changed by somebody else");
    }
  });
});

test("a write that fails after a rule was taken over leaves it with its new owner", async () => {
  await program.up({ one: list(["a", "r"]), two: list(["b"]) });
  const after = { two: list(["b", "r", "c"]), one: list(["a"]) };
  await service.fault({ method: "POST", status: 400, times: 1 });
  await failureOf(program.up(after));
  await program.refresh();
  await program.up(after);
  await program.refresh();
  await program.settled(after);
  await program.destroy();
  expect(await refs()).toEqual([]);
});

test.each<[string, () => ProgramArgs, () => ProgramArgs]>([
  [
    "an existing list",
    () => ({ one: list(["a", "r"]), two: list(["b"]) }),
    () => ({ one: list(["a"]), two: list(["b", "r"]) }),
  ],
  ["a new list", () => ({ one: list(["a", "r"]) }), () => ({ one: list(["a"]), two: list(["b", "r"]) })],
])(
  "a preview warns that a rule may be deleted before %s, which is checked later, creates it again",
  async (_, before, after) => {
    await program.up(before());
    expect((await program.preview(after())).warnings.join("\n")).toMatch(
      /the rule "r" \(.*\) moves here from urn:\S+::one, which was checked first and may delete it/,
    );
    const { one = {}, two = {} } = after();
    expect((await program.preview({ two: { ...two, ...adopt }, one })).warnings).toEqual([]);
    await program.upInTurn(after());
    await program.refresh();
    await program.settled(after());
  },
);

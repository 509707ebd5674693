import {
  foldChanges,
  mergeFolds,
  movedSince,
  type DescribedChange,
  type PlannedChange,
} from "../../../tools/fleet/changes";
import { deletionText, parseDeletion } from "../../../provider/engine/plan-text";
import type { RolledOut } from "../../../tools/fleet/results";
import { deleted, planRollback, writesOf, writtenByOthers } from "../../../tools/fleet/rollback";

const id = (digit: string): string => digit.repeat(32);
const names = new Map(["a", "b", "c"].map((digit) => [id(digit), `${digit}.test`]));
const described = (digit: string, path = "/admin"): DescribedChange => ({
  zoneId: id(digit),
  weakens: "no",
  lines: [`custom rules of zone ${id(digit)} (${digit}.test) in ${id("f")}:`, `  block ${path} of ${digit}.test`],
});

test("changes that are equal but for the zone are folded, the most frequent first", () => {
  const folded = foldChanges([described("c", "/login"), described("a"), described("b")], names);
  const fold = (path: string, ...zones: string[]) => {
    const lines = ["custom rules of zone {zone} ({name}) in {id}:", `  block ${path} of {name}`];
    return { zones, edits: 1, weakens: "no", lines };
  };
  expect(folded).toEqual([fold("/admin", "a.test", "b.test"), fold("/login", "c.test")]);
  expect(mergeFolds([foldChanges([described("a")], names), foldChanges([described("b")], names)])).toEqual(
    folded.slice(0, 1),
  );
});

test("the order of several edits in a zone does not matter", () => {
  const [a, b] = [described("a"), described("a", "/login")];
  const [first] = foldChanges([a, b], names);
  expect(foldChanges([b, a], names)).toEqual([first]);
  expect(first?.edits).toBe(2);
});

const planned = (urn: string, checksum: string, writes = ["PUT /x"]): PlannedChange => ({
  ...{ urn, zoneId: id("a"), op: "update", writes, version: "3", checksum },
  ...{ weakens: "no", removes: false },
});

test.each([
  ["the same", [planned("u", "1")], []],
  ["a change that an earlier run has made", [], []],
  ["a change that writes nothing any more", [planned("u", "2", [])], []],
  [
    "another change of the same resource",
    [planned("u", "2")],
    ["the preview now changes something else than the plan says"],
  ],
  ["a change of another resource", [planned("v", "1")], ["the plan changes nothing here, and the preview does now"]],
])("%s: moved is %j", (_, now, why) => {
  expect(movedSince([planned("u", "1")], now).map((one) => one.why)).toEqual(why);
});

const state = (change: Partial<RolledOut>): RolledOut => ({
  ...{ urn: "u", zoneId: id("a"), accountId: "", rulesetId: "r", version: "4", previousVersion: "3" },
  ...change,
});
const one = planned("u", "1");
const created: PlannedChange = { ...one, op: "create", version: undefined };

const rollback = (
  changes: readonly PlannedChange[],
  recorded: readonly RolledOut[],
  resources: readonly RolledOut[],
  pending: readonly string[] = [],
) => {
  const shard = { stack: "s", changes };
  const { written } = writesOf(shard, { written: recorded }, { resources, pending });
  const { steps, left } = planRollback(shard, written, { pending });
  // Nobody has written since.
  const current = Math.max(...written.map(({ version }) => Number(version)));
  const others = steps.map((step) => writtenByOthers(step, current));
  return {
    steps: steps.filter((_, index) => others[index] === undefined),
    left: [
      ...left,
      ...steps.flatMap((step, index) => (others[index] === undefined ? [] : { ...step, why: others[index] })),
    ],
  };
};

describe("a rollback", () => {
  test.each([
    ["the version before", one, [state({})], [{ rulesetId: "r", to: 3 }]],
    [
      "no ruleset, where there was none",
      { ...created, writes: ["POST /zones/z/rulesets"] },
      [state({ version: "1", previousVersion: undefined })],
      [{ to: 0 }],
    ],
    ["what a create took over", created, [state({})], [{ to: 3 }]],
    ["nothing that was not changed", one, [state({ version: "3" })], []],
    ["nothing that was not created", { ...one, op: "create" }, [], []],
  ])("restores %s", (_, change, resources, steps) => {
    expect(rollback([change], [], resources)).toMatchObject({ steps, left: [] });
  });

  test("goes by what the plan's own runs wrote, not by what a later run of the stack has written", () => {
    const later = state({ version: "7", previousVersion: "6" });
    expect(rollback([one], [state({})], [later]).steps).toMatchObject([{ to: 3, made: new Set([4]) }]);
  });

  test("leaves what the first rollback found as it was before the plan, whoever has written it since", () => {
    const shard = { stack: "s", changes: ["u", "v", "w"].map((urn) => planned(urn, "1")) };
    const old = { version: "3", previousVersion: "2" };
    const first = writesOf(shard, {}, { resources: [state({}), state({ urn: "v", ...old })], pending: ["w"] });
    expect(first).toMatchObject({ written: [{ urn: "u" }], untouched: ["v"] });
    // The first rollback has refreshed the state, and somebody has ended the write of the killed run.
    const resources = ["u", "v", "w"].map((urn) => state({ urn, version: "5", previousVersion: "3" }));
    const second = writesOf(shard, first, { resources, pending: [] });
    expect(second).toMatchObject({ written: [{ urn: "u", version: "4" }, { urn: "w" }], untouched: ["v"] });
  });

  const creating = { ...created, writes: ["POST /zones/z/rulesets"] };
  const two = { ...one, writes: ["PATCH /x/1", "PATCH /x/2"] };
  const v = (version: string, previousVersion?: string, urn = "u"): RolledOut =>
    state({ urn, version, previousVersion });

  test.each([
    ["several writes", one, [v("4", "3"), v("5", "4")], [], 3],
    ["several writes that created it", creating, [v("1"), v("2", "1")], [], 0],
    ["several writes of what a create took over", created, [v("2", "1"), v("3", "2")], [], 1],
    ["several requests of one write", two, [v("5", "3")], [], 3],
    ["a write that a killed run made, and the next run found", one, [v("4", "2")], [], 3],
    ["the same of a ruleset that has never been replaced", one, [v("4")], [], 3],
    ["an unrecorded write", one, [], [v("4", "3")], 3],
  ])("gets behind %s", (_, change, recorded, resources, to) => {
    const { steps, left } = rollback([change], recorded, resources);
    expect(left).toEqual([]);
    expect(steps.map((step) => step.to)).toEqual([to]);
  });

  test.each([
    [
      "made before the run of the plan",
      one,
      [v("5", "4")],
      [],
      "found version 3 of its ruleset, and no recorded write of the plan made version 4",
    ],
    [
      "made after another copy of the plan, with the same outcome",
      one,
      [],
      [v("5", "4")],
      "made version 4: somebody else may have",
    ],
    ["that a refresh took into the state", one, [], [v("5", "3")], "made version 4"],
    ["made twice with the outcome of the plan", one, [v("5", "2")], [], "made version 4"],
    ["made between two requests of one write", two, [v("6", "3")], [], "made version 4"],
    ["made between two runs", one, [v("4", "3"), v("6", "5")], [], "made version 5"],
    [
      "made where the plan creates",
      creating,
      [],
      [v("2", "1")],
      "the plan found no ruleset, and no recorded write of the plan made version 1",
    ],
  ])("leaves a version that somebody else may have %s, and names it", (_, change, recorded, resources, why) => {
    const { steps, left } = rollback([change], recorded, resources);
    expect(steps).toEqual([]);
    expect(left).toMatchObject([{ urn: "u", zoneId: id("a"), why: expect.stringContaining(why) as string }]);
  });

  test("of several resources in one ruleset restores the version before the first write, once", () => {
    const resources = [v("5", "4", "u"), v("6", "5", "v")];
    const changes = [
      { ...one, version: "4" },
      // Its own last write was earlier; what made version 4 is not to be undone.
      { ...planned("v", "1"), version: "2" },
    ];
    expect(rollback(changes, [], resources).steps).toMatchObject([{ to: 4, made: new Set([5, 6]) }]);
    const both = ["u", "v"].map((urn) => ({ ...creating, urn }));
    const made = [v("1", undefined, "u"), v("2", "1", "v")];
    expect(rollback(both, made, []).steps).toMatchObject([{ to: 0, made: new Set([1, 2]) }]);
  });

  test.each([
    [
      "a deleted ruleset",
      { ...planned("u", "1", ["DELETE /zones/z/rulesets/r"]), op: "delete" },
      [],
      "a ruleset that was deleted has no versions",
    ],
    [
      "a deleted list",
      { ...planned("u", "1", ["DELETE /accounts/a/rules/lists/l"]), op: "delete" },
      [],
      "it has no versions",
    ],
    [
      "a ruleset that was replaced by one elsewhere",
      { ...planned("u", "1", ["POST /zones/z/rulesets/s/rules", "DELETE /zones/z/rulesets/r/rules/x"]), op: "replace" },
      [state({ version: "" }), state({ rulesetId: "s" })],
      "it has moved to another ruleset",
    ],
    ["a list", one, [state({ rulesetId: "" })], "it has no versions"],
    ["what a killed run was changing", planned("w", "1"), [state({ urn: "w", version: "3" })], "pulumi up --stack s"],
    ["what a killed run was creating", { ...planned("w", "1"), op: "create", version: undefined }, [], "--target 'w'"],
    [
      "a rule whose ruleset is older",
      created,
      [state({ previousVersion: undefined })],
      "the previous version of its ruleset was not recorded",
    ],
  ])("leaves %s, and says so", (_, change, resources, why) => {
    const { steps, left } = rollback([change], [], resources, ["w"]);
    expect(steps).toEqual([]);
    expect(left[0]?.why).toContain(why);
  });

  /** A rule that shares its ruleset with others: the state has the version after its last write, and the plan what it found. */
  const beside = (urn: string, op: string, writes: string[]): PlannedChange => ({
    ...planned(urn, "1", writes),
    ...{ op, version: op === "create" ? undefined : "2", found: "6" },
  });
  const patch = "PATCH /zones/z/rulesets/r/rules/1";
  const post = "POST /zones/z/rulesets/r/rules";
  const remove = "DELETE /zones/z/rulesets/r/rules/3";
  test("of rules beside those of others goes back to what the plan found, not to what the stack knew", () => {
    const changes = [beside("u", "update", [patch]), beside("v", "create", [post])];
    const recorded = [state({ version: "7", previousVersion: undefined }), v("8", undefined, "v")];
    expect(rollback(changes, recorded, [])).toMatchObject({ steps: [{ to: 6, made: new Set([7, 8]) }], left: [] });
    // Somebody wrote between the plan and its run, or between two of its writes.
    for (const version of ["8", "7"]) {
      const other = [state({ version, previousVersion: undefined }), v("9", undefined, "v")];
      expect(rollback(changes, other, []).left).toMatchObject([
        { why: expect.stringMatching(/found version 6 .* made version [78]: somebody else may have/) as string },
      ]);
    }
  });

  test("takes a version for the work of a deletion only if its run has recorded it", () => {
    const shard = { stack: "s", changes: [beside("u", "update", [patch]), beside("w", "delete", [remove])] };
    const runs = { written: [state({ version: "7", previousVersion: undefined })] };
    const stepOf = (written: readonly RolledOut[]) => planRollback(shard, written, { pending: [] }).steps[0];
    const recorded = (...versions: string[]) =>
      stepOf([...runs.written, { ...deleted("w", {}, versions), rulesetId: "r" }]);
    const step = recorded("8");
    expect(step).toMatchObject({ to: 6, made: new Set([7, 8]) });
    expect(step && writtenByOthers(step, 8)).toBeUndefined();
    expect(step && writtenByOthers(step, 9)).toBe("somebody else changed it since: version 8 is now 9");
    // Somebody else deleted the rule before, so that the run made no version.
    const nothing = recorded();
    expect(nothing && writtenByOthers(nothing, 8)).toBe("somebody else changed it since: version 7 is now 8");
    // The state no longer has it, and no run has recorded that it deleted it.
    const { written } = writesOf(shard, runs, { resources: [], pending: [] });
    expect(stepOf(written)).toMatchObject({ to: 6, made: new Set([7]) });
    // A deletion that was not made, because the state still has the resource.
    const there = writesOf(shard, runs, { resources: [state({ urn: "w" })], pending: [] });
    expect(stepOf(there.written)).toMatchObject({ to: 6, made: new Set([7]) });
  });

  test("takes the versions of a deletion from progress lines of the engine that tell them", () => {
    const line = deletionText({ id: "r1", version: "9" });
    expect(parseDeletion(line)).toEqual({ rulesetId: "r1", version: "9" });
    expect(parseDeletion(`${line} and more`)).toBeUndefined();
    expect(parseDeletion("deleting")).toBeUndefined();
  });
});

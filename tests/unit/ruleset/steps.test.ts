import type { RulesetRule } from "../../../core/model/generated/rule.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { resultingOrder } from "../../../core/rules/placing/resulting-order.js";
import { findImpossible, rangesOf } from "../../../core/rules/placing/position.js";
import { planSteps, type Placing, type Shares, type Step, StepQueue } from "../../../core/rules/placing/steps.js";
import { fc, runs } from "../../support/properties.js";

const deployed = (id: string): DeployedRule => ({ id, ref: id, version: "1", action: "log", expression: "true" });
const wanted = (ref: string): RulesetRule => ({ ref, action: "log", expression: "true" });

/** Own rules are letters, capitals when no longer wanted; rules of others are digits. */
function shares(there: string, order: string, more: Partial<Shares> = {}): Shares {
  const ids = Array.from(there);
  return {
    order: Array.from(order),
    rules: Object.fromEntries(Array.from(order).map((ref) => [ref, wanted(ref)])),
    ids: new Map(ids.filter((id) => order.includes(id)).map((id) => [id, id])),
    dropped: new Map(ids.filter((id) => /[A-Z]/.test(id)).map((id) => [id, id])),
    deployed: ids.map(deployed),
    changed: new Set(),
    last: { order: [], ids: {} },
    ...more,
  };
}

const placeText = (place: Placing): string =>
  "exact" in place ? JSON.stringify(place.exact) : `${place.side} ${"ref" in place.of ? place.of.ref : place.of.id}`;
const brief = (step: Step): string => {
  const places = step.kind === "delete" ? undefined : step.places;
  const [place] = places ?? [];
  return `${step.kind} ${step.ref}${place === undefined ? "" : ` ${placeText(place)}`}`;
};
const after = (given: Shares): string =>
  resultingOrder(given.deployed, given.ids, planSteps(given))
    .map(({ id, ref }) => ref ?? id)
    .join("");

describe("steps for a shared ruleset", () => {
  test.each([
    ["nothing to do", "1a2b", "ab", [], "1a2b"],
    ["the first rules move to the end", "12", "ab", ["add a", "add b after a"], "12ab"],
    ["a new rule goes after the one before it", "1a2b", "acb", ["add c after a"], "1ac2b"],
    ["a new first rule goes before the next", "1a2", "ca", ["add c before a"], "1ca2"],
    ["a rule replaces one that is deleted", "1a2B3d", "acd", ["add c after B", "delete B"], "1a2c3d"],
    [
      "rules replace several that are deleted",
      "A1B2",
      "cd",
      ["add c after A", "add d after B", "delete B", "delete A"],
      "c1d2",
    ],
    [
      "further new rules follow one another",
      "1A2",
      "cde",
      ["add c after A", "add d after c", "add e after d", "delete A"],
      "1cde2",
    ],
    ["as few rules as possible move", "1a2b3c", "cab", ["change c before a"], "1ca2b3"],
    [
      "a moved rule goes before a rule that was added after it",
      "a1b",
      "bca",
      ["add c before a", "change b before c"],
      "bca1",
    ],
    ["deletes from the bottom up", "A1B2", "", ["delete B", "delete A"], "12"],
  ])("%s", (_, there, order, steps, result) => {
    const given = shares(there, order);
    expect(planSteps(given).map(brief)).toEqual(steps);
    expect(after(given)).toBe(result);
  });

  test("a deleted rule is added back where it was, even if no other rule of the program is left", () => {
    const last = { order: ["1", "a", "2"], ids: { a: "a" } };
    expect(after(shares("12", "a", { last }))).toBe("1a2");
    expect(after(shares("21", "a", { last }))).toBe("21a");
    expect(after(shares("2", "a", { last }))).toBe("a2");
  });

  test("a rule that changes and moves is written once", () => {
    const given = shares("ab", "ba", { changed: new Set(["a", "b"]) });
    const steps = planSteps(given);
    expect(steps).toHaveLength(2);
    expect(steps.filter((step) => step.kind === "change" && step.places !== undefined)).toHaveLength(1);
  });

  const letters = fc.shuffledSubarray(Array.from("abcdefgh"));
  const others = fc.shuffledSubarray(Array.from("123456"));
  const old = fc.shuffledSubarray(Array.from("ABCDE"));
  const given = fc.tuple(letters, letters, others, old).chain(([order, own, foreign, gone]) =>
    fc.tuple(
      fc.shuffledSubarray([...own.filter((ref) => order.includes(ref)), ...foreign, ...gone], {
        minLength: own.filter((ref) => order.includes(ref)).length + foreign.length + gone.length,
      }),
      fc.constant(order.join("")),
    ),
  );

  test("property: the program's rules end up in its order, those of others stay, and no step is superfluous", () => {
    fc.assert(
      fc.property(given, fc.subarray(Array.from("abcdefgh")), ([there, order], edited) => {
        const text = there.join("");
        const plan = shares(text, order, {
          changed: new Set(edited.filter((ref) => text.includes(ref) && order.includes(ref))),
        });
        const steps = planSteps(plan);
        const result = after(plan);
        expect(result.replace(/[0-9]/g, "")).toBe(order);
        expect(result.replace(/[a-z]/g, "")).toBe(text.replace(/[^0-9]/g, ""));
        expect(new Set(steps.map(({ ref }) => ref)).size).toBe(steps.length);
        const kept = Array.from(text).filter((id) => plan.ids.has(id));
        const moves = steps.filter((step) => step.kind === "change" && step.places !== undefined).length;
        expect(moves).toBe(kept.length - longest(kept.map((id) => order.indexOf(id))));
        expect(steps.map(({ kind }) => kind).join()).toMatch(/^(add,?)*(change,?)*(delete,?)*$/);
      }),
      { numRuns: runs(500) },
    );
  });

  test("property: after any part of the steps, a new plan contains the remaining ones", () => {
    fc.assert(
      fc.property(given, fc.nat(), ([there, order], cut) => {
        const plan = shares(there.join(""), order);
        const steps = planSteps(plan);
        const done = steps.slice(0, cut % (steps.length + 1));
        const now = resultingOrder(plan.deployed, plan.ids, done).map(({ id, ref }) => ref ?? id ?? "");
        const rest = planSteps(shares(now.join(""), order));
        expect(rest.length).toBeLessThanOrEqual(steps.length - done.length);
      }),
      { numRuns: runs(500) },
    );
  });

  /** The same with positions of letters beside digits, such as "a<1" and "b>2". */
  const positioned = (there: string, order: string, text: string): Shares => {
    const positions = new Map(
      text.split(" ").flatMap((each) => {
        const [ref = "", side, other = ""] = Array.from(each);
        return ref === "" ? [] : [[ref, side === "<" ? { before: other } : { after: other }] as const];
      }),
    );
    const plan = shares(there, order);
    const others = plan.deployed.filter(({ id }) => !plan.ids.has(id));
    return { ...plan, ranges: rangesOf(plan.order, positions, others) };
  };

  test.each([
    ["a new rule goes right before the rule that its position names", "123", "a", "a<2", ["add a before 2"], "1a23"],
    ["or right after it", "123", "a", "a>2", ["add a after 2"], "12a3"],
    ["the rules after it follow", "123", "ab", "a<2", ["add a before 2", "add b after a"], "1ab23"],
    ["the rules before it stay above", "1a23", "ab", "b>2", ["add b after 2"], "1a2b3"],
    ["a rule that is on the right side stays", "1a23", "a", "a<3", [], "1a23"],
    ["a rule on the other side moves", "123a", "a", "a<2", ["change a before 2"], "1a23"],
    [
      "the rules above it move with it if the order needs it",
      "12ab",
      "ab",
      "b<2",
      ["change a before 2", "change b after a"],
      "1ab2",
    ],
    [
      "a rule that replaces another goes where its position says",
      "1B23",
      "a",
      "a>3",
      ["add a after 3", "delete B"],
      "123a",
    ],
  ])("with positions, %s", (_, there, order, positions, steps, result) => {
    const given = positioned(there, order, positions);
    expect(planSteps(given).map(brief)).toEqual(steps);
    expect(after(given)).toBe(result);
  });

  test.each([
    ["beside the program's own rules", "1a2", "ab", "b>2", ["after 2", "after a", "after 1"]],
    ["beside the next rule of others", "12", "a", "a<1", ["before 1", "before 2"]],
  ])("with positions, a rule whose neighbour is deleted meanwhile goes %s", (_, there, order, positions, places) => {
    const [step] = planSteps(positioned(there, order, positions));
    const named = step === undefined || step.kind === "delete" ? [] : (step.places ?? []);
    expect(named.map(placeText)).toEqual(places);
  });

  const sides = fc.array(
    fc.tuple(
      fc.constantFrom(...Array.from("abcdefgh")),
      fc.constantFrom("<", ">"),
      fc.constantFrom(...Array.from("123456")),
    ),
    { maxLength: 4 },
  );

  test("property: with positions, the program's rules end up in its order and on the right sides, and then stay", () => {
    fc.assert(
      fc.property(given, sides, fc.nat(), ([there, order], requested, cut) => {
        const text = there.join("");
        const isThere = (name: string) => text.includes(name);
        const positions = requested.filter(([ref, , other]) => order.includes(ref) && isThere(other));
        const last = new Map(positions.map((each) => [each[0], each]));
        const wishes = [...last.values()].map((each) => each.join("")).join(" ");
        const plan = positioned(text, order, wishes);
        const others = plan.deployed.filter(({ id }) => !plan.ids.has(id));
        fc.pre(findImpossible(plan.ranges ?? new Map(), others) === undefined);
        const steps = planSteps(plan);
        const result = after(plan);
        expect(result.replace(/[0-9]/g, "")).toBe(order);
        expect(result.replace(/[a-z]/g, "")).toBe(text.replace(/[^0-9]/g, ""));
        for (const [ref, side, other] of last.values())
          expect(result.indexOf(ref) < result.indexOf(other)).toBe(side === "<");
        expect(planSteps(positioned(result, order, wishes))).toEqual([]);
        const done = steps.slice(0, cut % (steps.length + 1));
        const now = resultingOrder(plan.deployed, plan.ids, done).map(({ id, ref }) => ref ?? id ?? "");
        const rest = planSteps(positioned(now.join(""), order, wishes));
        expect(rest.length).toBeLessThanOrEqual(steps.length - done.length);
      }),
      { numRuns: runs(500) },
    );
  });

  test("plans ten thousand rules in a moment", () => {
    const refs = Array.from({ length: 10_000 }, (_, index) => `r${String(index)}`);
    const reversed = refs.toReversed();
    const plan: Shares = {
      order: reversed,
      rules: Object.fromEntries(refs.map((ref) => [ref, wanted(ref)])),
      ids: new Map(refs.filter((_, index) => index % 2 === 0).map((ref) => [ref, ref])),
      dropped: new Map(),
      deployed: refs.map(deployed),
      changed: new Set(refs),
      last: { order: [], ids: {} },
    };
    const steps = planSteps(plan);
    expect(steps).toHaveLength(10_000);
    expect(resultingOrder(plan.deployed, plan.ids, steps).length).toBe(15_000);
  });
});

/** The length of a longest increasing subsequence, computed the simple way. */
function longest(values: readonly number[]): number {
  const best = values.map(() => 1);
  values.forEach((value, index) => {
    for (let before = 0; before < index; before += 1)
      if ((values[before] ?? 0) < value) best[index] = Math.max(best[index] ?? 1, (best[before] ?? 0) + 1);
  });
  return Math.max(0, ...best);
}

describe("the queue of steps", () => {
  const add = (ref: string): Step => ({ kind: "add", ref, rule: wanted(ref), places: [] });
  const remove = (ref: string): Step => ({ kind: "delete", ref, id: ref });
  const drain = (queue: StepQueue): string[] => {
    const names: string[] = [];
    for (let step = queue.next(); step !== undefined; step = queue.next()) names.push(brief(step));
    return names;
  };

  test("returns the steps in order", () => {
    expect(drain(new StepQueue([add("a"), add("b"), remove("c"), remove("d")]))).toEqual([
      "add a",
      "add b",
      "delete c",
      "delete d",
    ]);
  });

  test("lets a deletion go before a step that was refused", () => {
    const queue = new StepQueue([add("a"), add("b"), remove("c"), remove("d")]);
    const first = queue.next();
    if (first === undefined) throw new Error("no step");
    expect(queue.postpone(first, () => true)).toBe(true);
    expect(drain(queue)).toEqual(["delete c", "add a", "add b", "delete d"]);
  });

  test("without a deletion, retries a refused step after the others, as long as they make progress", () => {
    const queue = new StepQueue([add("a"), add("b")]);
    const first = queue.next();
    if (first === undefined) throw new Error("no step");
    expect(queue.postpone(first, () => false)).toBe(true);
    const second = queue.next();
    if (second === undefined) throw new Error("no step");
    expect(brief(second)).toBe("add b");
    expect(queue.postpone(second, () => false)).toBe(false);
  });
});

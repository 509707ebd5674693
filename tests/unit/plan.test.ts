import type { RulesetInputs, RulesetState } from "../../provider/kinds/rulesets/description.js";
import * as conflicts from "../../provider/ownership/conflict.js";
import { planFor } from "../../provider/kinds/rulesets/plans.js";
import { OWN_RULES_CHANGES } from "../../provider/kinds/rulesets/shared/strategy.js";
import { WHOLE_CHANGES } from "../../provider/kinds/rulesets/whole/strategy.js";
import type { Ruleset } from "../../core/model/ruleset.js";
import { block } from "../support/rules.js";

const inputs: RulesetInputs = {
  zoneId: "z",
  phase: "http_ratelimit",
  rules: { a: block("A", "ssl"), b: block("B", "ssl") },
  order: "a\nb\n",
  __urn: "urn:test",
};
const state: RulesetState = {
  ...inputs,
  version: "1",
  lastUpdated: "",
  rulesetId: "r",
  deployedRules: [
    { id: "1", ref: "a", version: "1" },
    { id: "2", ref: "b", version: "1" },
  ],
  ruleIds: { a: "1", b: "2" },
};
const changed: RulesetInputs = { ...inputs, rules: { ...inputs.rules, b: block("B", "not ssl") } };
const actual: Ruleset = {
  id: "r",
  name: "default",
  description: "",
  kind: "zone",
  phase: "http_ratelimit",
  version: "1",
  rules: [
    { ...block("A", "ssl"), id: "1", ref: "a", version: "1" },
    { ...block("B", "ssl"), id: "2", ref: "b", version: "1" },
  ],
};
const planWhole = WHOLE_CHANGES.planOf;
const planOwn = OWN_RULES_CHANGES.planOf;

test("a plan compares once with what is at the service", () => {
  const plan = planFor(planWhole, state, changed);
  const comparison = plan.compareWith(actual);
  expect(plan.compareWith(actual)).toBe(comparison);
  expect(comparison).toMatchObject({
    isUpToDate: false,
    conflict: { foreign: [], edited: [], removed: [], moved: [] },
  });
});

test("the comparison is repeated when the service has something else", () => {
  const plan = planFor(planWhole, state, changed);
  const first = plan.compareWith(actual);
  const rules = [...actual.rules, { ...block("C", "true"), id: "3", ref: "c", version: "1" }];
  const then = plan.compareWith({ ...actual, version: "2", rules });
  expect(then).not.toBe(first);
  expect(then.conflict.foreign).toMatchObject([{ id: "3" }]);
});

describe("the plan of a shared list", () => {
  const shared: RulesetInputs = {
    ...changed,
    ownership: "shared",
    rules: { ...inputs.rules, c: block("C", "ssl") },
    order: "a\nb\nc\n",
  };
  const recorded: RulesetState = { ...state, ownership: "shared" };
  const moved = { ...block("C, before it moved", "true"), id: "3", ref: "c", version: "1" };
  const there: Ruleset = { ...actual, rules: [...actual.rules, moved] };

  test("lets a rule that moved here change, and recognises the others only once", () => {
    const recognise = jest.spyOn(conflicts, "recogniseRules");
    const comparison = planFor(planOwn, recorded, shared).compareWith(there);
    expect(comparison.part).toMatchObject({ occupied: [{ ref: "c", rule: moved }] });
    const adopting = comparison.adopting(new Set(["3"]));
    expect(adopting.part).toMatchObject({ occupied: [], steps: [{ kind: "change", ref: "c", id: "3" }] });
    expect(comparison.adopting(new Set(["3"]))).toBe(adopting);
    expect(comparison.adopting(new Set(["1"]))).toBe(comparison);
    expect(recognise).toHaveBeenCalledTimes(1);
  });

  test("leaves alone a rule that moved away, whatever its new owner does to it", () => {
    const plan = planFor(planOwn, recorded, {
      ...shared,
      rules: { a: block("A", "ssl") },
      order: "a\n",
    });
    const edited: Ruleset = {
      ...actual,
      rules: actual.rules.map((rule) => ({ ...rule, expression: "true", version: "2" })),
    };
    expect(plan.compareWith(edited).part.steps).toMatchObject([{ kind: "change" }, { kind: "delete", id: "2" }]);
    const away = plan.compareWith(edited, new Map([["2", "urn:other"]]));
    expect(away.part.steps).toMatchObject([{ kind: "change", ref: "a" }]);
    expect(plan.removal(away).removed).toMatchObject([{ id: "2" }]);
    expect(plan.compareWith(edited, new Map([["2", "urn:other"]]))).toBe(away);
  });
});

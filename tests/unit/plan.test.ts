import { Session } from "../../provider/engine/session.js";
import type { RulesetInputs, RulesetState } from "../../provider/kinds/ruleset/description.js";
import { forgetPlan, planFor } from "../../provider/kinds/ruleset/plans.js";
import type { Ruleset } from "../../provider/model/ruleset.js";
import { block } from "../support/rules.js";

const session = (): Session =>
  new Session({
    client: () => {
      throw new Error("a plan makes no request");
    },
    reporter: { info: () => undefined, warn: () => undefined, status: () => undefined },
  });
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
const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

test("the update after a diff reuses the plan of the diff, with its comparison", () => {
  const run = session();
  const plan = planFor(run, state, changed);
  const comparison = plan.compareWith(actual);
  const again = planFor(run, copy(state), copy(changed));
  expect(again).toBe(plan);
  expect(again.compareWith(actual)).toBe(comparison);
  expect(comparison).toMatchObject({
    isUpToDate: false,
    conflict: { foreign: [], edited: [], removed: [], moved: [] },
  });
});

test("another state or other inputs get a new plan", () => {
  const run = session();
  const plan = planFor(run, state, changed);
  expect(planFor(run, { ...state, version: "2" }, changed)).not.toBe(plan);
  expect(planFor(run, state, { ...changed, description: "x" })).not.toBe(plan);
});

test("the comparison is repeated when the service has something else", () => {
  const plan = planFor(session(), state, changed);
  const first = plan.compareWith(actual);
  const rules = [...actual.rules, { ...block("C", "true"), id: "3", ref: "c", version: "1" }];
  const then = plan.compareWith({ ...actual, version: "2", rules });
  expect(then).not.toBe(first);
  expect(then.conflict.foreign).toMatchObject([{ id: "3" }]);
});

test("no plan is kept for an unchanged resource, or after a change", () => {
  const run = session();
  expect(planFor(run, state, inputs)).not.toBe(planFor(run, state, inputs));
  const plan = planFor(run, state, changed);
  forgetPlan(run, plan);
  expect(planFor(run, state, changed)).not.toBe(plan);
});

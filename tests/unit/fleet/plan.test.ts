import { openPlan, sealPlan } from "../../../fleet/plan";

const plan = {
  version: 1,
  createdAt: "2026-11-26T10:00:00.000Z",
  program: ".",
  stacks: { prefix: "fleet-" },
  tokens: [],
  waves: [{ name: "canary", gates: [] }],
  failures: { failed: { shards: 0 }, moved: { percent: 50 } },
  definition: "",
  refreshed: false,
  shards: [],
  changes: [],
  estimate: { requests: 0, writes: 0, seconds: 0, waves: [] },
} as const;
const file = JSON.stringify(sealPlan(plan));

test("a plan is read as it was written", () => {
  expect(openPlan(JSON.parse(file), "plan.json")).toEqual(plan);
});

test.each<[string, unknown]>([
  ["without a gate that it had", { ...sealPlan(plan), waves: [] }],
  ["without a checksum", plan],
])("a plan %s is refused", (_, changed) => {
  expect(() => openPlan(changed, "fleet-plan/plan.json")).toThrow(
    "fleet-plan/plan.json is not as `fleet plan` wrote it: its checksum is different. To continue: make a new plan",
  );
});

test.each<unknown>([undefined, [], { version: 2 }, {}])("%j is no plan", (value) => {
  expect(() => openPlan(value, "plan.json")).toThrow("plan.json was written by something else, or another version");
});

import { openPlan, sealPlan } from "../../../tools/fleet/plan";
import { FLEET_PLAN as plan } from "../../support/fleet-plan";

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

test.each<unknown>([undefined, [], { version: 1 }, {}])("%j is no plan", (value) => {
  expect(() => openPlan(value, "plan.json")).toThrow("plan.json was written by another program or version");
});

import { Claims } from "../../../provider/engine/claims.js";
import { objectKeys, targetOf } from "../../../provider/kinds/rulesets/desired.js";
import { Owners } from "../../../provider/kinds/rulesets/run.js";
import { matchesInJoin } from "../../../provider/ownership/join.js";
import { planWholeTakeover } from "../../../provider/ownership/takeover.js";
import type { DeployedRule } from "../../../core/model/ruleset.js";
import { keyedEntries } from "../../../core/rules/keyed.js";
import { block } from "../../support/rules.js";

const deployed = (ref: string, expression: string): DeployedRule => ({
  ...block(ref, expression),
  id: `id-${ref}`,
  ref,
  version: "1",
});
const [mine, theirs] = [deployed("mine", "ssl"), deployed("theirs", "not ssl")];
const existing = { rules: [mine, theirs] };
const own = keyedEntries([{ ref: "mine", rule: block("mine", "ssl") }]);

describe("a takeover of a whole ruleset", () => {
  test("is decided and reported from the matching that gives the rules their refs", () => {
    const reworded = block("mine", 'http.host eq "a"');
    const plan = planWholeTakeover({ deployed: existing, wanted: [reworded], mode: "replace", own: undefined });
    expect(plan.matches.all).toEqual([0]);
    expect(plan.matches.sure).toEqual([undefined]);
    expect(plan.takeover).toMatchObject({ allowed: true, changed: [{ rule: mine }], dropped: [theirs] });
    expect(plan.ofOthers).toBe(plan.takeover);
  });

  test("that must lose nothing counts a rule that merely looks alike as dropped", () => {
    const reworded = block("mine", 'http.host eq "a"');
    const plan = planWholeTakeover({ deployed: existing, wanted: [reworded], mode: "adopt", own: undefined });
    expect(plan.takeover).toMatchObject({ allowed: false, changed: [], dropped: [mine, theirs] });
  });

  test("is decided by the rules of others alone where the resource had rules there before", () => {
    const changed = { ...block("mine", 'http.host eq "a"'), ref: "mine" };
    const alone = planWholeTakeover({ deployed: { rules: [mine] }, wanted: [changed], mode: "fail", own });
    expect(alone.ofOthers).toMatchObject({ allowed: true, kept: [], changed: [], dropped: [] });
    expect(alone.takeover).toMatchObject({ changed: [{ rule: mine }], dropped: [] });
    const both = planWholeTakeover({ deployed: existing, wanted: [changed], mode: "fail", own });
    expect(both.ofOthers).toMatchObject({ allowed: false, dropped: [theirs] });
  });

  test("counts a rule of its own that somebody edited as one of others", () => {
    const edited = deployed("mine", 'http.host eq "by hand"');
    const wanted = [{ ...block("mine", "ssl"), ref: "mine" }];
    const plan = planWholeTakeover({ deployed: { rules: [edited] }, wanted, mode: "fail", own });
    expect(plan.ofOthers).toMatchObject({ allowed: false, changed: [{ rule: edited, fields: ["expression"] }] });
  });
});

test("in a shared ruleset the rules that belong to the program are matched as the join decided", () => {
  const wanted = [block("new", "true"), block("theirs", "not ssl")];
  const { known, sure, all } = matchesInJoin(
    { kept: [{ index: 1, rule: theirs, grounds: "equal" }], equalRules: [] },
    wanted,
  );
  expect(known).toMatchObject([{ ref: "theirs", id: "id-theirs" }]);
  expect([sure, all]).toEqual([
    [undefined, 0],
    [undefined, 0],
  ]);
});

test("a ruleset is inherited from resources that had all of its rules", () => {
  const target = targetOf({ zoneId: "z", phase: "http_ratelimit", kind: "custom" });
  const held = new Map([["id-mine", { urn: "you", version: "3" }]]);
  const owners = new Owners(objectKeys(target, "rs"), new Claims(), held, "me");
  expect(owners.previousHolder([mine])).toBe("you");
  expect(owners.previousHolder([mine, theirs])).toBeUndefined();
  expect(owners.previousHolder([])).toBeUndefined();
});

import type { RulesetInputs, RulesetState } from "../../provider/kinds/rulesets/description.js";
import * as conflicts from "../../provider/ownership/conflict.js";
import { Claims } from "../../provider/engine/claims.js";
import { ruleKeysIn } from "../../provider/kinds/rulesets/desired.js";
import { Owners } from "../../provider/kinds/rulesets/run.js";
import { editOf, planWhole, sidesOf } from "../../provider/kinds/rulesets/plan/change.js";
import { planRules } from "../../provider/kinds/rulesets/plan/rules.js";
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

/** What is there, where other resources of the program declare or had rules by their IDs. */
function thereWith(
  deployed: Ruleset,
  {
    declared = {},
    had = {},
  }: { readonly declared?: Record<string, string>; readonly had?: Record<string, string> } = {},
) {
  const rulesets = ["zones/z/rulesets/r"];
  const claims = new Claims();
  for (const [id, urn] of Object.entries(declared)) claims.add(ruleKeysIn(rulesets, [id]), urn);
  const held = new Map(Object.entries(had).map(([id, urn]) => [id, { urn, version: "1" }]));
  return { isRead: true, deployed, owners: new Owners(rulesets, claims, held, "urn:test"), wasPlaced: () => false };
}

const editFrom = (...sides: Parameters<typeof sidesOf>) => editOf(sidesOf(...sides));

test("a change of a whole ruleset is one request", () => {
  expect(planWhole(editFrom(state, changed), thereWith(actual))).toMatchObject({
    requests: [{ kind: "replace", content: { rules: [{ ref: "a" }, { ref: "b", expression: "not ssl" }] } }],
    notes: { conflict: { foreign: [], edited: [], removed: [], moved: [] }, removal: { removed: [] } },
  });
});

test("it shows what somebody else has added", () => {
  const rules = [...actual.rules, { ...block("C", "true"), id: "3", ref: "c", version: "1" }];
  const { notes } = planWhole(editFrom(state, changed), thereWith({ ...actual, version: "2", rules }));
  expect(notes.conflict.foreign).toMatchObject([{ id: "3" }]);
  expect(notes.removal.removed).toMatchObject([{ id: "3" }]);
});

describe("the change of a shared list", () => {
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
    const edit = editFrom(recorded, shared);
    expect(planRules(edit, thereWith(there)).notes.refusal).toContain("differs in description, expression");
    const recognise = jest.spyOn(conflicts, "recogniseRules");
    const change = planRules(edit, thereWith(there, { had: { "3": "urn:other" } }));
    expect(change).toMatchObject({ requests: [{ kind: "change", ref: "c", id: "3" }] });
    expect(change.notes.refusal).toBeUndefined();
    expect(recognise).toHaveBeenCalledTimes(1);
  });

  test("leaves alone a rule that moved away, whatever its new owner does to it", () => {
    const edit = editFrom(recorded, { ...shared, rules: { a: block("A", "ssl") }, order: "a\n" });
    const edited: Ruleset = {
      ...actual,
      rules: actual.rules.map((rule) => ({ ...rule, expression: "true", version: "2" })),
    };
    const alone = planRules(edit, thereWith(edited));
    expect(alone.requests).toMatchObject([{ kind: "change" }, { kind: "delete", id: "2" }]);
    const away = planRules(edit, thereWith(edited, { declared: { "2": "urn:other" } }));
    expect(away.requests).toMatchObject([{ kind: "change", ref: "a" }]);
    expect(away.notes.removal).toMatchObject({ removed: [], released: [{ rule: { id: "2" }, to: "urn:other" }] });
  });
});

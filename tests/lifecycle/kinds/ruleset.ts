import { RULESET } from "../../../provider/kinds/rulesets/description.js";
import { block } from "../../support/rules.js";
import { kindCase, Pair } from "./kind-case.js";
import { eventsOfRuleset, phase, rulesetChanges } from "./shared.js";

export const tested = kindCase(RULESET, {
  steps: ({ accountId }) => [
    {
      inputs: { accountId, kind: "custom", name: "one", phase, rules: [block("A", "ssl")] },
      expect: "create",
      says: [],
      requests: ["GET /rulesets", "POST /rulesets"],
      state: { name: "one", version: "1" },
    },
    {
      inputs: { accountId, kind: "custom", name: "two", phase, rules: [block("A", "ssl")] },
      expect: "replace",
      state: { name: "two", version: "1" },
    },
  ],
  events: eventsOfRuleset(["GET", "DELETE"]),
  base: ({ accountId }) => ({
    accountId,
    kind: "custom",
    name: "one",
    phase,
    description: "Ours",
    rules: [block("A", "ssl")],
  }),
  changes: (world) => {
    const { zoneId, accountId, rulesetIds } = world;
    const inCustom = {
      ...{ name: "custom 1", rulesetId: rulesetIds[0], description: undefined, ownership: "shared" },
      rules: [{ ...block("A", "ssl"), ref: "a" }],
    };
    return {
      ...rulesetChanges(world),
      zoneId: new Pair({ accountId }, { accountId: undefined, zoneId }),
      accountId: new Pair({ accountId: undefined, zoneId }, { accountId }),
      kind: new Pair({ rules: [] }, { rules: [], kind: "root" }),
      positions: new Pair(inCustom, { ...inCustom, positions: { a: { before: "theirs" } } }),
      rulesetId: new Pair({ name: "custom 1" }, { name: "custom 1", rulesetId: rulesetIds[0] }),
    };
  },
});

import { PHASE_ENTRYPOINT } from "../../../provider/kinds/rulesets/description.js";
import { block } from "../../support/rules.js";
import { kindCase, Pair } from "./kind-case.js";
import { eventsOfRuleset, phase, rulesetChanges } from "./shared.js";

export const tested = kindCase(PHASE_ENTRYPOINT, {
  steps: ({ zoneId }) => [
    {
      inputs: { zoneId, phase, rules: [block("A", "ssl")] },
      expect: "create",
      says: [],
      requests: ["GET /rulesets", "POST /rulesets"],
      state: { phase, version: "1" },
    },
    {
      inputs: { zoneId, phase, rules: [block("A", "not ssl")] },
      expect: "update",
      says: [
        expect.stringContaining(
          "this change lets requests through that were stopped, and stops requests that were not",
        ),
      ],
      counts: "+0 ~1 (expression) -0, 0 unchanged",
      requests: [`GET /rulesets/phases/${phase}/entrypoint`, "PUT /rulesets/<id>"],
      state: { version: "2" },
    },
  ],
  events: eventsOfRuleset(["GET", "PUT"]),
  base: ({ zoneId }) => ({ zoneId, phase, description: "Ours", rules: [block("A", "ssl")] }),
  changes: (world) => ({ ...rulesetChanges(world), name: new Pair({ name: "one" }, { name: "two" }) }),
});

import { isError } from "../../../core/language/finding.js";
import { getShape } from "../../../core/model/shapes.js";
import { shapeFromWire } from "../../../core/model/wire.js";
import { checkRules, findNeeds, isEntitled, unmetNeed } from "../../../provider/validation/index.js";
import type { Path } from "../../../core/model/path.js";
import type { Case } from "./suite.js";

/** Where a preview for a zone of a plan finds a mistake in a body; none if it passes it. */
export function previewErrors({ phase, rules }: Case, plan: string): readonly Path[] {
  const ours = rules.map((rule) => shapeFromWire(rule, getShape("RulesetRule")));
  const unmet = findNeeds(ours, phase)
    .filter((need) => !isEntitled(need, plan))
    .map((need) => unmetNeed(need, { name: "", plan }));
  return [...checkRules(ours, { phase, kind: "zone", level: "zones" }), ...unmet]
    .filter(isError)
    .map(({ path }) => path);
}

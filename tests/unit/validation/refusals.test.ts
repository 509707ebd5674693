import { checkArguments } from "../../../provider/engine/check-arguments.js";
import { findingText } from "../../../provider/validation/index.js";
import { RULESET } from "../../../provider/kinds/rulesets/description.js";
import { UNKNOWN } from "../../../core/model/unknown.js";

const POSITIONS = 'positions: places rules among those of others, so it needs ownership: "shared"';
const NO_EMPTY = "onDelete: empty is for entry points; a custom ruleset is deleted or kept";

test.each<[object, string[]]>([
  [{ positions: {} }, [POSITIONS]],
  [{ positions: {}, ownership: "shared" }, []],
  [{ positions: {}, ownership: UNKNOWN }, []],
  [{ kind: "custom", onDelete: "empty" }, [NO_EMPTY]],
  [{ kind: "custom", onDelete: "empty", ownership: "shared" }, []],
  [{ kind: "zone", onDelete: "empty" }, []],
  [
    { onExisting: "replace", ownership: "shared" },
    ["onExisting: replace would drop the rules of others who share the ruleset"],
  ],
])("of %j", (args, expected) => {
  const found = checkArguments(RULESET, { zoneId: "z", phase: "p", ...args });
  expect(found.map(findingText).map((text) => text.split("; ")[0])).toEqual(
    expected.map((text) => text.split("; ")[0]),
  );
});

import { checkAtMostOne, checkExactlyOne } from "../../../provider/validation/checks/groups.js";
import { findingText } from "../../../provider/validation/index.js";

const NAMES = ["zoneId", "accountId"];

test.each<[object, string[], string[]]>([
  [{}, ["zoneId or accountId is required; specify exactly one"], []],
  [{ zoneId: "a", other: "b" }, [], []],
  [
    { zoneId: "a", accountId: "b" },
    ["zoneId and accountId are mutually exclusive; specify exactly one"],
    ["zoneId and accountId are mutually exclusive; specify at most one"],
  ],
])("of %j", (given, exactlyOne, atMostOne) => {
  const args = given as Readonly<Record<string, unknown>>;
  expect(checkExactlyOne(args, NAMES).map(findingText)).toEqual(exactlyOne);
  expect(checkAtMostOne(args, NAMES).map(findingText)).toEqual(atMostOne);
});

import { KINDS } from "../../provider/kinds/index.js";
import { KIND_CASES } from "./kinds/index.js";
import { lifecycleWithEvents } from "./steps.js";

/*
 * The whole life of each kind: the messages of a preview, the requests and the state of an up, and changes by others.
 * A new kind gets a file in `kinds/`.
 */

for (const { kind, steps, events, seed } of KIND_CASES) lifecycleWithEvents(kind, steps, events, seed);

test("every kind of resource has a life here", () => {
  expect(KIND_CASES.map(({ kind }) => kind).sort()).toEqual(Object.keys(KINDS).sort());
});

import { numberOfDraw, type ShareRange } from "../../shares.js";
import { Unknown, type Evaluated } from "../../value.js";

const NOT_DRAWN = new Unknown([
  {
    kind: "function",
    name: "hash_in_range",
    why: "its hash is not public; pass where the random seed lies as `draw`, from 0 to below 1",
  },
]);

/** The number that a request gets in a range. */
export function numberIn(range: ShareRange, draw: number | undefined): Evaluated {
  return draw === undefined ? NOT_DRAWN : numberOfDraw(range, draw);
}

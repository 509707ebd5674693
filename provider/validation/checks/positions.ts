import { isObject, type Json } from "../../../core/model/json.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { failure, type Findings } from "../../../core/model/failure.js";

/** Checks the index of a position. */
export function checkPositionIndex(position: Json | undefined): Findings {
  const index = isObject(position) ? position.index : undefined;
  if (typeof index !== "number" || (Number.isInteger(index) && index >= 1)) return [];
  return failure(["position", "index"], "must be a whole number of at least 1");
}

/** Checks that the positions of a list name rules. */
export function checkPositions(positions: Json | undefined): Findings {
  if (!isObject(positions) || isUnknown(positions)) return [];
  return Object.entries(positions)
    .map(([ref, position]) =>
      isObject(position) && Object.values(position).includes("")
        ? failure(["positions", ref], "must be the ref or the ID of a rule of somebody else")
        : [],
    )
    .flat();
}

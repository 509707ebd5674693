import { areLongEnough, digestsIn, exactly, named } from "../../lists/digests.js";
import type { Items } from "../../lists/item.js";
import { RulesetsError } from "../../model/errors.js";
import type { ListState } from "./description.js";

/*
 * The items that a state records. Earlier versions also wrote digests of shared lists, and shorter ones, of which items of others can
 * have the same. Such a state counts only where the digest of all says what its items are, and is written anew by the next `up`.
 */

type Recorded = Pick<ListState, "name" | "items" | "ownership">;

/** Whether a state has digests that an item of somebody else may have too. */
export function isAmbiguous({ items, ownership }: Recorded): boolean {
  const digests = digestsIn(items);
  return digests !== undefined && (ownership === "shared" || !areLongEnough(digests));
}

/** The items of a state with their values, as far as known ones have them; undefined where these may be somebody else's. */
export function findRecorded(state: Recorded, known: readonly Items[]): Items | undefined {
  return isAmbiguous(state) ? exactly(state.items, known) : named(state.items, known);
}

/** The same, where nothing can be done without knowing. */
export function recordedItems(state: Recorded, known: readonly Items[]): Items {
  const items = findRecorded(state, known);
  if (items === undefined) throw ambiguousError(state);
  return items;
}

export function ambiguousError({ name }: Recorded): RulesetsError {
  return new RulesetsError(
    `an earlier version wrote the state of the list ${name}, which does not say for certain which items are this stack's. Nothing was ` +
      "changed. To continue: run `pulumi up --refresh=false` with the resource in the program as it was in the last run, which records " +
      "its items. If that stops here too, run `pulumi state delete` for the resource, and then `pulumi up`, which takes the items of " +
      "the program over.",
    { code: "CONFIG_INVALID" },
  );
}

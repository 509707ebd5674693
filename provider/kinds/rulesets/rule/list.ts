import type { ListIn } from "../../../engine/listing.js";
import { ruleResourceId } from "../../../model/ids.js";
import { listByResource } from "../list.js";

/** Every rule of every ruleset. Sends one request for each ruleset. */
export const listRules: ListIn = async function* (session, place) {
  for await (const { id, name, rulesetId } of listByResource(session, place)) {
    const { rules } = await session.client.rulesets.get(place, rulesetId);
    for (const rule of rules)
      yield { id: ruleResourceId(id, rule.ref), name: `${name} ${rule.description ?? rule.ref}` };
  }
};

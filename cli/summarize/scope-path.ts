import type { JsonObject } from "../../provider/model/json.js";
import { UNKNOWN } from "../../provider/model/unknown.js";

/** `zones/0123…`: the start of the path of every rulesets request. */
export function scopePath({ zoneId, accountId }: JsonObject): string {
  return known(zoneId) === "" ? `accounts/${known(accountId) || "<account>"}` : `zones/${known(zoneId)}`;
}

function known(value: unknown): string {
  return typeof value === "string" && value !== UNKNOWN ? value : "";
}

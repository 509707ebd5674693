import { RulesetsError } from "../../core/model/errors.js";
import { checkHostnameId, checkId } from "../validation/checks/ids.js";
import { findingText, type Findings } from "../../core/model/failure.js";

/**
 * Reads a resource. For a read by `get`, which passes its name in `caller`, a missing object is an error, while a refresh
 * would remove the resource from the state. The error names the resource, because the engine's message for a failed read
 * does not.
 */
export async function readFor<T>(
  caller: unknown,
  id: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (typeof caller !== "string") return read();
  const [fault] = checkParts(id);
  if (fault !== undefined)
    throw new RulesetsError(`${caller}: ${id} is not a valid ID: ${findingText(fault)}.`, {
      code: "ARGUMENTS_INVALID",
    });
  const found = await read().catch((error: unknown) => {
    if (!(error instanceof RulesetsError)) throw error;
    throw new RulesetsError(`${caller}: ${id} cannot be read. ${error.message}`, { code: error.code, cause: error });
  });
  if (found !== undefined) return found;
  throw new RulesetsError(
    `${caller}: ${id} does not exist. Check the ID; to create it, declare the resource with its arguments.`,
    { code: "API_NOT_FOUND" },
  );
}

/** Checks the service's IDs inside a resource ID. An ID in another form is reported by the kind of resource. */
function checkParts(id: string): Findings {
  const [level, scope, group, last] = id.split("/");
  if (scope === undefined) return /^[0-9a-f]{32}$/i.test(id) ? checkId(["rulesetId"], id) : [];
  if (group === undefined || (level !== "zones" && level !== "accounts")) return [];
  return [
    checkId([level === "zones" ? "zoneId" : "accountId"], scope),
    group === "rulesets" ? checkId(["rulesetId"], last) : [],
    group === "custom-hostnames" ? checkHostnameId(["customHostnameId"], last) : [],
  ].flat();
}

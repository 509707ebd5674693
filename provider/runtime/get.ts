import { RulesetsError } from "../model/errors.js";
import { checkHostnameId, checkId, failureText, join, type Findings } from "../validation/index.js";

/**
 * A read on behalf of `get`, which names itself in its arguments. What is not there is an error then, and not a resource
 * that a refresh drops; and since the engine's line on a read that failed names no resource, the error does.
 */
export async function readFor<T>(
  asked: unknown,
  id: string,
  read: () => Promise<T | undefined>,
): Promise<T | undefined> {
  if (typeof asked !== "string") return read();
  const [fault] = checkParts(id).failures;
  if (fault !== undefined)
    throw new RulesetsError(`${asked}: ${id} is not an ID: ${failureText(fault)}.`, { code: "ARGUMENTS_INVALID" });
  const found = await read().catch((error: unknown) => {
    if (!(error instanceof RulesetsError)) throw error;
    throw new RulesetsError(`${asked}: ${id} cannot be read. ${error.message}`, { code: error.code, cause: error });
  });
  if (found !== undefined) return found;
  throw new RulesetsError(
    `${asked}: there is no ${id} at the service. Check the ID; to create it, declare the resource with its arguments.`,
    { code: "API_NOT_FOUND" },
  );
}

/** The IDs of the service inside the ID of a resource. What is not one in form is told by its kind of resource. */
function checkParts(id: string): Findings {
  const [level, scope, group, last] = id.split("/");
  if (scope === undefined) return /^[0-9a-f]{32}$/i.test(id) ? checkId(["rulesetId"], id) : join([]);
  if (group === undefined || (level !== "zones" && level !== "accounts")) return join([]);
  return join([
    checkId([level === "zones" ? "zoneId" : "accountId"], scope),
    group === "rulesets" ? checkId(["rulesetId"], last) : join([]),
    group === "custom-hostnames" ? checkHostnameId(["customHostnameId"], last) : join([]),
  ]);
}

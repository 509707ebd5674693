import type { Client, Ruleset, Scope } from "../../../client/index.js";
import { ApiError } from "../../../core/model/errors.js";
import type { JsonObject } from "../../../core/model/json.js";
import { failureText } from "./answers.js";
import { permissionFor } from "../../../client/http/permissions.js";
import { PHASES, sentBodies } from "./suite.js";

/** What a zone has in a phase: the entry point, none, or one that the token may not read, or that could not be read. */
type Entrypoint = Ruleset | "none" | "hidden" | "unread";

/** By phase. */
export type Found = ReadonlyMap<string, Entrypoint>;

/**
 * Reads each phase that bodies are sent to, and whatever else is listed: a list omits what a token may not read.
 * @param failures gets the phases that could not be read, with why @default the first one is thrown
 */
export async function readEntrypoints(client: Client, scope: Scope, failures?: string[]): Promise<Found> {
  const listed = (await client.rulesets.list(scope)).flatMap(({ kind, phase }) => (kind === "zone" ? [phase] : []));
  const found = new Map<string, Entrypoint>();
  for (const phase of new Set([...PHASES, ...listed])) {
    try {
      found.set(phase, (await client.rulesets.findEntrypoint(scope, phase)) ?? "none");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const isHidden = error.code === "API_FORBIDDEN";
      if (!isHidden && failures === undefined) throw error;
      if (!isHidden) failures?.push(`${phase}: ${failureText(error)}`);
      found.set(phase, isHidden ? "hidden" : "unread");
    }
  }
  return found;
}

/** Why no body may be sent to a phase; undefined if it has no rules. */
export function whyNotEmpty(found: Found, phase: string): string | undefined {
  const entrypoint = found.get(phase) ?? "hidden";
  if (entrypoint === "hidden")
    return `the token may not read ${phase} (needs "${permissionFor({ method: "GET", path: "/rulesets", phase })}")`;
  if (entrypoint === "unread") return `${phase} could not be read`;
  return entrypoint !== "none" && entrypoint.rules.length > 0 ? `the zone has rules in ${phase}` : undefined;
}

/**
 * Removes what a service has kept of a dry run: entry points that have only rules of one body. Returns their phases. The rules of a
 * ruleset that was there before are deleted one by one, so that a rule that somebody adds meanwhile stays.
 */
export async function removeLeftOvers(client: Client, scope: Scope, found: Found): Promise<string[]> {
  const left = [...found.values()].filter((one) => typeof one !== "string").filter(isLeftOver);
  for (const { id, version, rules } of left) {
    if (version === "1") await client.rulesets.delete(scope, id);
    else for (const rule of rules) await client.rulesets.deleteRule(scope, id, rule.id);
  }
  return left.map(({ phase }) => phase);
}

function isLeftOver({ rules }: Ruleset): boolean {
  return (
    rules.length > 0 &&
    // Some of the rules may be gone: of a run that was killed while it deleted them.
    sentBodies.some((sent) => rules.every((rule) => sent.some((one) => isSame(one, rule))))
  );
}

function isSame(sent: JsonObject, found: Ruleset["rules"][number]): boolean {
  return (
    found.enabled === false &&
    found.ref === sent.ref &&
    found.action === sent.action &&
    found.expression === sent.expression &&
    (found.description ?? "") === (sent.description ?? "")
  );
}

import { ApiError, firstLineOf, RulesetsError } from "../../core/model/errors.js";
import type { Scope } from "../../core/model/ids.js";
import type { JsonObject } from "../../core/model/json.js";
import { findZone } from "./find-zone.js";
import type { Session } from "./session.js";

/** An object of the service that a resource can manage. */
export interface Listed {
  /** The ID to import it by. */
  readonly id: string;
  /** For people. */
  readonly name: string;
}

/** A zone or an account whose objects are listed. */
export interface NamedScope extends Scope {
  /** The name of a zone, or the ID of an account. */
  readonly name: string;
  /** The account of a zone; of an account, its own ID. */
  readonly accountId: string;
}

/** Lists the objects of one kind in a zone or an account. */
export type ListIn = (session: Session, place: NamedScope) => AsyncIterable<Listed>;

/** Where to list objects. @default everywhere that the credentials can access */
export interface ListQuery {
  /** Its ID or its name. */
  readonly zoneId?: string;
  /** Its own objects, and those of its zones. */
  readonly accountId?: string;
}

interface ListedKind {
  readonly levels: readonly Scope["level"][];
  readonly list: ListIn;
}

/**
 * Lists the objects of one kind, place after place, so that nobody waits for all of them. Fails at the end if a place could not
 * be read, and names it: a list must not look complete when it is not.
 */
export async function* listEverywhere(
  session: Session,
  { levels, list }: ListedKind,
  query: JsonObject,
): AsyncGenerator<Listed> {
  const unread: string[] = [];
  for await (const place of places(session, parseQuery(query))) {
    if (!levels.includes(place.level)) continue;
    try {
      yield* list(session, place);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // A place has no such objects at all if it does not have the product.
      if (error.code === "API_NOT_FOUND") continue;
      if (error.code !== "API_FORBIDDEN") throw error;
      unread.push(`${placeWords(place)}: ${firstLineOf(error)}`);
    }
  }
  if (unread.length === 0) return;
  throw new RulesetsError(
    `the list is not complete, because these credentials could not read\n${unread.map((text) => `  - ${text}`).join("\n")}\n` +
      "To continue: list zones that they can read, with `zoneId` or `accountId`, or give them the permission to read.",
    { code: "API_FORBIDDEN" },
  );
}

async function* places({ client }: Session, { zoneId, accountId }: ListQuery): AsyncGenerator<NamedScope> {
  if (zoneId !== undefined) {
    yield zonePlace(await findZone(client, zoneId));
    return;
  }
  const accounts = new Set<string>();
  if (accountId !== undefined) {
    accounts.add(accountId);
    yield accountPlace(accountId);
  }
  for await (const page of client.zones.pages(accountId === undefined ? {} : { accountId })) {
    for (const zone of page) {
      // The accounts of all zones are the ones that a token without the permission to list accounts knows.
      if (!accounts.has(zone.accountId)) yield accountPlace(zone.accountId);
      accounts.add(zone.accountId);
      yield zonePlace(zone);
    }
  }
}

function zonePlace({ id, name, accountId }: { id: string; name: string; accountId: string }): NamedScope {
  return { level: "zones", id, name, accountId };
}

function accountPlace(id: string): NamedScope {
  return { level: "accounts", id, name: id, accountId: id };
}

function placeWords({ level, name }: NamedScope): string {
  return `${level === "zones" ? "zone" : "account"} ${name}`;
}

const LIST_ARGUMENTS = ["zoneId", "accountId"] as const satisfies readonly (keyof ListQuery)[];

/** A query that says something else than where to look would otherwise seem to find everything. */
function parseQuery(query: JsonObject): ListQuery {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  for (const [name, value] of given)
    if (typeof value !== "string" || value === "" || !LIST_ARGUMENTS.some((known) => known === name))
      throw new RulesetsError(`a list is limited with ${LIST_ARGUMENTS.join(" or ")}, as text, not with ${name}`, {
        code: "ARGUMENTS_INVALID",
      });
  if (given.length > 1)
    throw new RulesetsError("a list is limited with zoneId or accountId, not both", { code: "ARGUMENTS_INVALID" });
  return Object.fromEntries(given);
}

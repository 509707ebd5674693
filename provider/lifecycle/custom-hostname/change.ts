import { RECOMMENDED } from "../../certificates/authorities.js";
import { outcomeOf } from "../../certificates/status.js";
import type { CustomHostname } from "../../model/certificates.js";
import { hostnameAuthorityId } from "../../model/ids.js";
import { sameJson, type JsonObject } from "../../model/json.js";
import type { Session } from "../../session/session.js";
import { settle } from "../settle.js";

/** What a hostname's certificate shall be. */
export interface Wanted {
  /** Empty for the service's default. */
  readonly authority: string;
  readonly method?: string;
  readonly type?: string;
}

/**
 * Whether an edit would change anything: every edit issues anew, so none is sent without a difference. What the service
 * answers after its default was asked for tells nothing; so the default is asked for when something else was asked for
 * before, or when a hostname of unknown history is not issued by what the default prefers.
 */
export function differs({ ssl }: CustomHostname, wanted: Wanted, asked: string | undefined): boolean {
  const { authority, method, type } = wanted;
  const present = ssl.certificateAuthority;
  const other =
    authority === ""
      ? asked === undefined
        ? present !== RECOMMENDED
        : asked !== ""
      : present === ""
        ? asked !== authority
        : present !== authority;
  return other || (method !== undefined && method !== ssl.method) || (type !== undefined && type !== ssl.type);
}

/** The body of an edit: authority, method and type together, and everything that shall stay, said again. */
export function editBody({ ssl }: CustomHostname, { authority, method, type }: Wanted): JsonObject {
  return {
    ...ssl.echo,
    method: method ?? ssl.method,
    type: type ?? (ssl.type === "" ? "dv" : ssl.type),
    certificate_authority: authority,
  };
}

/** Sends an edit, once; after a lost answer the hostname is looked at before it is sent again. */
export function edit(
  session: Session,
  zoneId: string,
  current: CustomHostname,
  wanted: Wanted,
): Promise<CustomHostname> {
  const { customHostnames } = session.client;
  const send = (): Promise<CustomHostname> => customHostnames.edit(zoneId, current.id, editBody(current, wanted));
  return session.queue.run(hostnameAuthorityId(zoneId, current.id), () => {
    session.reissued.add(current.id);
    session.hostnames.forget(zoneId, current.id);
    return settle(send, {
      look: () => customHostnames.find(zoneId, current.id),
      landed: (now) => hasLanded(current, now, wanted),
    });
  });
}

/**
 * Whether a hostname shows an edit of which no answer came. Certificates move on by themselves, so a later status proves
 * nothing: the authority does, and where the default was asked for, that the validation began anew.
 */
function hasLanded({ ssl: before }: CustomHostname, { ssl: now }: CustomHostname, wanted: Wanted): boolean {
  const { authority, method = before.method } = wanted;
  if (authority !== "" && now.certificateAuthority !== "" && before.certificateAuthority !== authority)
    return now.certificateAuthority === authority && now.method === method;
  const others = now.validationRecords.length > 0 && before.validationRecords.length > 0;
  return (
    (outcomeOf(before.status) !== "waiting" && outcomeOf(now.status) === "waiting") ||
    (others && !sameJson(now.validationRecords, before.validationRecords))
  );
}

const LONGEST_MS = 60_000;

/** Looks until there are records to publish, or nothing to wait for; for a minute at most, for DNS may be made of them. */
export async function awaitRecords(
  session: Session,
  zoneId: string,
  edited: CustomHostname,
  urn: string | undefined,
): Promise<CustomHostname> {
  let current = edited;
  const until = session.clock.now() + LONGEST_MS;
  for (let seconds = 1; isOnTheWay(current) && session.clock.now() < until; seconds = Math.min(seconds * 2, 10)) {
    session.reporter.status(urn, `${current.hostname}: ${current.ssl.status}; waiting for the validation records`);
    await session.clock.sleep(seconds * 1000);
    current = (await session.client.customHostnames.find(zoneId, edited.id)) ?? current;
  }
  return current;
}

function isOnTheWay({ ssl }: CustomHostname): boolean {
  return ssl.validationRecords.length === 0 && outcomeOf(ssl.status) === "waiting" && ssl.status !== "";
}

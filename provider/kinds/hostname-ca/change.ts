import { RECOMMENDED, resolveDefault } from "../../certificates/authorities.js";
import { outcomeOf } from "../../certificates/status.js";
import type { CustomHostname } from "../../model/certificates.js";
import { hostnameAuthorityId } from "../../model/ids.js";
import { sameJson, type JsonObject } from "../../model/json.js";
import type { Session } from "../../engine/session.js";
import { settle } from "../../engine/recover.js";
import { caaLookup } from "../hostnames/caa-lookup.js";
import { hostnameReads } from "../hostnames/hostname-reads.js";
import { reissued } from "../hostnames/reissued.js";

/** What a hostname's certificate shall be. */
export interface Wanted {
  /** Empty for the service's default. */
  readonly authority: string;
  readonly method?: string;
  readonly type?: string;
}

/**
 * Whether an edit would change anything: every edit issues anew, so none is sent without a difference. CAA records are
 * looked up only where the answer depends on them.
 */
export async function wouldChange(
  session: Session,
  current: CustomHostname,
  wanted: Wanted,
  asked: string | undefined,
): Promise<boolean> {
  if (wanted.authority !== "" || asked !== undefined) return differs(current, wanted, asked);
  return differs(current, wanted, asked, (await resolveDefault(current.hostname, session.part(caaLookup))).authority);
}

/**
 * What the service answers after its default was asked for tells nothing; so the default is asked for when something else
 * was asked for before, or when a hostname of unknown history is not issued by what the default comes to for it.
 */
export function differs(
  { ssl }: CustomHostname,
  { authority, method, type }: Wanted,
  asked: string | undefined,
  byDefault: string = RECOMMENDED,
): boolean {
  const present = ssl.certificateAuthority;
  const other =
    authority === ""
      ? asked === undefined
        ? present !== byDefault
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
    session.part(reissued).add(current.id);
    session.part(hostnameReads).forget(zoneId, current.id);
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

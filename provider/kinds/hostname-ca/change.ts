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

/** The certificate settings that a program wants for a hostname. */
export interface Wanted {
  /** Empty for the service's default. */
  readonly authority: string;
  readonly method?: string;
  readonly type?: string;
}

/**
 * Whether an edit would change anything. Every edit reissues the certificate, so none is sent when nothing differs. CAA
 * records are looked up only where the answer depends on them.
 */
export async function wouldChange(
  session: Session,
  current: CustomHostname,
  wanted: Wanted,
  requested: string | undefined,
): Promise<boolean> {
  if (wanted.authority !== "" || requested !== undefined) return differs(current, wanted, requested);
  return differs(
    current,
    wanted,
    requested,
    (await resolveDefault(current.hostname, session.part(caaLookup))).authority,
  );
}

/**
 * Whether the wanted settings differ from the current ones. After a request for its default, the service returns only
 * the authority in use, so the response does not show that the default was requested. The default is therefore
 * requested when something else was requested before, or when the history is unknown and the authority in use is not
 * the one that the default resolves to.
 */
export function differs(
  { ssl }: CustomHostname,
  { authority, method, type }: Wanted,
  requested: string | undefined,
  byDefault: string = RECOMMENDED,
): boolean {
  const present = ssl.certificateAuthority;
  const otherAuthority =
    authority === ""
      ? requested === undefined
        ? present !== byDefault
        : requested !== ""
      : present === ""
        ? requested !== authority
        : present !== authority;
  return otherAuthority || (method !== undefined && method !== ssl.method) || (type !== undefined && type !== ssl.type);
}

/** The body of an edit: authority, method and type together, and every setting that is to stay unchanged. */
export function editBody({ ssl }: CustomHostname, { authority, method, type }: Wanted): JsonObject {
  return {
    ...ssl.echo,
    method: method ?? ssl.method,
    type: type ?? (ssl.type === "" ? "dv" : ssl.type),
    certificate_authority: authority,
  };
}

/** Sends an edit. If the response is lost, reads the hostname before sending the edit again. */
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
 * Whether a hostname shows that an edit without a response was applied. A certificate's status changes on its own, so a
 * later status proves nothing. A new authority does, and for the default, a restarted validation.
 */
function hasLanded({ ssl: before }: CustomHostname, { ssl: now }: CustomHostname, wanted: Wanted): boolean {
  const { authority, method = before.method } = wanted;
  if (authority !== "" && now.certificateAuthority !== "" && before.certificateAuthority !== authority)
    return now.certificateAuthority === authority && now.method === method;
  const bothHaveRecords = now.validationRecords.length > 0 && before.validationRecords.length > 0;
  return (
    (outcomeOf(before.status) !== "waiting" && outcomeOf(now.status) === "waiting") ||
    (bothHaveRecords && !sameJson(now.validationRecords, before.validationRecords))
  );
}

import { RECOMMENDED_AUTHORITY, resolveDefaultAuthority } from "../../../../core/certificates/authorities.js";
import { outcomeOf } from "../../../../core/certificates/status.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import { hostnameAuthorityId } from "../../../../core/model/ids.js";
import { sameJson, type JsonObject } from "../../../../core/model/json.js";
import type { Session } from "../../../engine/session.js";
import { sendWithRecovery } from "../../../engine/recover.js";
import { hostnameReads } from "../hostname-reads.js";

/** The certificate settings that a program wants for a hostname. */
export interface WantedCertificate {
  /** Empty for the service's default. */
  readonly authority: string;
  readonly method?: string;
  readonly type?: string;
}

/**
 * Whether an edit would change anything. Every edit reissues the certificate, so none is sent when nothing differs. CAA
 * records are looked up only where the answer depends on them.
 */
export async function wouldEditChange(
  session: Session,
  current: CustomHostname,
  wanted: WantedCertificate,
  requested: string | undefined,
): Promise<boolean> {
  if (wanted.authority !== "" || requested !== undefined) return isEditNeeded(current, wanted, requested);
  return isEditNeeded(
    current,
    wanted,
    requested,
    (await resolveDefaultAuthority(current.hostname, session.resolveCaa)).authority,
  );
}

/**
 * Whether the wanted settings differ from the current ones. After a request for its default, the service returns only
 * the authority in use, so the response does not show that the default was requested. The default is therefore
 * requested when something else was requested before, or when the history is unknown and the authority in use is not
 * the one that the default resolves to. An authority is requested when another one is in use, or when this resource requested the
 * default before: otherwise the service would go on choosing. A new resource may be a renamed one, so that what is in use is left.
 */
export function isEditNeeded(
  { ssl }: CustomHostname,
  { authority, method, type }: WantedCertificate,
  requested: string | undefined,
  byDefault: string = RECOMMENDED_AUTHORITY,
): boolean {
  const present = ssl.certificateAuthority;
  const otherAuthority =
    authority === ""
      ? requested === undefined
        ? present !== byDefault
        : requested !== ""
      : present === ""
        ? requested !== authority
        : present !== authority || requested === "";
  return otherAuthority || (method !== undefined && method !== ssl.method) || (type !== undefined && type !== ssl.type);
}

/** The body of an edit: authority, method and type together, and every setting that is to stay unchanged. */
function editBody({ ssl }: CustomHostname, { authority, method, type }: WantedCertificate): JsonObject {
  return {
    ...ssl.echo,
    method: method ?? ssl.method,
    type: type ?? (ssl.type === "" ? "dv" : ssl.type),
    certificate_authority: authority,
  };
}

/** Sends an edit. If the response is lost, reads the hostname before sending the edit again. */
export function editHostname(
  session: Session,
  zoneId: string,
  current: CustomHostname,
  wanted: WantedCertificate,
): Promise<CustomHostname> {
  const { customHostnames } = session.client;
  const send = (): Promise<CustomHostname> => customHostnames.edit(zoneId, current.id, editBody(current, wanted));
  return session.queue.run(hostnameAuthorityId(zoneId, current.id), () => {
    hostnameReads(session).reissued.add(current.id);
    hostnameReads(session).forget(zoneId, current.id);
    return sendWithRecovery(send, {
      read: () => customHostnames.find(zoneId, current.id),
      wasApplied: (edited) => wasApplied(current, edited, wanted),
    });
  });
}

/**
 * Whether a hostname shows that an edit without a response was applied. A certificate's status changes on its own, so a
 * later status proves nothing. A new authority does, and for the default, a restarted validation.
 */
function wasApplied(
  { ssl: before }: CustomHostname,
  { ssl: current }: CustomHostname,
  wanted: WantedCertificate,
): boolean {
  const { authority, method = before.method } = wanted;
  if (authority !== "" && current.certificateAuthority !== "" && before.certificateAuthority !== authority)
    return current.certificateAuthority === authority && current.method === method;
  const bothHaveRecords = current.validationRecords.length > 0 && before.validationRecords.length > 0;
  return (
    (outcomeOf(before.status) !== "waiting" && outcomeOf(current.status) === "waiting") ||
    (bothHaveRecords && !sameJson(current.validationRecords, before.validationRecords))
  );
}

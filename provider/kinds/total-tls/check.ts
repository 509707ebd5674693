import { AUTHORITIES, authorityWords } from "../../certificates/authorities.js";
import { totalTlsId } from "../../model/ids.js";
import type { JsonObject } from "../../model/json.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import type { Session } from "../../engine/session.js";
import {
  checkZoneId,
  failure,
  join,
  knownName,
  knownValue,
  type Failure,
  type Findings,
} from "../../validation/index.js";
import type { CheckedProps, Props } from "../../engine/lifecycle.js";
import { answer, receive, unasked, type Request } from "../../engine/request.js";
import { refuseSecrets, withoutSecrets } from "../../engine/secrets.js";
import type { TotalTlsInputs } from "./model.js";

const NAMES = ["zoneId", "certificateAuthority", "onDelete"];
/** Total TLS knows no default to go back to, and not every authority (operation `total-tls-enable-or-disable-total-tls`). */
const OFFERED = AUTHORITIES.filter((authority) => authority !== "digicert");

/** Everything that can be known before a write: shapes, who else holds it, and from which authority to which. */
export async function check(session: Session, olds: Props, news: Props): Promise<CheckedProps> {
  const request = receive(session, olds, news);
  const { args, urn, preview } = request;
  const owner = hasUnknown(args.zoneId) || urn === "" ? join([]) : checkOwner(session, args, urn);
  const findings = join([withoutSecrets(checkArguments(args), request), refuseSecrets(request.secretPaths, []), owner]);
  const isNew = olds.zoneId === undefined || olds.zoneId !== args.zoneId;
  const asks = isNew && !hasUnknown(args) && !(preview && session.previewChecks === "off");
  const refusal = asks && findings.failures.length === 0 ? await tell(request) : undefined;
  return answer(request, args, {
    ...findings,
    failures: refusal === undefined ? findings.failures : [refusal],
  });
}

function checkArguments(args: JsonObject): Findings {
  const { zoneId, certificateAuthority: authority, onDelete } = args;
  const path = ["certificateAuthority"];
  return join([
    ...Object.keys(args).map((name) => knownName([name], "TotalTlsCa takes no", name, NAMES)),
    checkZoneId(zoneId),
    isUnknown(authority)
      ? join([])
      : typeof authority !== "string" || authority === ""
        ? failure(path, `is missing; one of ${OFFERED.join(", ")}. Total TLS has no default to go back to`)
        : knownValue(path, "the certificate authority", authority, OFFERED),
    onDelete === undefined || isUnknown(onDelete) || onDelete === "keep" || onDelete === "restore"
      ? join([])
      : failure(["onDelete"], "must be one of keep, restore"),
  ]);
}

function checkOwner(session: Session, { zoneId }: JsonObject, urn: string): Findings {
  const other = session.owners.hold(totalTlsId(zoneId as string), urn);
  return other === undefined
    ? join([])
    : failure(
        [],
        `two resources choose the authority of Total TLS in zone ${zoneId as string}: ${[urn, other].sort().join(" and ")}. Keep one`,
      );
}

/** Says what will change; the reason when the service could not be asked and must be. */
async function tell(request: Request): Promise<Failure | undefined> {
  const { session, urn } = request;
  const inputs = request.args as unknown as TotalTlsInputs;
  try {
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const state = present.enabled ? "on" : "off, and stays off";
    const [from, to] = [present.certificateAuthority, inputs.certificateAuthority].map(authorityWords);
    session.reporter.info(
      urn,
      present.certificateAuthority === inputs.certificateAuthority
        ? `Total TLS is ${state}; its authority is already ${from ?? ""}, so no write will be sent`
        : `Total TLS is ${state}; its authority changes from ${from ?? ""} to ${to ?? ""}, for certificates ordered from then on`,
    );
    return undefined;
  } catch (error) {
    return unasked(request, error, "the authority of Total TLS");
  }
}

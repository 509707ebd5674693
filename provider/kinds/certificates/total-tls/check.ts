import { authorityName } from "../../../../core/certificates/authorities.js";
import { bothUrns, checkClaim } from "../../../engine/claims.js";
import type { GivenArguments } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { unavailableCheck, type Request } from "../../../engine/request.js";
import { planKnown } from "../../../engine/published-plans.js";
import { totalTlsId } from "../../../../core/model/ids.js";
import { isKnown, isUnknown } from "../../../../core/model/unknown.js";
import type { Findings } from "../../../validation/index.js";
import { TOTAL_TLS_CA, type TotalTlsInputs } from "./description.js";

type TotalTlsRequest = CheckRequest<typeof TOTAL_TLS_CA>;

/** Checks that no other resource manages the same zone, without a request. */
export function validate({ session, args, urn }: Request<GivenArguments<typeof TOTAL_TLS_CA>>): Findings {
  const { zoneId } = args;
  if (typeof zoneId !== "string" || isUnknown(zoneId)) return [];
  return checkClaim(session, urn, {
    keys: [totalTlsId(zoneId)],
    refusal: (other) =>
      `two resources choose the authority of Total TLS in zone ${zoneId}: ${bothUrns(urn, other)}. Keep one`,
  });
}

/** For a zone that is new to the resource, reports the change of authority. */
export async function check(request: TotalTlsRequest): Promise<Checked<typeof TOTAL_TLS_CA>> {
  const { session, urn, preview, wanted, olds } = request;
  const inputs = { ...wanted, ...(urn === "" ? {} : { __urn: urn }) };
  const isNew = olds === undefined || olds.zoneId !== wanted.zoneId;
  const sendsRequest = isNew && !(preview && session.previewChecks === "off");
  const asks = sendsRequest && isKnown<TotalTlsInputs>(inputs);
  return { inputs, findings: asks ? await reportChange(request, inputs) : [] };
}

/** Reports what will change. Returns a failure when the service could not be reached but an answer is required. */
async function reportChange(request: TotalTlsRequest, inputs: TotalTlsInputs): Promise<Findings> {
  const { session, urn } = request;
  try {
    const present = await session.client.certificates.getTotalTls(inputs.zoneId);
    const state = present.enabled ? "on" : "off, and stays off";
    const from = authorityName(present.certificateAuthority);
    const to = authorityName(inputs.certificateAuthority);
    const isSame = present.certificateAuthority === inputs.certificateAuthority;
    planKnown(session, urn, TOTAL_TLS_CA.plannedWrites(inputs), !isSame);
    session.reporter.info(
      urn,
      isSame
        ? `Total TLS is ${state}; its authority is already ${from}, so no write will be sent`
        : `Total TLS is ${state}; its authority changes from ${from} to ${to}, for certificates ordered from then on`,
    );
    return [];
  } catch (error) {
    return unavailableCheck(request, error, "the authority of Total TLS");
  }
}

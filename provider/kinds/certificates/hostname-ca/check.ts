import {
  AFFECTED_AUTHORITY,
  authorityName,
  findForbiddingCaa,
  isAllowedBy,
  RECOMMENDED_AUTHORITY,
  resolveDefaultAuthority,
  type ForbiddingCaa,
} from "../../../../core/certificates/authorities.js";
import { hasCertificate, noCertificateText } from "../../../../core/certificates/status.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import { hostnameAuthorityId } from "../../../../core/model/ids.js";
import { omit, type JsonObject } from "../../../../core/model/json.js";
import { hasUnknown, isUnknown, valueIfKnown, NOT_KNOWN, type Pending } from "../../../../core/model/unknown.js";
import type { Session } from "../../../engine/session.js";
import { hasErrors, failure, warning, type Findings } from "../../../validation/index.js";
import { bothUrns, checkClaim } from "../../../engine/claims.js";
import type { GivenArguments } from "../../../engine/description.js";
import type { Checked, CheckRequest } from "../../../engine/kind.js";
import { hasChanged } from "../../../engine/inputs.js";
import { planKnown } from "../../../engine/published-plans.js";
import { unavailableCheck } from "../../../engine/request.js";
import { hostnameReads, noHostnameText } from "../hostname-reads.js";
import { wouldEditChange } from "./change.js";
import { CUSTOM_HOSTNAME_CA, type AuthorityInputs } from "./description.js";

type Given = GivenArguments<typeof CUSTOM_HOSTNAME_CA>;
type AuthorityRequest = CheckRequest<typeof CUSTOM_HOSTNAME_CA>;
type AuthorityChecked = Checked<typeof CUSTOM_HOSTNAME_CA>;

/**
 * The service stores hostnames in lower case. A program gives either the ID or the name, and `check` adds the other;
 * with `ignoreChanges` the engine passes both back.
 */
export function normaliseArguments(args: Given, olds: Pending<AuthorityInputs> | undefined): JsonObject {
  const lower = inLowerCase(args);
  const { customHostnameId, hostname } = lower;
  const both = olds !== undefined && customHostnameId === olds.customHostnameId && hostname === olds.hostname;
  return both ? omit(lower, ["hostname"]) : lower;
}

function inLowerCase(args: Given): Given {
  const { hostname } = args;
  return typeof hostname === "string" && !isUnknown(hostname) ? { ...args, hostname: hostname.toLowerCase() } : args;
}

/** Finds the hostname and checks that no other resource manages it and that no CAA record forbids the authority. */
export async function check(request: AuthorityRequest): Promise<AuthorityChecked> {
  const { wanted, olds } = request;
  if (hasUnknown([wanted.zoneId, wanted.hostname, wanted.customHostnameId])) return unresolvedHostname(request, []);
  if (olds !== undefined && sameHostname(olds, wanted)) {
    const { customHostnameId, hostname, certificateAuthority } = olds;
    const changed = wanted.certificateAuthority !== certificateAuthority && hostname !== NOT_KNOWN;
    const caa = changed ? await checkCaa(request, hostname) : [];
    const owner = customHostnameId === NOT_KNOWN ? [] : checkOwner(request, customHostnameId);
    const isOther = hasChanged(CUSTOM_HOSTNAME_CA, ["write"], olds, wanted);
    const unread = isOther ? await previewChange(request, valueIfKnown(certificateAuthority)) : [];
    return { inputs: { ...wanted, customHostnameId, hostname }, findings: [caa, owner, unread].flat() };
  }
  return ask(request);
}

/** Shows in a preview what another choice does. A hostname that no longer exists is left to the update to report. */
async function previewChange(request: AuthorityRequest, requested: string | undefined): Promise<Findings> {
  const { session, wanted, preview } = request;
  if (!preview || session.previewChecks === "off") return [];
  try {
    const found = await find(session, wanted);
    if (typeof found === "string") return [];
    const findings = checkCertificate(request, found);
    if (!hasErrors(findings)) await reportChange(request, found, requested);
    return findings;
  } catch (error) {
    return unavailableCheck(request, error, "what the new choice of authority changes");
  }
}

/** The inputs while it is unknown which hostname they mean, because a value is pending or no request may be sent. */
function unresolvedHostname({ wanted }: AuthorityRequest, findings: Findings): AuthorityChecked {
  const { customHostnameId = NOT_KNOWN, hostname = NOT_KNOWN } = wanted;
  return { inputs: { ...wanted, customHostnameId, hostname }, findings };
}

/** Whether the ID or name that the program gives is the hostname in the state. */
function sameHostname(olds: Pending<AuthorityInputs>, wanted: AuthorityRequest["wanted"]): boolean {
  const { zoneId, customHostnameId, hostname } = wanted;
  const same = customHostnameId === undefined ? hostname === olds.hostname : customHostnameId === olds.customHostnameId;
  return zoneId === olds.zoneId && same;
}

async function ask(request: AuthorityRequest): Promise<AuthorityChecked> {
  const { session, wanted, preview } = request;
  if (preview && session.previewChecks === "off") return unresolvedHostname(request, []);
  try {
    const found = await find(session, wanted);
    if (typeof found === "string") return unresolvedHostname(request, failure(hostnamePath(wanted), found));
    const { id, hostname } = found;
    const findings = [
      checkOwner(request, id),
      checkCertificate(request, found),
      await checkCaa(request, hostname),
    ].flat();
    if (!hasErrors(findings)) await reportChange(request, found, undefined);
    return { inputs: { ...wanted, customHostnameId: id, hostname }, findings };
  } catch (error) {
    return unresolvedHostname(request, unavailableCheck(request, error, "whether the custom hostname exists"));
  }
}

/** Refuses a hostname whose authority cannot be chosen. With a method, the service issues a certificate where there is none. */
function checkCertificate({ wanted }: AuthorityRequest, { hostname, ssl }: CustomHostname): Findings {
  if (ssl.uploaded)
    return failure(
      [],
      `${hostname} uses an uploaded certificate, which no authority issues, so there is no authority to choose`,
    );
  if (ssl.method !== "" || wanted.method !== undefined) return [];
  return hasCertificate(ssl)
    ? failure(["method"], `is required: ${hostname} has no validation method yet, and an edit needs one`)
    : failure([], noCertificateText(hostname));
}

function hostnamePath({ hostname }: AuthorityRequest["wanted"]): string[] {
  return [hostname === undefined ? "customHostnameId" : "hostname"];
}

/** The hostname, found by its ID or its name; otherwise the reason why it cannot be used. */
async function find(session: Session, wanted: AuthorityRequest["wanted"]): Promise<CustomHostname | string> {
  const { zoneId, customHostnameId, hostname } = wanted;
  if (zoneId === NOT_KNOWN) return "is required";
  const hostnames = hostnameReads(session);
  if (typeof customHostnameId === "string") {
    const found = await hostnames.byId(zoneId, customHostnameId);
    return found ?? noHostnameText(zoneId, customHostnameId);
  }
  if (typeof hostname !== "string") return "is required";
  const found = await hostnames.byName(zoneId, hostname);
  const [only, ...more] = found;
  if (only === undefined) return `there is no custom hostname ${JSON.stringify(hostname)} in zone ${zoneId}`;
  const ids = found.map(({ id, ssl }) => `${id} (${ssl.status})`).join(", ");
  return more.length === 0
    ? only
    : `there are ${String(found.length)} custom hostnames with that name: ${ids}; choose one with customHostnameId`;
}

/** Two resources of one program must not choose the authority of the same hostname. */
function checkOwner({ session, wanted, urn }: AuthorityRequest, hostnameId: string): Findings {
  if (wanted.zoneId === NOT_KNOWN) return [];
  return checkClaim(session, urn, {
    keys: [hostnameAuthorityId(wanted.zoneId, hostnameId)],
    refusal: (other) =>
      `two resources choose the authority of hostname ${hostnameId}: ${bothUrns(urn, other)}. Keep one`,
  });
}

/** Warns about CAA records that forbid the authority, or that determine what the default resolves to. */
async function checkCaa({ session, wanted }: AuthorityRequest, hostname: string): Promise<Findings> {
  const authority = wanted.certificateAuthority;
  if (authority === NOT_KNOWN) return [];
  const forbidden = await findForbiddingCaa(
    hostname,
    authority === "" ? RECOMMENDED_AUTHORITY : authority,
    session.resolveCaa,
  );
  if (forbidden === undefined) return [];
  const text = authority === "" ? fallbackText(forbidden, hostname) : forbiddenText(forbidden, hostname, authority);
  return warning(["certificateAuthority"], text);
}

const NO_CERTIFICATE = "the certificate will not be issued until the record allows it";

function forbiddenText(forbidden: ForbiddingCaa, hostname: string, authority: string): string {
  const allowed = forbidden.allowed.length === 0 ? "nobody" : forbidden.allowed.join(", ");
  return `a CAA record of ${forbidden.name} does not allow ${authorityName(authority)} to issue for ${hostname} (it allows ${allowed}); ${NO_CERTIFICATE}`;
}

/** The warning for a CAA record that forbids the authority that the default prefers. */
function fallbackText(forbidden: ForbiddingCaa, hostname: string): string {
  const [preferred, fallback] = [authorityName(RECOMMENDED_AUTHORITY), authorityName(AFFECTED_AUTHORITY)];
  const allowed = forbidden.allowed.length === 0 ? "nobody" : forbidden.allowed.join(", ");
  const record = `a CAA record of ${forbidden.name} does not allow ${preferred} to issue for ${hostname} (it allows ${allowed})`;
  return isAllowedBy(AFFECTED_AUTHORITY, forbidden)
    ? `${record}, so the service's default falls back to ${fallback}, which older clients such as Android 7.0 do not trust. ` +
        "To get the more compatible authority, allow pki.goog in that record"
    : `${record}, nor ${fallback}, which the service's default falls back to; ${NO_CERTIFICATE}`;
}

/** Shows whether an edit will be sent; `requested` is the authority requested last, if that is known. */
async function reportChange(
  { session, urn, wanted }: AuthorityRequest,
  found: CustomHostname,
  requested: string | undefined,
): Promise<void> {
  const { certificateAuthority: authority, method, type } = wanted;
  if (authority === NOT_KNOWN) return;
  const choice = { authority, method: valueIfKnown(method), type: valueIfKnown(type) };
  const isNeeded = await wouldEditChange(session, found, choice, requested);
  const zoneId = valueIfKnown(wanted.zoneId) ?? "";
  planKnown(session, urn, CUSTOM_HOSTNAME_CA.plannedWrites({ zoneId, customHostnameId: found.id }), isNeeded);
  if (!isNeeded) {
    session.reporter.info(urn, unchangedText(found, authority));
    return;
  }
  const { hostname, ssl } = found;
  if (!hasCertificate(ssl)) {
    session.reporter.info(urn, `${hostname} has no certificate; one is ordered`);
    return;
  }
  const byDefault = (present: string): string => `the service's default (${authorityName(present)})`;
  const from = requested === "" ? byDefault(ssl.certificateAuthority) : authorityName(ssl.certificateAuthority);
  const to =
    authority === ""
      ? byDefault((await resolveDefaultAuthority(hostname, session.resolveCaa)).authority)
      : authorityName(authority);
  const kept = authority === ssl.certificateAuthority ? ", which the service then keeps" : "";
  session.reporter.info(
    urn,
    `${hostname}: from ${from} to ${to}${kept}; its certificate is validated again and reissued (now ${ssl.status})`,
  );
}

function unchangedText({ hostname, ssl }: CustomHostname, authority: string): string {
  const already = authority === "" ? ", which the service's default resolves to" : "";
  return `${hostname} is already issued by ${authorityName(ssl.certificateAuthority)}${already}; no edit will be sent`;
}

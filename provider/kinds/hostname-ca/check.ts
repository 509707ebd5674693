import {
  AFFECTED,
  AUTHORITIES,
  authorityWords,
  forbiddenBy,
  isAllowed,
  RECOMMENDED,
  resolveDefault,
  type Forbidden,
} from "../../certificates/authorities.js";
import type { CustomHostname } from "../../model/certificates.js";
import { hostnameAuthorityId } from "../../model/ids.js";
import { omit, type JsonObject } from "../../model/json.js";
import { hasUnknown, isUnknown } from "../../model/unknown.js";
import type { Session } from "../../engine/session.js";
import {
  checkHostnameId,
  checkIgnored,
  checkZoneId,
  failure,
  join,
  knownValue,
  knownName,
  warning,
  type Findings,
} from "../../validation/index.js";
import type { CheckedProps, Props } from "../../engine/lifecycle.js";
import { answer, receive, unasked, type Request } from "../../engine/request.js";
import { refuseSecrets, withoutSecrets } from "../../engine/secrets.js";
import { wouldChange } from "./change.js";
import { ARGUMENT_NAMES, type AuthorityInputs } from "./model.js";

const METHODS = ["txt", "http", "email", "cname"];
const LONGEST_WAIT_SECONDS = 3600;

type HostnameRequest = Request & { readonly olds: AuthorityInputs | undefined };

/** Everything that can be known before an edit: shapes, the hostname, who else holds it, and CAA records that forbid. */
export async function check(session: Session, props: Props, news: Props): Promise<CheckedProps> {
  const olds = typeof props.zoneId === "string" ? (props as unknown as AuthorityInputs) : undefined;
  const received = receive(session, olds, news);
  const args = withoutDerived(inLowerCase(received.args), olds);
  const request: HostnameRequest = { ...received, args, olds };
  const findings = join([
    withoutSecrets(checkArguments(args), request),
    refuseSecrets(request.secretPaths, []),
    checkIgnored(request.ignored, "CustomHostnameCa", ARGUMENT_NAMES),
  ]);
  if (findings.failures.length > 0) return answer(request, args, findings);
  if (hasUnknown([args.zoneId, args.hostname, args.customHostnameId])) return answer(request, args, findings);
  if (olds !== undefined && sameHostname(olds, args)) {
    const { customHostnameId, hostname } = olds;
    const changed = args.certificateAuthority !== olds.certificateAuthority;
    const caa = changed ? await checkCaa(request, hostname) : join([]);
    const known = { ...args, customHostnameId, hostname };
    return answer(request, known, join([findings, caa, checkOwner(request, customHostnameId)]));
  }
  return ask(request, findings);
}

/** The service knows hostnames in lower case. */
function inLowerCase(args: JsonObject): JsonObject {
  const { hostname } = args;
  return typeof hostname === "string" && !isUnknown(hostname) ? { ...args, hostname: hostname.toLowerCase() } : args;
}

/** Of id and name the program gives one, and `check` adds the other: with `ignoreChanges` the engine hands both in. */
function withoutDerived(args: JsonObject, olds: AuthorityInputs | undefined): JsonObject {
  const { customHostnameId, hostname } = args;
  const both = olds !== undefined && customHostnameId === olds.customHostnameId && hostname === olds.hostname;
  return both ? omit(args, ["hostname"]) : args;
}

function checkArguments(args: JsonObject): Findings {
  const { zoneId, customHostnameId, hostname, certificateAuthority, method, type, onDelete } = args;
  const given = (value: unknown): boolean => value !== undefined && !isUnknown(value);
  return join([
    ...Object.keys(args).map((name) => knownName([name], "CustomHostnameCa takes no", name, ARGUMENT_NAMES)),
    checkZoneId(zoneId),
    (customHostnameId === undefined) === (hostname === undefined)
      ? failure(["hostname"], "give exactly one of hostname and customHostnameId")
      : join([]),
    customHostnameId === undefined ? join([]) : checkHostnameId(["customHostnameId"], customHostnameId),
    hostname === undefined || isUnknown(hostname) || (typeof hostname === "string" && hostname !== "")
      ? join([])
      : failure(["hostname"], "must be the name of a custom hostname"),
    checkAuthority(certificateAuthority),
    given(method) && !METHODS.includes(method as string)
      ? failure(["method"], `must be one of ${METHODS.join(", ")}`)
      : join([]),
    given(type) && type !== "dv" ? failure(["type"], 'must be "dv"') : join([]),
    given(onDelete) && !["keep", "restore", "default"].includes(onDelete as string)
      ? failure(["onDelete"], "must be one of keep, restore, default")
      : join([]),
    checkTimeout(args.validationTimeoutSeconds),
  ]);
}

function checkTimeout(value: unknown): Findings {
  if (value === undefined || isUnknown(value)) return join([]);
  return typeof value === "number" && value >= 0 && value <= LONGEST_WAIT_SECONDS
    ? join([])
    : failure(
        ["validationTimeoutSeconds"],
        `must be a number of seconds from 0 to ${String(LONGEST_WAIT_SECONDS)}; 0 does not wait for validation records`,
      );
}

function checkAuthority(value: unknown): Findings {
  const path = ["certificateAuthority"];
  if (isUnknown(value) || value === "") return join([]);
  if (typeof value !== "string")
    return failure(path, `is missing; one of ${AUTHORITIES.join(", ")}, or "" for the service's default`);
  if (value === "digicert") return warning(path, "digicert is being retired by the service");
  return knownValue(path, "the certificate authority", value, AUTHORITIES);
}

/** Whether the program names the hostname that the state holds, by the name or the id it gives. */
function sameHostname(olds: AuthorityInputs, { zoneId, customHostnameId, hostname }: JsonObject): boolean {
  const same = customHostnameId === undefined ? hostname === olds.hostname : customHostnameId === olds.customHostnameId;
  return zoneId === olds.zoneId && same;
}

async function ask(request: Request, findings: Findings): Promise<CheckedProps> {
  const { session, args, preview } = request;
  if (preview && session.previewChecks === "off") return answer(request, args, findings);
  try {
    const found = await find(session, args);
    if (typeof found === "string") return answer(request, args, join([findings, failure(hostnamePath(args), found)]));
    const { id, hostname, ssl } = found;
    const all = join([
      findings,
      checkOwner(request, id),
      ssl.uploaded
        ? failure(
            [],
            `${hostname} uses a certificate its owner uploaded; no authority issues it, so there is none to choose`,
          )
        : join([]),
      ssl.method === "" && args.method === undefined
        ? failure(["method"], `is missing: ${hostname} has no validation method yet, and an edit needs one`)
        : join([]),
      await checkCaa(request, hostname),
    ]);
    if (all.failures.length === 0) await tell(request, found);
    return answer(request, { ...args, customHostnameId: id, hostname }, all);
  } catch (error) {
    const refusal = unasked(request, error, "whether the custom hostname exists");
    return answer(request, args, refusal === undefined ? findings : { failures: [refusal], warnings: [] });
  }
}

function hostnamePath({ hostname }: JsonObject): string[] {
  return [hostname === undefined ? "customHostnameId" : "hostname"];
}

/** The hostname, by its id or by its name; or why there is none to work on. */
async function find({ hostnames }: Session, args: JsonObject): Promise<CustomHostname | string> {
  const { zoneId, customHostnameId, hostname } = args as Readonly<Record<string, string>>;
  if (zoneId === undefined) return "is missing";
  if (customHostnameId !== undefined) {
    const found = await hostnames.byId(zoneId, customHostnameId);
    return found ?? `there is no custom hostname ${customHostnameId} in zone ${zoneId}`;
  }
  const found = await hostnames.byName(zoneId, hostname ?? "");
  const [only, ...more] = found;
  if (only === undefined) return `there is no custom hostname ${JSON.stringify(hostname)} in zone ${zoneId}`;
  const ids = found.map(({ id, ssl }) => `${id} (${ssl.status})`).join(", ");
  return more.length === 0
    ? only
    : `there are ${String(found.length)} custom hostnames of that name: ${ids}; name one by customHostnameId`;
}

/** Two resources of one program must not choose for the same hostname. */
function checkOwner({ session, args, urn }: Request, hostnameId: string): Findings {
  if (urn === "") return join([]);
  const { zoneId } = args as { readonly zoneId: string };
  const other = session.owners.hold(hostnameAuthorityId(zoneId, hostnameId), urn);
  return other === undefined
    ? join([])
    : failure(
        [],
        `two resources choose the authority of hostname ${hostnameId}: ${[urn, other].sort().join(" and ")}. Keep one`,
      );
}

/** Warns of CAA records that forbid the authority, or that decide what the default comes to. */
async function checkCaa({ session, args }: Request, hostname: string): Promise<Findings> {
  const authority = args.certificateAuthority;
  if (typeof authority !== "string" || isUnknown(authority)) return join([]);
  const forbidden = await forbiddenBy(hostname, authority === "" ? RECOMMENDED : authority, session.resolveCaa);
  if (forbidden === undefined) return join([]);
  const text = authority === "" ? fallbackText(forbidden, hostname) : forbiddenText(forbidden, hostname, authority);
  return warning(["certificateAuthority"], text);
}

const NO_CERTIFICATE = "the certificate will not be issued until the record allows it";

function forbiddenText(forbidden: Forbidden, hostname: string, authority: string): string {
  const allowed = forbidden.allowed.length === 0 ? "nobody" : forbidden.allowed.join(", ");
  return `a CAA record of ${forbidden.name} forbids ${authorityWords(authority)} to issue for ${hostname} (it allows ${allowed}); ${NO_CERTIFICATE}`;
}

/** What the default comes to where the authority that it prefers is forbidden. */
function fallbackText(forbidden: Forbidden, hostname: string): string {
  const [preferred, fallback] = [authorityWords(RECOMMENDED), authorityWords(AFFECTED)];
  const allowed = forbidden.allowed.length === 0 ? "nobody" : forbidden.allowed.join(", ");
  const record = `a CAA record of ${forbidden.name} forbids ${preferred} to issue for ${hostname} (it allows ${allowed})`;
  return isAllowed(AFFECTED, forbidden)
    ? `${record}, so the service's default falls back to ${fallback}, which older clients such as Android 7.0 do not trust. ` +
        "To get the more compatible authority, allow pki.goog in that record"
    : `${record}, and ${fallback} too, to which the service's default falls back; ${NO_CERTIFICATE}`;
}

async function tell({ session, urn, args }: Request, found: CustomHostname): Promise<void> {
  const authority = args.certificateAuthority;
  if (typeof authority !== "string" || isUnknown(authority)) return;
  const { hostname, ssl } = found;
  const { method, type } = args as { readonly method?: string; readonly type?: string };
  const present = authorityWords(ssl.certificateAuthority);
  const changes = await wouldChange(session, found, { authority, method, type }, undefined);
  const to =
    authority === ""
      ? `the service's default (${authorityWords((await resolveDefault(hostname, session.resolveCaa)).authority)})`
      : authorityWords(authority);
  const already = authority === "" ? ", which is what the service's default comes to" : "";
  session.reporter.info(
    urn,
    changes
      ? `${hostname}: from ${present} to ${to}; its certificate is validated and issued anew (now ${ssl.status})`
      : `${hostname} is already issued by ${present}${already}; no edit will be sent`,
  );
}

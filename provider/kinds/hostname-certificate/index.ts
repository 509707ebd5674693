import { outcomeOf, recordLines } from "../../certificates/status.js";
import type { CustomHostname } from "../../model/certificates.js";
import { PartialFailure, RulesetsError } from "../../model/errors.js";
import { hostnameCertificateId, parseHostnameId } from "../../model/ids.js";
import { SECONDS } from "../../model/numbers.js";
import { isUnknown } from "../../model/unknown.js";
import type { Session } from "../../engine/session.js";
import {
  checkHostnameId,
  checkId,
  checkIgnored,
  checkRange,
  failure,
  join,
  knownName,
  type Findings,
} from "../../validation/index.js";
import type { Change, CheckedProps, Lifecycle, Props } from "../../engine/lifecycle.js";
import { answer, receive } from "../../engine/request.js";
import { refuseSecrets } from "../../engine/secrets.js";

interface Inputs {
  readonly customHostnameCaId: string;
  readonly timeoutSeconds?: number;
  readonly __urn?: string;
}
interface State extends Inputs {
  readonly hostname: string;
  readonly sslStatus: string;
  readonly hostnameStatus: string;
  /** Empty when the service does not tell. */
  readonly certificateAuthority: string;
  readonly issuer?: string;
  /** RFC 3339. */
  readonly expiresOn?: string;
}

export const ARGUMENT_NAMES = ["customHostnameCaId", "timeoutSeconds"] as const;
const DEFAULT_TIMEOUT_SECONDS = 1800;

/** Waits for the certificate of a custom hostname. It only ever reads: an edit would start the validation anew. */
export const hostnameCertificateLifecycle: Lifecycle = {
  check: (session, olds, news) => Promise.resolve(check(session, olds, news)),
  diff: (session, _id, olds, news) =>
    Promise.resolve(diff(session, olds as unknown as State, news as unknown as Inputs)),
  create: async (session, props) => {
    const inputs = props as unknown as Inputs;
    const { zoneId, hostnameId } = addressOf(inputs.customHostnameCaId);
    const id = hostnameCertificateId(zoneId, hostnameId);
    return { id, state: await wait(session, id, inputs) };
  },
  read: async (session, id, props) => {
    const { zoneId, hostnameId } = addressOf(id);
    const found = await session.hostnames.byId(zoneId, hostnameId);
    if (found === undefined) return undefined;
    const { customHostnameCaId, timeoutSeconds, __urn } = props as Partial<Inputs>;
    const inputs: Inputs = {
      customHostnameCaId: customHostnameCaId ?? `${id}-authority`,
      ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }),
      ...(__urn === undefined ? {} : { __urn }),
    };
    return { inputs, state: stateFrom(inputs, found) };
  },
  update: (session, id, _olds, news) => wait(session, id, news as unknown as Inputs),
  delete: () => Promise.resolve(),
  secretPaths: () => [],
};

function check(session: Session, olds: Props, news: Props): CheckedProps {
  const request = receive(session, olds, news);
  const { customHostnameCaId: id, timeoutSeconds } = request.args;
  const findings = join([
    refuseSecrets(request.secretPaths, []),
    checkIgnored(request.ignored, "CustomHostnameCertificate", ARGUMENT_NAMES),
    ...Object.keys(request.args).map((name) =>
      knownName([name], "CustomHostnameCertificate takes no", name, ARGUMENT_NAMES),
    ),
    checkCaId(id),
    checkRange(["timeoutSeconds"], timeoutSeconds, SECONDS),
  ]);
  return answer(request, request.args, findings);
}

function checkCaId(id: unknown): Findings {
  if (isUnknown(id)) return join([]);
  const address = typeof id === "string" ? parseHostnameId(id) : undefined;
  if (address === undefined)
    return failure(["customHostnameCaId"], "must be the id of a CustomHostnameCa: write ca.id");
  const path = ["customHostnameCaId"];
  return join([checkId(path, address.zoneId), checkHostnameId(path, address.hostnameId)]);
}

/** Waits again when the certificate is not active, or when this run asks for another one. */
function diff(session: Session, state: State, news: Inputs): Change {
  if (state.customHostnameCaId !== news.customHostnameCaId)
    return { kind: "replace", replaces: ["customHostnameCaId"], shownByInputs: true };
  const { hostnameId } = addressOf(state.customHostnameCaId);
  const again = state.sslStatus !== "active" || session.reissued.has(hostnameId);
  const changed = again || state.timeoutSeconds !== news.timeoutSeconds;
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !again };
}

function addressOf(id: string): { readonly zoneId: string; readonly hostnameId: string } {
  const address = parseHostnameId(id);
  if (address !== undefined) return address;
  throw new RulesetsError(`${JSON.stringify(id)} is no id of a CustomHostnameCa.`, { code: "CONFIG_INVALID" });
}

function stateFrom(inputs: Inputs, { hostname, status, ssl }: CustomHostname): State {
  return {
    ...inputs,
    hostname,
    sslStatus: ssl.status,
    hostnameStatus: status,
    certificateAuthority: ssl.certificateAuthority,
    ...(ssl.issuer === undefined ? {} : { issuer: ssl.issuer }),
    ...(ssl.expiresOn === undefined ? {} : { expiresOn: ssl.expiresOn }),
  };
}

/** Looks at growing intervals until the certificate is active. What it saw last stands in the state when it is not. */
async function wait(session: Session, id: string, inputs: Inputs): Promise<State> {
  const { zoneId, hostnameId } = addressOf(id);
  const { clock, client, reporter } = session;
  const startedAt = clock.now();
  const limit = inputs.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS;
  for (let seconds = 2; ; seconds = Math.min(Math.round(seconds * 1.5), 60)) {
    const found = await client.customHostnames.find(zoneId, hostnameId);
    if (found === undefined) {
      throw new RulesetsError(`the custom hostname ${hostnameId} is gone from zone ${zoneId}.`, {
        code: "HOSTNAME_NOT_FOUND",
      });
    }
    const elapsed = Math.round((clock.now() - startedAt) / 1000);
    const outcome = outcomeOf(found.ssl.status);
    if (outcome === "active") return stateFrom(inputs, found);
    if (outcome === "failed") throw partial(id, inputs, found, failedText(found), "CERTIFICATE_FAILED");
    if (elapsed >= limit) throw partial(id, inputs, found, lateText(found, elapsed), "CERTIFICATE_TIMED_OUT");
    const pause = Math.min(seconds, limit - elapsed);
    reporter.status(inputs.__urn, waitingText(found, elapsed, pause));
    await clock.sleep(pause * 1000);
  }
}

function partial(
  id: string,
  inputs: Inputs,
  found: CustomHostname,
  text: string,
  code: "CERTIFICATE_FAILED" | "CERTIFICATE_TIMED_OUT",
): PartialFailure<State> {
  return new PartialFailure<State>(id, stateFrom(inputs, found), new RulesetsError(text, { code }));
}

function waitingText({ hostname, ssl }: CustomHostname, elapsed: number, pause: number): string {
  const [first] = recordLines(ssl.validationRecords);
  const publish = first === undefined ? "" : ` (needs ${first})`;
  return `${hostname}: ${ssl.status}${publish}, for ${String(elapsed)} s; next look in ${String(pause)} s`;
}

/** What a person must publish, and what the authority said. */
function needs({ ssl }: CustomHostname): string {
  const records = recordLines(ssl.validationRecords).map((line) => `\n  - ${line}`);
  const errors = ssl.validationErrors.map((line) => `\n  - ${line}`);
  return [
    ...(records.length === 0 ? [] : [`\nTo publish:${records.join("")}`]),
    ...(errors.length === 0 ? [] : [`\nThe authority said:${errors.join("")}`]),
  ].join("");
}

function failedText(found: CustomHostname): string {
  return (
    `the certificate of ${found.hostname} ended as ${found.ssl.status}.${needs(found)}\n` +
    "Publish what is missing; then a change of CustomHostnameCa, or the dashboard, starts the validation anew. Waiting sends nothing."
  );
}

function lateText(found: CustomHostname, elapsed: number): string {
  return (
    `the certificate of ${found.hostname} is still ${found.ssl.status} after ${String(elapsed)} s.${needs(found)}\n` +
    "Run `pulumi up` again to wait on; nothing is sent by waiting."
  );
}

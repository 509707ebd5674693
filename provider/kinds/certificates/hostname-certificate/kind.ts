import { hasCertificate, outcomeOf, recordLines } from "../../../../core/certificates/status.js";
import { inputsIn, replacedInputs, sameInputs } from "../../../engine/inputs.js";
import { defineKind, type CheckRequest } from "../../../engine/kind.js";
import type { Change } from "../../../engine/lifecycle.js";
import { unavailableCheck } from "../../../engine/request.js";
import type { Session } from "../../../engine/session.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import { PartialFailure, RulesetsError } from "../../../../core/model/errors.js";
import { hostnameCertificateId } from "../../../../core/model/ids.js";
import { addressOf } from "../address.js";
import { NOT_KNOWN, type Pending } from "../../../../core/model/unknown.js";
import { failure, type Findings } from "../../../validation/index.js";
import { hostnameReads, noHostnameText } from "../hostname-reads.js";
import { CUSTOM_HOSTNAME_CERTIFICATE, type CertificateInputs, type CertificateState } from "./description.js";

/** Waits for the certificate of a custom hostname. It only reads, because an edit would restart the validation. */
export const customHostnameCertificate = defineKind(CUSTOM_HOSTNAME_CERTIFICATE, {
  check: async (request) => ({ inputs: request.wanted, findings: await checkHostname(request) }),
  diff: (session, _id, olds, news) => diff(session, olds, news),
  create: async (session, inputs) => {
    const { zoneId, hostnameId } = addressOf(inputs.customHostnameCaId);
    const id = hostnameCertificateId(zoneId, hostnameId);
    return { id, state: await wait(session, id, inputs) };
  },
  read: async (session, id, _state, given) => {
    const { zoneId, hostnameId } = addressOf(id);
    const found = await hostnameReads(session).byId(zoneId, hostnameId);
    if (found === undefined || !hasCertificate(found.ssl)) return undefined;
    const inputs: CertificateInputs = {
      customHostnameCaId: `${id}-authority`,
      ...inputsIn(CUSTOM_HOSTNAME_CERTIFICATE, given),
    };
    return { inputs, state: stateFrom(inputs, found) };
  },
  update: (session, id, _olds, news) => wait(session, id, news),
  delete: () => Promise.resolve(),
});

/** Refuses in a preview the ID of a hostname that does not exist; one that this run creates has no ID yet. */
async function checkHostname(request: CheckRequest<typeof CUSTOM_HOSTNAME_CERTIFICATE>): Promise<Findings> {
  const { session, wanted, olds, preview } = request;
  const id = wanted.customHostnameCaId;
  if (!preview || session.previewChecks === "off" || id === NOT_KNOWN || id === olds?.customHostnameCaId) return [];
  const { zoneId, hostnameId } = addressOf(id);
  try {
    const found = await hostnameReads(session).byId(zoneId, hostnameId);
    return found === undefined ? failure(["customHostnameCaId"], noHostnameText(zoneId, hostnameId)) : [];
  } catch (error) {
    return unavailableCheck(request, error, "whether the custom hostname exists");
  }
}

/** Waits again when the certificate is not active, or when this run requests another one. */
function diff(session: Session, state: CertificateState, news: Pending<CertificateInputs>): Change {
  const replaces = replacedInputs(CUSTOM_HOSTNAME_CERTIFICATE, state, news);
  if (replaces.length > 0) return { kind: "replace", replaces, shownByInputs: true };
  const { hostnameId } = addressOf(state.customHostnameCaId);
  const again = state.sslStatus !== "active" || hostnameReads(session).reissued.has(hostnameId);
  const changed = again || !sameInputs(CUSTOM_HOSTNAME_CERTIFICATE, state, news, ["__urn"]);
  return { kind: changed ? "update" : "none", replaces: [], shownByInputs: !again };
}

function stateFrom(inputs: CertificateInputs, { hostname, status, ssl }: CustomHostname): CertificateState {
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

/**
 * Polls at increasing intervals until the certificate is active. On failure or timeout, the state records what was last
 * read.
 */
async function wait(session: Session, id: string, inputs: CertificateInputs): Promise<CertificateState> {
  const { zoneId, hostnameId } = addressOf(id);
  const { clock, client, reporter } = session;
  const startedAt = clock.now();
  const { timeoutSeconds: limit = CUSTOM_HOSTNAME_CERTIFICATE.arguments.timeoutSeconds.default } = inputs;
  for (let seconds = 2; ; seconds = Math.min(Math.round(seconds * 1.5), 60)) {
    const found = await client.customHostnames.find(zoneId, hostnameId);
    if (found === undefined) {
      throw new RulesetsError(`the custom hostname ${hostnameId} no longer exists in zone ${zoneId}.`, {
        code: "HOSTNAME_NOT_FOUND",
      });
    }
    if (!hasCertificate(found.ssl))
      throw partial(id, inputs, found, `${found.hostname} has no certificate to wait for.`, "CERTIFICATE_FAILED");
    const elapsed = Math.round((clock.now() - startedAt) / 1000);
    const outcome = outcomeOf(found.ssl.status);
    if (outcome === "active") return stateFrom(inputs, found);
    if (outcome === "failed") throw partial(id, inputs, found, failedText(found), "CERTIFICATE_FAILED");
    if (elapsed >= limit) throw partial(id, inputs, found, timeoutText(found, elapsed), "CERTIFICATE_TIMED_OUT");
    const pause = Math.min(seconds, limit - elapsed);
    reporter.status(inputs.__urn, progressText(found, elapsed, pause));
    await clock.sleep(pause * 1000).catch((cause: unknown) => {
      throw new PartialFailure(id, stateFrom(inputs, found), cause as Error);
    });
  }
}

function partial(
  id: string,
  inputs: CertificateInputs,
  found: CustomHostname,
  text: string,
  code: "CERTIFICATE_FAILED" | "CERTIFICATE_TIMED_OUT",
): PartialFailure<CertificateState> {
  return new PartialFailure<CertificateState>(id, stateFrom(inputs, found), new RulesetsError(text, { code }));
}

function progressText({ hostname, ssl }: CustomHostname, elapsed: number, pause: number): string {
  const [first] = recordLines(ssl.validationRecords);
  const publish = first === undefined ? "" : ` (needs ${first})`;
  return `${hostname}: ${ssl.status}${publish}, for ${String(elapsed)} s; next check in ${String(pause)} s`;
}

/** The validation records to publish, and the authority's errors. */
function requiredActions({ ssl }: CustomHostname): string {
  const records = recordLines(ssl.validationRecords).map((line) => `\n  - ${line}`);
  const errors = ssl.validationErrors.map((line) => `\n  - ${line}`);
  return [
    ...(records.length === 0 ? [] : [`\nTo publish:${records.join("")}`]),
    ...(errors.length === 0 ? [] : [`\nThe authority reported:${errors.join("")}`]),
  ].join("");
}

function failedText(found: CustomHostname): string {
  return (
    `the certificate of ${found.hostname} ended with status ${found.ssl.status}.${requiredActions(found)}\n` +
    "Publish what is missing, then restart the validation by changing CustomHostnameCa or in the dashboard. This resource only waits."
  );
}

function timeoutText(found: CustomHostname, elapsed: number): string {
  return (
    `the certificate of ${found.hostname} is still ${found.ssl.status} after ${String(elapsed)} s.${requiredActions(found)}\n` +
    "Run `pulumi up` again to keep waiting; no write is sent while waiting."
  );
}

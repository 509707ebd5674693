import { outcomeOf } from "../../../../core/certificates/status.js";
import { ApiError } from "../../../../core/model/errors.js";
import type { CustomHostname } from "../../../../core/model/certificates.js";
import type { Session } from "../../../engine/session.js";
import { CUSTOM_HOSTNAME_CA, type AuthorityInputs } from "./description.js";

const { default: DEFAULT_SECONDS } = CUSTOM_HOSTNAME_CA.arguments.validationTimeoutSeconds;
const LONGEST_PAUSE_SECONDS = 10;

/**
 * Polls until the validation records appear or there is nothing to wait for, so that the same program can create DNS
 * records from them. The edit has already been applied: records that are late or cannot be read are left to the next
 * refresh.
 */
export async function awaitRecords(
  session: Session,
  { zoneId, validationTimeoutSeconds: limit = DEFAULT_SECONDS, __urn: urn }: AuthorityInputs,
  edited: CustomHostname,
): Promise<CustomHostname> {
  const startedAt = session.clock.now();
  let current = edited;
  for (let pause = 1; lacksRecords(current); pause = Math.min(pause * 2, LONGEST_PAUSE_SECONDS)) {
    const elapsed = (session.clock.now() - startedAt) / 1000;
    const left = limit - elapsed;
    if (left <= 0) {
      session.reporter.warn(urn, timeoutText(current, limit));
      return current;
    }
    session.reporter.status(urn, progressText(current, elapsed, limit));
    try {
      await session.clock.sleep(Math.min(pause, left) * 1000);
      current = (await session.client.customHostnames.find(zoneId, edited.id)) ?? current;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      session.reporter.warn(urn, readErrorText(current, error));
      return current;
    }
  }
  if (outcomeOf(current.ssl.status) === "failed") session.reporter.warn(urn, failedText(current));
  return current;
}

/** Whether validation records are still expected. */
function lacksRecords({ ssl }: CustomHostname): boolean {
  return ssl.validationRecords.length === 0 && outcomeOf(ssl.status) === "waiting" && ssl.status !== "";
}

function progressText({ hostname, ssl }: CustomHostname, elapsed: number, limit: number): string {
  return (
    `${hostname}: the certificate is ${ssl.status}; waiting for the service to list its validation records, ` +
    `${String(Math.round(elapsed))} of at most ${String(limit)} s (validationTimeoutSeconds)`
  );
}

function timeoutText({ hostname, ssl }: CustomHostname, limit: number): string {
  const waited = limit === 0 ? "" : ` after ${String(limit)} s`;
  return (
    `${hostname}: the certificate is ${ssl.status}, and the service lists no validation records yet${waited}. ` +
    "Run `pulumi refresh` to read them later; validationTimeoutSeconds sets how long to wait for them."
  );
}

function readErrorText({ hostname }: CustomHostname, error: ApiError): string {
  return (
    `${hostname}: the new authority was set, but its validation records could not be read: ${error.message} ` +
    "Run `pulumi refresh` to read them."
  );
}

function failedText({ hostname, ssl }: CustomHostname): string {
  const errors = ssl.validationErrors.map((error) => ` The authority reported: ${error}`).join("");
  return `${hostname}: the certificate ended with status ${ssl.status}.${errors}`;
}

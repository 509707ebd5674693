import { ApiError, RulesetsError } from "../../core/model/errors.js";
import type { JsonObject } from "../../core/model/json.js";
import { valueAt, type Path } from "../../core/model/path.js";
import type { Session } from "./session.js";
import { errorsIn, failure, findingText, type Findings } from "../../core/model/failure.js";
import type { CheckedProps, Declared, Props } from "./lifecycle.js";
import { planUp } from "./published-plans.js";

/** What the `check` of a resource receives. */
export interface Request<Args extends object = JsonObject> {
  readonly session: Session;
  readonly args: Args;
  readonly urn: string;
  readonly preview: boolean;
  /** `ignoreChanges` as the program writes it. */
  readonly ignored: readonly string[];
  /** Names of inputs of the last run that the engine passes because of it. */
  readonly keptInputs: readonly string[];
  /** The paths of secrets in the arguments. */
  readonly secretPaths: readonly Path[];
}

/** Whether old inputs are those of a resource that does not exist yet. */
export function isNew(olds: Props): boolean {
  return Object.keys(olds).every((name) => name.startsWith("__"));
}

/** Learns the secrets in what a program declares, and records that this run has checked the resource. */
export function receiveRequest(session: Session, declared: Declared): Request {
  const { urn, run, args, secretPaths = [], ignored = [], names = [] } = declared;
  const { provisional = false } = run;
  // A provisional check may ask the service unless previews must not.
  const preview = provisional ? session.previewChecks === "off" : run.preview;
  session.checked.set(urn, { preview, provisional, at: session.clock.now() });
  if (provisional && preview) session.toCheckAgain.add(urn);
  else session.toCheckAgain.delete(urn);
  for (const known of names) session.names.learnAll(known);
  for (const path of secretPaths) session.secrets.add(valueAt(args, path), path);
  return { session, args, urn, preview, ignored, keptInputs: [], secretPaths };
}

/** Returns the inputs that the engine keeps, and the errors. Reports the warnings if there are none. */
export function reportFindings(
  { session, urn }: Pick<Request, "session" | "urn">,
  inputs: object,
  findings: Findings,
): CheckedProps {
  const failures = errorsIn(findings);
  if (failures.length === 0)
    for (const one of findings) session.reporter[one.severity === "info" ? "info" : "warn"](urn, findingText(one));
  return { inputs: { ...inputs, ...(urn === "" ? {} : { __urn: urn }) }, failures };
}

/**
 * Handles a check that could not be made: a warning in a preview, unless `previewChecks` requires an answer, and a
 * failure in an `up`. Where it is not known yet which of the two it is, the resource is checked again once it is.
 */
export function unavailableCheck(
  { session, urn, preview }: Pick<Request, "session" | "urn" | "preview">,
  error: unknown,
  what: string,
): Findings {
  if (!(error instanceof RulesetsError)) throw error;
  const { provisional = false } = session.checked.get(urn) ?? {};
  const tolerates = (preview || provisional) && session.previewChecks === "auto" && isUnreachable(error);
  if (!tolerates) return failure([], error.message);
  // The check that follows says so, in a preview, or refuses the write.
  if (provisional) session.toCheckAgain.add(urn);
  else {
    session.reporter.warn(urn, `could not check ${what}. ${error.message}`);
    planUp(session, urn, { unseen: [{ notRead: what, why: error.message }] });
  }
  return [];
}

/** What a check read, or that it could not, and why that fails. */
type ReadInCheck<T> =
  | { readonly isRead: true; readonly value: T }
  | { readonly isRead: false; readonly findings: Findings };

/** Reads something for a check. Where that is impossible, it is handled as `unavailableCheck` says. */
export async function readInCheck<T>(
  request: Pick<Request, "session" | "urn" | "preview">,
  what: string,
  read: () => Promise<T>,
): Promise<ReadInCheck<T>> {
  try {
    return { isRead: true, value: await read() };
  } catch (error) {
    return { isRead: false, findings: unavailableCheck(request, error, what) };
  }
}

/** Whether credentials are missing or the service did not respond, so that the check itself is not at fault. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof ApiError) return error.code === "API_UNAVAILABLE" || error.code === "API_RATE_LIMITED";
  return error instanceof RulesetsError && error.code === "CONFIG_CREDENTIALS_MISSING";
}

import { PartialFailure, RulesetsError, errorOf } from "../../core/model/errors.js";
import { omit, type JsonObject } from "../../core/model/json.js";
import type { Path } from "../../core/model/path.js";
import type { Kind } from "../engine/kind.js";
import type { Change, Declared, Props } from "../engine/lifecycle.js";
import { publishPlan } from "../engine/published-plans.js";
import { inKindForm } from "../engine/schema-form.js";
import { findingText } from "../../core/model/failure.js";
import { readFor } from "./get.js";
import { learnSecrets } from "./learn-secrets.js";
import type { ProviderProcess } from "./process.js";
import { sanitize } from "./sanitize.js";

/*
 * The calls of an engine about one resource, on plain values. A front end only translates between them and what its engine sends
 * and gets: `dynamic/` for the host of dynamic resources, `grpc/` for the plugin.
 */

/** What a call is about, and what serves it. */
export interface Called {
  readonly process: ProviderProcess;
  readonly kind: Kind;
  /** Empty for a resource that is only read. */
  readonly urn: string;
}

/** Inputs or a state as plain JSON, with the paths of the secrets in it. */
export interface Plain {
  readonly value: JsonObject;
  readonly secrets: readonly Path[];
}

/** A call that failed for a reason that people can act on, without secrets in the message. */
export class CallFailure extends Error {
  /** @param written an object that was written in part */
  constructor(
    message: string,
    readonly written?: { readonly kind: Kind; readonly id: string; readonly state: Plain },
  ) {
    super(message);
  }
}

/** What a check answers: either the inputs to keep, or why there are none. */
type CheckAnswer =
  | { readonly inputs: Plain; readonly reasons?: undefined }
  | { readonly inputs?: undefined; readonly reasons: readonly string[] };

export function check(called: Called, olds: Props, declared: Omit<Declared, "urn">): Promise<CheckAnswer> {
  const { process, kind, urn } = called;
  const { args, secretPaths = [] } = declared;
  const open = omit(
    args,
    secretPaths.map(([name]) => String(name)),
  );
  process.secrets.publish(kind.publicTexts?.(open) ?? []);
  return guarded(called, [olds], async () => {
    const failed = async (texts: readonly string[]): Promise<CheckAnswer> => {
      const reasons = await Promise.all(texts.map((text) => process.shown(text)));
      return { reasons: reasons.map((reason) => withRefreshNote(called, reason)) };
    };
    try {
      const { inputs, failures } = await kind.check(process.session(), withUrn(called, olds), { ...declared, urn });
      return failures.length > 0 ? await failed(failures.map(findingText)) : { inputs: plainOf(called, inputs) };
    } catch (error) {
      if (error instanceof RulesetsError) return await failed([error.message]);
      throw error;
    }
  });
}

/** What to compare. */
interface DiffQuestion {
  readonly id: string;
  readonly state: Props;
  readonly inputs: Props;
  /** Whether the state has to be written again in any case, because another front end or package wrote it. */
  readonly isForeign: boolean;
}

export function diff(called: Called, { id, state, inputs, isForeign }: DiffQuestion): Promise<Change> {
  const { process, kind, urn } = called;
  const stored = inKindForm(kind.description, state);
  return guarded(called, [inputs, stored], async () => {
    const session = process.session();
    try {
      const change = await kind.diff(session, id, withUrn(called, stored), withUrn(called, inputs));
      // A state that has the URN has that of before a rename with an alias: a delete would act for another resource.
      const isRenamed = session.checked.has(urn) && stored.__urn !== undefined && stored.__urn !== urn;
      if (change.kind === "replace" || !(isForeign || isRenamed)) return change;
      // The engine updates the state, although nothing is written.
      if (change.kind === "none") publishPlan(session, urn, { writes: [] });
      return { ...change, kind: "update", shownByInputs: false };
    } catch (error) {
      if (!(error instanceof RulesetsError)) throw error;
      throw sameError(error, withRefreshNote(called, error.message));
    }
  });
}

export function create(called: Called, inputs: Props): Promise<{ readonly id: string; readonly state: Plain }> {
  const { process, kind } = called;
  return guarded(called, [inputs], async () => {
    const { id, state } = await kind.create(process.session(), withUrn(called, inputs));
    return { id, state: plainOf(called, state) };
  });
}

/** What a read finds. Inputs are left out if they are the ones that the engine has. */
interface Found {
  readonly inputs?: Plain;
  readonly state: Plain;
}

/**
 * Reads what is at the service; undefined if it does not exist.
 * @param caller the resource as messages name it, if it is not in the state yet: it must exist
 */
export function read(called: Called, id: string, state: Props, caller?: string): Promise<Found | undefined> {
  const { process, kind, urn } = called;
  const stored = inKindForm(kind.description, state);
  return guarded(called, [stored], async () => {
    const found = await readFor(caller, id, () =>
      withCredentialsHint(kind.read(process.session(), id, withUrn(called, stored))),
    );
    if (caller === undefined) process.refreshed.add(urn);
    if (found === undefined) return undefined;
    const inputs = found.inputs === undefined ? {} : { inputs: plainOf(called, found.inputs) };
    return { ...inputs, state: plainOf(called, found.state) };
  });
}

export function update(called: Called, id: string, state: Props, inputs: Props): Promise<Plain> {
  const { process, kind } = called;
  const stored = inKindForm(kind.description, state);
  return guarded(called, [inputs, stored], async () =>
    plainOf(called, await kind.update(process.session(), id, withUrn(called, stored), withUrn(called, inputs))),
  );
}

export function remove(called: Called, id: string, state: Props): Promise<void> {
  const { process, kind } = called;
  const stored = inKindForm(kind.description, state);
  return guarded(called, [stored], () =>
    withCredentialsHint(kind.delete(process.session(), id, withUrn(called, stored))),
  );
}

/** Calls a function of the package. */
export async function invoke(
  process: ProviderProcess,
  call: () => Promise<object | undefined>,
): Promise<JsonObject | undefined> {
  try {
    const answer = await call();
    return answer === undefined ? undefined : (sanitize(answer) as JsonObject);
  } catch (error) {
    throw await presentable(process, error);
  }
}

/** Runs a call with its resource's URN for progress messages, and removes secrets from errors. */
async function guarded<T>(called: Called, known: readonly Props[], work: () => Promise<T>): Promise<T> {
  const { process, kind, urn } = called;
  for (const props of known) learnSecrets(kind, process.secrets, props);
  try {
    return await process.serve(urn, work);
  } catch (error) {
    if (!(error instanceof PartialFailure)) throw await presentable(process, error);
    const state = plainOf(called, error.state as object);
    throw new CallFailure(await process.shown(error.message), { kind, id: error.id, state });
  }
}

/** The kinds find the URN among the inputs and in the state. */
function withUrn({ urn }: Called, props: Props): Props {
  return urn === "" ? props : { ...props, __urn: urn };
}

function plainOf({ kind, process: { secrets } }: Called, value: object): Plain {
  const whole = omit(sanitize(value) as JsonObject, ["__urn"]);
  secrets.publish(kind.publicTexts?.(whole) ?? []);
  const plain = kind.withoutSecretWords?.(whole, secrets) ?? whole;
  return { value: plain, secrets: [...kind.secretPaths(plain), ...(kind.copyPaths?.(plain, secrets) ?? [])] };
}

/** The engine shows an error after a refresh in the same run as "refreshing failed", so the message corrects that. */
function withRefreshNote({ process, urn }: Called, text: string): string {
  return process.refreshed.has(urn) ? `the refresh succeeded; the change after it was stopped: ${text}` : text;
}

/** Adds a hint to authentication errors: `refresh` and `destroy` run no program, and use the configuration of the last `up`. */
async function withCredentialsHint<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RulesetsError)) throw error;
    if (error.code !== "API_UNAUTHORIZED" && error.code !== "CONFIG_CREDENTIALS_MISSING") throw error;
    const text =
      "`pulumi refresh` and `pulumi destroy` get the configuration of the last `pulumi up`: after a token was rotated, " +
      "run `pulumi up` first, or set RULESETS_API_TOKEN for this run.";
    throw sameError(error, `${error.message} ${text}`);
  }
}

function sameError(error: RulesetsError, message: string): RulesetsError {
  return new RulesetsError(message, { code: error.code, cause: error });
}

/** An error for the user, without secrets. */
async function presentable(process: ProviderProcess, error: unknown): Promise<Error> {
  if (error instanceof RulesetsError) return new CallFailure(await process.shown(error.message));
  const { secrets } = process;
  const unexpected = errorOf(error);
  const { message, stack = "" } = unexpected;
  // The message may quote anything; the rest of the stack trace is our own text.
  unexpected.message = secrets.hideQuotes(message);
  unexpected.stack = secrets.hide(stack.replace(message, () => unexpected.message));
  return unexpected;
}

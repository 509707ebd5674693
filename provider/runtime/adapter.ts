import type { dynamic } from "@pulumi/pulumi";
import { PartialFailure, RulesetsError, errorOf } from "../model/errors.js";
import { omit, type JsonObject, textOf } from "../model/json.js";
import type { Path } from "../model/path.js";
import { wrapSecretsAt } from "../model/secret.js";
import type { Kind } from "../engine/kind.js";
import type { Lifecycle } from "../kinds/index.js";
import { withTexts } from "../engine/stored-as-json.js";
import { metadataIn, type Metadata } from "../engine/metadata.js";
import { publishPlan } from "../engine/published-plans.js";
import { programRunIn } from "../engine/program-run.js";
import { inKindForm } from "../engine/schema-form.js";
import { failureText } from "../validation/failure.js";
import type { ProviderProcess } from "./process.js";
import { readFor } from "./get.js";
import { REPORTED_BY_ENGINE } from "./drop-double-reports.js";
import { learnSecrets } from "./learn-secrets.js";
import { sanitize } from "./sanitize.js";

type Props = Record<string, unknown>;

/**
 * Plain JSON for the engine, with secrets in their wire format, so that only they are masked and encrypted.
 */
function inputsToEngine(kind: Lifecycle, process: ProviderProcess, inputs: unknown): Props {
  const { plain, paths } = plainWithSecrets(kind, process, inputs);
  return wrapSecretsAt(plain, paths) as JsonObject;
}

/** The same for a state, with texts for the values that states hold as texts. */
function stateToEngine(kind: Lifecycle, process: ProviderProcess, state: unknown): Props {
  const { plain, paths } = plainWithSecrets(kind, process, state);
  return withTexts(wrapSecretsAt(plain, paths) as JsonObject, withoutSecrets(kind.textNames, paths));
}

/** Those of the names whose values are held as texts: in one, a secret would hide what is around it. */
function withoutSecrets(names: readonly string[] = [], secrets: readonly Path[]): readonly string[] {
  return names.filter((name) => !secrets.some(([first]) => first === name));
}

interface WithSecrets {
  readonly plain: JsonObject;
  /** Where the secrets are. */
  readonly paths: readonly Path[];
}

function plainWithSecrets(kind: Lifecycle, { secrets }: ProviderProcess, value: unknown): WithSecrets {
  const whole = sanitize(value) as JsonObject;
  secrets.publish(kind.publicTexts?.(whole) ?? []);
  const plain = kind.withoutSecretWords?.(whole, secrets) ?? whole;
  return { plain, paths: [...kind.secretPaths(plain), ...(kind.copyPaths?.(plain, secrets) ?? [])] };
}

/** Whether a state was written through this package's dynamic provider. */
function isOwnState(olds: Props): boolean {
  return typeof metadataIn(olds).__provider === "string";
}

type Guard = <T>(props: Props, work: () => Promise<T>) => Promise<T>;

/** Runs a call with its resource's URN for progress messages, and removes secrets from errors. */
function guardedBy(kind: Lifecycle, process: ProviderProcess): Guard {
  return async (props, work) => {
    learnSecrets(kind, process.secrets, props);
    try {
      return await process.serve(urnOf(props), work);
    } catch (error) {
      throw presentable(kind, process, error, props);
    }
  };
}

function urnOf(props: Props): string {
  const { __urn: urn } = metadataIn(props);
  return textOf(urn);
}

/**
 * Adapts a kind of resource to the interface of dynamic providers. States may also be in the form of the package schema: the
 * provider plugin has written them.
 */
export function adapt(kind: Kind, process: ProviderProcess): dynamic.ResourceProvider {
  const guard = guardedBy(kind, process);
  const stored = (props: Props): Props => inKindForm(kind.description, props);
  return {
    configure: (request) => {
      process.configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: (olds: Props, news: Props) =>
      guard(news, () => {
        process.said ??= programRunIn(news).said;
        return checkInputs(kind, process, olds, news);
      }),
    diff: (id: string, olds: Props, news: Props) =>
      guard(news, () => {
        const state = stored(olds);
        learnSecrets(kind, process.secrets, state);
        const wanted = isChecked(process, news) ? withoutProviderText(news) : news;
        const compared = compare(kind, process, id, state, wanted);
        return orReplacedInputs(kind, process, wanted, withRefreshNote(process, news, compared));
      }),
    create: (inputs: Props) =>
      guard(inputs, async () => {
        const { id, state } = await kind.create(process.session(), withoutProviderText(inputs));
        return { id, outs: stateToEngine(kind, process, state) };
      }),
    read: (id: string, given: Props = {}) => {
      const props = stored(given);
      return guard(props, async () => {
        const { __get } = metadataIn(props);
        const state = withoutMetadata(props, ["__provider", "__get"]);
        const found = await readFor(__get, id, () => withCredentialsHint(kind.read(process.session(), id, state)));
        if (__get === undefined) process.refreshed.set(urnOf(props), found?.inputs !== undefined);
        if (found === undefined) return {};
        const inputs = found.inputs === undefined ? {} : { inputs: inputsToEngine(kind, process, found.inputs) };
        return { id, props: stateToEngine(kind, process, found.state), ...inputs };
      });
    },
    update: (id: string, olds: Props, news: Props) =>
      guard(news, async () => {
        const before = withoutProviderText(stored(olds));
        learnSecrets(kind, process.secrets, before);
        const state = await kind.update(process.session(), id, before, withoutProviderText(news));
        return { outs: stateToEngine(kind, process, state) };
      }),
    delete: (id: string, given: Props) => {
      const props = stored(given);
      return guard(props, () => withCredentialsHint(kind.delete(process.session(), id, props)));
    },
  };
}

function withoutMetadata(props: Props, names: readonly (keyof Metadata)[]): Props {
  return omit(props, names);
}

/** All properties except the line that loads the provider, which the engine adds itself. */
function withoutProviderText(props: Props): Props {
  return withoutMetadata(props, ["__provider"]);
}

async function checkInputs(
  kind: Lifecycle,
  process: ProviderProcess,
  olds: Props,
  news: Props,
): Promise<dynamic.CheckResult> {
  learnSecrets(kind, process.secrets, olds);
  // The path is in the reason, because the engine prints the value of a named property, even if it is a secret.
  const failed = (reasons: readonly string[]): dynamic.CheckResult => ({
    inputs: news,
    failures: reasons.map((reason) => ({
      property: "",
      reason: addRefreshNote(process, news, process.secrets.hide(reason)),
    })),
  });
  try {
    const { inputs, failures } = await kind.check(process.session(), olds, news);
    if (failures.length > 0) return failed(failures.map(failureText));
    return { inputs: inputsToEngine(kind, process, inputs) };
  } catch (error) {
    if (error instanceof RulesetsError) return failed([error.message]);
    throw error;
  }
}

/** The engine shows an error after a refresh in the same run as "refreshing failed", so the message corrects that. */
function addRefreshNote(process: ProviderProcess, props: Props, text: string): string {
  return process.refreshed.has(urnOf(props)) ? `the refresh succeeded; the change after it was stopped: ${text}` : text;
}

async function withRefreshNote<T>(process: ProviderProcess, props: Props, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof RulesetsError) || !process.refreshed.has(urnOf(props))) throw error;
    throw new RulesetsError(addRefreshNote(process, props, error.message), { code: error.code, cause: error });
  }
}

/** Whether this run has checked a resource: a refresh asks for differences before that. */
function isChecked(process: ProviderProcess, props: Props): boolean {
  return process.session().checked.has(urnOf(props));
}

/**
 * What a comparison says; a difference where a refresh has replaced inputs that lack something, as after an edit of an exported state.
 * Where nothing changed at the service, it reads none: the error then says what to do instead.
 */
async function orReplacedInputs(
  kind: Lifecycle,
  process: ProviderProcess,
  wanted: Props,
  work: Promise<dynamic.DiffResult>,
): Promise<dynamic.DiffResult> {
  try {
    return await work;
  } catch (error) {
    if (replacesLostInputs(kind, process, wanted)) return { changes: true };
    throw error;
  }
}

function replacesLostInputs({ lostInputs }: Lifecycle, process: ProviderProcess, inputs: Props): boolean {
  if (isChecked(process, inputs)) return false;
  const lost = lostInputs(inputs);
  if (lost.length === 0) return false;
  const urn = urnOf(inputs);
  if (process.refreshed.get(urn) === true) return true;
  throw new RulesetsError(
    `the inputs in the state lack ${lost.join(", ")}, and a refresh does not read again what has not changed at the service. ` +
      `To continue: run \`pulumi stack import\` with the state from before, or \`pulumi state delete '${urn}'\` and then ` +
      "`pulumi up`, which takes over what exists if the program declares the same.",
    { code: "CONFIG_INVALID" },
  );
}

async function compare(
  kind: Lifecycle,
  process: ProviderProcess,
  id: string,
  olds: Props,
  news: Props,
): Promise<dynamic.DiffResult> {
  const session = process.session();
  const change = await kind.diff(session, id, olds, news);
  if (change.kind === "replace")
    return { changes: true, replaces: [...change.replaces], deleteBeforeReplace: change.deletesFirst === true };
  if (!isOwnState(olds)) {
    // The engine updates the state, although nothing is written.
    if (change.kind === "none") publishPlan(session, urnOf(news), { writes: [] });
    return { changes: true };
  }
  if (change.kind === "none") return { changes: false };
  return change.shownByInputs ? {} : { changes: true };
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
    throw new RulesetsError(`${error.message} ${text}`, { code: error.code, cause: error });
  }
}

/** An error for the user: without secrets, without a stack trace if it is expected, and with the state of a partial write. */
function presentable(kind: Lifecycle, process: ProviderProcess, error: unknown, props: Props): Error {
  const { secrets } = process;
  if (error instanceof PartialFailure) {
    const message = secrets.hide(error.message);
    const state = { ...stateToEngine(kind, process, error.state), __provider: metadataIn(props).__provider };
    return Object.assign(plainError(message), { id: error.id, properties: state, reasons: [message] });
  }
  if (error instanceof RulesetsError) return plainError(secrets.hide(error.message));
  const unexpected = errorOf(error);
  const { message, stack = "" } = unexpected;
  // The message may quote anything; the rest of the stack trace is our own text.
  unexpected.message = secrets.hideQuotes(message);
  unexpected.stack = secrets.hide(stack.replace(message, () => unexpected.message));
  return unexpected;
}

/** An expected failure, which only the engine reports. The host would print it again, with a stack trace. */
function plainError(message: string): Error {
  const error = new Error(message);
  return Object.assign(error, { stack: "", toString: () => REPORTED_BY_ENGINE });
}

import type { dynamic } from "@pulumi/pulumi";
import { PartialFailure, RulesetsError } from "../model/errors.js";
import { isObject, type JsonObject } from "../model/json.js";
import { valueAt, type Path } from "../model/path.js";
import { textsOf, wrapSecretsAt } from "../model/secret.js";
import { attend, check, create, deleteRuleset, diff, read, update } from "../lifecycle/index.js";
import type { CheckedInputs, RawInputs, ResourceKind, RulesetState } from "../lifecycle/index.js";
import { secretTexts } from "../lifecycle/secrets.js";
import { failureText } from "../validation/index.js";
import type { ProviderProcess } from "./process.js";
import { TOLD_BY_ENGINE } from "./quiet.js";
import { sanitize } from "./sanitize.js";

type Props = Record<string, unknown>;

/** Where secrets stand in a state: in the rules by ref, and in what the service answered, by id. */
function secretPathsIn(props: JsonObject): Path[] {
  const byRef = isObject(props.__secretPaths) ? props.__secretPaths : {};
  const ids = isObject(props.ruleIds) ? props.ruleIds : {};
  return Object.entries(byRef).flatMap(([ref, list]) => {
    const paths = (Array.isArray(list) ? list : []) as unknown as Path[];
    const id = ids[ref];
    return paths.flatMap((path) => [
      ["rules", ref, ...path],
      ...(typeof id === "string" ? [["__answers", id, ...path]] : []),
    ]);
  });
}

/** Plain JSON for the engine, with every secret in its wire form so that it alone is masked and encrypted. */
function toEngine(value: unknown): Props {
  const plain = sanitize(value) as JsonObject;
  return wrapSecretsAt(plain, secretPathsIn(plain)) as Props;
}

/** Whether a state was written through this package's dynamic provider. */
function isOwnState(olds: Props): boolean {
  return typeof olds.__provider === "string";
}

type Guard = <T>(props: Props, work: () => Promise<T>) => Promise<T>;

/** Runs a call at the row of its resource, and makes what it throws fit to be shown. */
function guardedBy(process: ProviderProcess): Guard {
  return async (props, work) => {
    const urn = typeof props.__urn === "string" ? props.__urn : "";
    learnSecrets(process, props);
    try {
      return await process.serving.run(urn, work);
    } catch (error) {
      throw presentable(process, error, props);
    }
  };
}

/** One kind of resource as the dynamic host wants it: `false`, `undefined` or `true` for changes, partial failures, ids. */
export function adapt(kind: ResourceKind, process: ProviderProcess): dynamic.ResourceProvider {
  const guard = guardedBy(process);
  return {
    configure: (request) => {
      process.configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: (olds: Props, news: Props) => guard(news, () => checkInputs(kind, process, olds, news)),
    diff: (id: string, olds: Props, news: Props) => guard(news, () => compare(kind, process, id, olds, news)),
    create: (inputs: Props) =>
      guard(inputs, async () => {
        const { id, state } = await create(kind, process.session(), withoutText(inputs) as unknown as CheckedInputs);
        return { id, outs: toEngine(state) };
      }),
    read: (id: string, props: Props = {}) =>
      guard(props, async () => {
        const state = withoutText(props) as unknown as RulesetState;
        const found = await explained(read(kind, process.session(), id, state));
        return found === undefined ? {} : { id, props: toEngine(found.state), inputs: toEngine(found.inputs) };
      }),
    update: (id: string, olds: Props, news: Props) =>
      guard(news, async () => {
        learnSecrets(process, olds);
        const state = withoutText(olds) as unknown as RulesetState;
        const wanted = withoutText(news) as unknown as CheckedInputs;
        return { outs: toEngine(await update(kind, process.session(), id, state, wanted)) };
      }),
    delete: (id: string, props: Props) =>
      guard(props, () => explained(deleteRuleset(process.session(), id, props as unknown as RulesetState))),
  };
}

/** Everything but the host's own line of text. */
function withoutText(props: Props): Props {
  return Object.fromEntries(Object.entries(props).filter(([key]) => key !== "__provider"));
}

async function checkInputs(
  kind: ResourceKind,
  process: ProviderProcess,
  olds: Props,
  news: Props,
): Promise<dynamic.CheckResult> {
  learnSecrets(process, olds);
  if (isObject(news.__secrets)) process.keepSecret(secretTexts(news.__secrets));
  // A named property would make the engine print its value, secrets too: the path stands in the reason.
  const failed = (reasons: readonly string[]): dynamic.CheckResult => ({
    inputs: news,
    failures: reasons.map((reason) => ({ property: "", reason: process.hide(reason) })),
  });
  try {
    const { inputs, failures } = await check(kind, process.session(), olds as RawInputs, news as RawInputs);
    return failures.length === 0 ? { inputs: toEngine(inputs) } : failed(failures.map(failureText));
  } catch (error) {
    if (error instanceof RulesetsError) return failed([error.message]);
    throw error;
  }
}

async function compare(
  kind: ResourceKind,
  process: ProviderProcess,
  id: string,
  olds: Props,
  news: Props,
): Promise<dynamic.DiffResult> {
  const state = olds as unknown as RulesetState;
  const wanted = news as unknown as CheckedInputs;
  const change = diff(kind, state, wanted);
  await attend(process.session(), id, state, wanted, change);
  if (change.kind === "replace") return { changes: true, replaces: [...change.replaces], deleteBeforeReplace: false };
  if (!isOwnState(olds)) return { changes: true };
  if (change.kind === "none") return { changes: false };
  return change.shownByInputs ? {} : { changes: true };
}

/** `refresh` and `destroy` run no program: the engine hands them the configuration of the last `up`. */
async function explained<T>(work: Promise<T>): Promise<T> {
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

function learnSecrets(process: ProviderProcess, props: Props): void {
  if (props.__secretPaths === undefined) return;
  const plain = sanitize(props) as JsonObject;
  process.keepSecret(secretPathsIn(plain).flatMap((path) => textsOf(valueAt(plain, path))));
}

/** An error for a person: no secrets, no stack for what is expected, and for a half-landed write the state so far. */
function presentable(process: ProviderProcess, error: unknown, props: Props): Error {
  if (error instanceof PartialFailure) {
    const message = process.hide(error.message);
    const state = { ...toEngine(error.state), __provider: props.__provider };
    return Object.assign(plainError(message), { id: error.id, properties: state, reasons: [message] });
  }
  if (error instanceof RulesetsError) return plainError(process.hide(error.message));
  const unexpected = error instanceof Error ? error : new Error(String(error));
  unexpected.message = process.hide(unexpected.message);
  unexpected.stack = process.hide(unexpected.stack ?? "");
  return unexpected;
}

/** An expected failure. The host prints errors of some calls itself, with a stack; this one is only the engine's to tell. */
function plainError(message: string): Error {
  const error = new Error(message);
  return Object.assign(error, { stack: "", toString: () => TOLD_BY_ENGINE });
}

import type { dynamic } from "@pulumi/pulumi";
import type { Change } from "../../engine/lifecycle.js";
import { metadataIn, splitMetadata } from "../../engine/metadata.js";
import { programRunIn } from "../../engine/program-run.js";
import type { Kind } from "../../engine/kind.js";
import { restoreSecrets } from "../../engine/secrets.js";
import { withTexts } from "../../engine/stored-as-json.js";
import { isList, isObject, omit, textOf, textsIn, type JsonObject } from "../../../core/model/json.js";
import { wrapSecretsAt } from "../../../core/model/secret.js";
import { REPORTED_BY_ENGINE } from "./drop-double-reports.js";
import type { ProviderProcess } from "../process.js";
import * as service from "../service.js";

type Props = Record<string, unknown>;

/**
 * Adapts a kind of resource to the interface of dynamic providers. The host passes secrets in clear, and nothing about a resource
 * but its properties, so that inputs and states also have its URN.
 */
export function adapt(kind: Kind, process: ProviderProcess): dynamic.ResourceProvider {
  const answer: Answer = (props, work) =>
    answering({ process, kind, urn: textOf(metadataIn(props).__urn) }, props, work);
  return {
    configure: (request) => {
      process.configure((key) => request.config.get(key));
      return Promise.resolve();
    },
    check: (olds: Props, news: Props) =>
      answer(news, async (called) => {
        const { metadata, args: sent } = splitMetadata(news);
        const { __ignore, __secrets, __names } = metadata;
        const run = programRunIn(news);
        process.said ??= run.said;
        const { value, paths } = restoreSecrets(sent, isObject(__secrets) ? __secrets : {});
        const { inputs, reasons = [] } = await service.check(called, olds, {
          run,
          args: isObject(value) ? value : {},
          secretPaths: paths,
          ignored: textsIn(__ignore),
          names: isList(__names) ? __names : [],
        });
        if (inputs !== undefined) return { inputs: encoded(called, inputs) };
        // The path is in the reason, because the engine prints the value of a named property, even if it is a secret.
        return { inputs: news, failures: reasons.map((reason) => ({ property: "", reason })) };
      }),
    diff: (id: string, olds: Props, news: Props) =>
      answer(news, async (called) => {
        const isForeign = typeof metadataIn(olds).__provider !== "string";
        const question = { id, state: olds, inputs: withoutProvider(news), isForeign };
        return diffResult(await service.diff(called, question));
      }),
    create: (inputs: Props) =>
      answer(inputs, async (called) => {
        const { id, state } = await service.create(called, withoutProvider(inputs));
        return { id, outs: encodedState(called, state) };
      }),
    read: (id: string, props: Props = {}) =>
      answer(props, async (called) => {
        const { __get } = metadataIn(props);
        const state = omit(props, ["__provider", "__get"]);
        const found = await service.read(called, id, state, typeof __get === "string" ? __get : undefined);
        if (found === undefined) return {};
        const inputs = found.inputs === undefined ? {} : { inputs: encoded(called, found.inputs) };
        return { id, props: encodedState(called, found.state), ...inputs };
      }),
    update: (id: string, olds: Props, news: Props) =>
      answer(news, async (called) => {
        const state = await service.update(called, id, withoutProvider(olds), withoutProvider(news));
        return { outs: encodedState(called, state) };
      }),
    delete: (id: string, props: Props) => answer(props, (called) => service.remove(called, id, props)),
  };
}

/** Runs a call that the URN in these properties is about. */
type Answer = <T>(props: Props, work: (called: service.Called) => Promise<T>) => Promise<T>;

/** An expected failure is one that only the engine reports: the host would print it again, with a stack trace. */
async function answering<T>(
  called: service.Called,
  props: Props,
  work: (called: service.Called) => Promise<T>,
): Promise<T> {
  try {
    return await work(called);
  } catch (error) {
    if (!(error instanceof service.CallFailure)) throw error;
    const { message, written } = error;
    const failure = Object.assign(new Error(message), { stack: "", toString: () => REPORTED_BY_ENGINE });
    if (written === undefined) throw failure;
    const properties = { ...encodedState(called, written.state), __provider: metadataIn(props).__provider };
    throw Object.assign(failure, { id: written.id, properties, reasons: [message] });
  }
}

/** All properties except the line that loads the provider, which the engine adds itself. */
function withoutProvider(props: Props): Props {
  return omit(props, ["__provider"]);
}

/** With secrets in their wire format, so that only they are masked and encrypted, and with the URN. */
function encoded({ urn }: service.Called, { value, secrets }: service.Plain): JsonObject {
  return { ...(wrapSecretsAt(value, secrets) as JsonObject), ...(urn === "" ? {} : { __urn: urn }) };
}

/** Values that states hold as texts are texts, unless there is a secret in one: it would hide what is around it. */
function encodedState(called: service.Called, state: service.Plain): JsonObject {
  const names = called.kind.textNames.filter((name) => !state.secrets.some(([first]) => first === name));
  return withTexts(encoded(called, state), names);
}

function diffResult(change: Change): dynamic.DiffResult {
  if (change.kind === "replace")
    return { changes: true, replaces: [...change.replaces], deleteBeforeReplace: change.deletesFirst === true };
  if (change.kind === "none") return { changes: false };
  // Without an answer, the engine shows the difference of the inputs property by property.
  return change.shownByInputs ? {} : { changes: true };
}

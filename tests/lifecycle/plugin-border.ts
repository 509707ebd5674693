import type { Kind } from "../../provider/engine/kind.js";
import { programRunIn } from "../../provider/engine/program-run.js";
import { isNew } from "../../provider/engine/request.js";
import { restoreSecrets } from "../../provider/engine/secrets.js";
import { isObject, omit, type JsonObject } from "../../core/model/json.js";
import { wrapSecretsAt } from "../../core/model/secret.js";
import { failedCall } from "../../provider/border/grpc/server.js";
import { Plugin } from "../../provider/border/grpc/plugin.js";
import type { ProviderProcess } from "../../provider/border/process.js";
import type { Border, Props } from "./front-ends.js";

/** One plugin for a process, and the URNs of the resources that its latest checks were previews of. */
const plugins = new WeakMap<ProviderProcess, { readonly plugin: Plugin; readonly previews: Set<string> }>();
function pluginOf(process: ProviderProcess) {
  const known = plugins.get(process) ?? { plugin: new Plugin(process), previews: new Set<string>() };
  plugins.set(process, known);
  return known;
}

/** The provider plugin behind the calls of the host: what a program sends with its arguments does not reach it. */
export function pluginBorder(kind: Kind, process: ProviderProcess): Border {
  const { plugin, previews } = pluginOf(process);
  const called = (props: Props) => ({
    urn: typeof props.__urn === "string" ? props.__urn : "",
    kind: kind.description.type,
    name: "test",
  });
  /** As the engine has it: without what only a dynamic provider gets, and with the secrets in their wire format. */
  const given = (props: Props): JsonObject => {
    const { __secrets: secrets, ...others } = omit(props as JsonObject, [
      "__provider",
      "__program",
      "__urn",
      "__ignore",
    ]);
    const { value, paths } = restoreSecrets(others, isObject(secrets) ? secrets : {});
    return wrapSecretsAt(value ?? {}, paths) as JsonObject;
  };
  // The engine passes the URN itself.
  const stored = (props: Props): JsonObject => omit(props as JsonObject, ["__provider", "__urn"]);
  const withUrn = (props: Props, { urn }: { readonly urn: string }): Props => ({ ...props, __urn: urn });
  const failing = async <T>(resource: { readonly urn: string }, work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const { message, partial } = failedCall(error);
      const written =
        partial === undefined ? {} : { ...partial, properties: withUrn({ ...partial.properties }, resource) };
      throw Object.assign(new Error(message), written);
    }
  };
  return {
    check: async (olds, news) => {
      const resource = called(news);
      const { inputs: checked, reasons } = await failing(resource, plugin.check(resource, stored(olds), given(news)));
      const inputs = withUrn(checked, resource);
      const { preview } = programRunIn(news);
      previews[preview ? "add" : "delete"](resource.urn);
      const failures = reasons.map((reason) => ({ reason }));
      if (failures.length > 0 || !preview || !isNew(olds)) return { inputs, failures };
      // In a preview, the engine creates a new resource without writing it.
      return plugin.create(resource, checked, { preview: true }).then(
        () => ({ inputs, failures }),
        (error: unknown) => ({ inputs, failures: [{ reason: failedCall(error).message }] }),
      );
    },
    diff: async (id, olds, news, oldInputs) => {
      const resource = called(news);
      const answer = await failing(
        resource,
        plugin.diff(resource, id, { state: stored(olds), oldInputs: () => stored(oldInputs), news: stored(news) }),
      );
      const { changes, replaces, deletesFirst } = answer;
      if (changes && replaces.length === 0 && previews.has(resource.urn))
        await failing(resource, plugin.update(resource, id, stored(olds), stored(news), { preview: true }));
      return { changes, replaces, deleteBeforeReplace: deletesFirst };
    },
    create: async (inputs) => {
      const { id, state } = await failing(
        called(inputs),
        plugin.create(called(inputs), stored(inputs), { preview: false }),
      );
      return { id, outs: withUrn(state, called(inputs)) };
    },
    read: async (id, props) => {
      const { found } = await failing(called(props), plugin.read(called(props), id, stored(props)));
      if (found === undefined) return {};
      const { state, inputs, ...others } = found;
      const resource = called(props);
      const again = inputs === undefined ? {} : { inputs: withUrn(inputs, resource) };
      return { ...others, ...again, props: withUrn(state, resource) };
    },
    update: async (id, olds, news) => ({
      outs: withUrn(
        await failing(called(news), plugin.update(called(news), id, stored(olds), stored(news), { preview: false })),
        called(news),
      ),
    }),
    delete: (id, props) => failing(called(props), plugin.delete(called(props), id, stored(props))),
  };
}

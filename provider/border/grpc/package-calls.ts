import type * as pb from "@pulumi/pulumi/proto/provider_pb";
import type * as pluginPb from "@pulumi/pulumi/proto/plugin_pb";
import { RulesetsError } from "../../../core/model/errors.js";
import { omit, ownValue, parseJson, sameJson, type Json, type JsonObject } from "../../../core/model/json.js";
import { unwrapSecrets, wrapSecretsAt } from "../../../core/model/secret.js";
import { SETTINGS, type Setting } from "../../../core/model/settings.js";
import { hasUnknown, isUnknown } from "../../../core/model/unknown.js";
import { readSettings, unknownSetting, type ConfigReader, type Environment } from "../../settings.js";
import { joinNames } from "../../../core/model/words.js";
import { Empty, fromStruct, Messages, PluginInfo, toStruct } from "./grpc.js";
import type { PackageFacts } from "../../engine/package-schema.js";
import { late } from "../../../core/model/late.js";

/** It loads every kind, which no run needs. */
const loadSchema = late<typeof import("./whole-schema.js")>(() => require("./whole-schema.js"));

/** The engine's own arguments of a provider. */
const ENGINE_ARGUMENTS: ReadonlySet<string> = new Set(["version", "pluginDownloadURL", "__internal"]);

interface PackageOptions {
  readonly info: PackageFacts;
  readonly env: Environment;
  /** Receives the address of the engine. */
  readonly onEngine: (address: string) => void;
  /** @param provider URN of the provider, whose resources this process handles */
  readonly onConfigure: (config: ConfigReader) => void;
  /** Warns at a provider. Resolves when the warning has arrived. */
  readonly onWarning: (provider: string, text: string) => Promise<void>;
  /** Calls a function of the package; undefined for a name that no function has. */
  readonly onInvoke: (name: string, args: JsonObject) => Promise<JsonObject | undefined>;
  /** Ends everything that is under way in an orderly manner. */
  readonly onCancel: () => Promise<void>;
}

/** The calls of the engine about the package and its configuration, from and to its messages. */
export class PackageCalls {
  constructor(private readonly options: PackageOptions) {}

  handshake(request: pb.ProviderHandshakeRequest): pb.ProviderHandshakeResponse {
    this.options.onEngine(request.getEngineAddress());
    const response = new Messages.ProviderHandshakeResponse();
    response.setAcceptSecrets(true);
    return response;
  }

  attach(request: pluginPb.PluginAttach): InstanceType<typeof Empty> {
    this.options.onEngine(request.getAddress());
    return new Empty();
  }

  getPluginInfo(): pluginPb.PluginInfo {
    const response = new PluginInfo();
    response.setVersion(this.options.info.version);
    return response;
  }

  getSchema(request: pb.GetSchemaRequest): pb.GetSchemaResponse {
    if (request.getVersion() !== 0)
      throw new RulesetsError(`there is no version ${String(request.getVersion())} of package schemas`, {
        code: "PROTOCOL_UNKNOWN",
      });
    const response = new Messages.GetSchemaResponse();
    response.setSchema(JSON.stringify(loadSchema().wholeSchema(this.options.info)));
    return response;
  }

  async checkConfig(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const { env } = this.options;
    const news = withSecrets(withoutOtherCredentials(fromStruct(request.getNews()), env));
    const response = new Messages.CheckResponse();
    response.setInputs(toStruct(news));
    const faults = configFaults(news, env);
    const unknown = Object.keys(news).filter((name) => hasUnknown(news[name]));
    if (unknown.length > 0 && faults.length === 0) await this.options.onWarning(request.getUrn(), notAsked(unknown));
    response.setFailuresList(
      faults.map((reason) => {
        const failure = new Messages.CheckFailure();
        failure.setReason(reason);
        return failure;
      }),
    );
    return response;
  }

  /** Other settings are used from then on. Nothing in them makes another object of a resource, so nothing is replaced. */
  diffConfig(request: pb.DiffRequest): pb.DiffResponse {
    const [olds, news] = [fromStruct(request.getOldInputs() ?? request.getOlds()), fromStruct(request.getNews())];
    const response = new Messages.DiffResponse();
    const { DiffChanges } = Messages.DiffResponse;
    response.setChanges(sameJson(olds, news) ? DiffChanges.DIFF_NONE : DiffChanges.DIFF_SOME);
    return response;
  }

  configure(request: pb.ConfigureRequest): pb.ConfigureResponse {
    this.options.onConfigure(reading(fromStruct(request.getArgs())));
    const response = new Messages.ConfigureResponse();
    response.setAcceptsecrets(true);
    response.setSupportspreview(true);
    return response;
  }

  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    const args = fromStruct(request.getArgs());
    const name = request.getTok().split(":").at(-1) ?? "";
    const answer = await this.options.onInvoke(name, withoutNull(unwrapSecrets(args) as JsonObject));
    if (answer === undefined)
      throw new RulesetsError(`there is no function ${request.getTok()}`, { code: "PROTOCOL_UNKNOWN" });
    const response = new Messages.InvokeResponse();
    response.setReturn(toStruct(answer));
    return response;
  }

  async cancel(): Promise<InstanceType<typeof Empty>> {
    await this.options.onCancel();
    return new Empty();
  }
}

/** Arguments without those that a program has left open: some languages send them as nothing. */
function withoutNull(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

/** The arguments of a provider with its secrets marked: SDKs mark none that they take from the environment. */
function withSecrets(config: JsonObject): JsonObject {
  const plain = Object.keys(config).filter(
    (name) => settingNamed(name)?.secret === true && typeof config[name] === "string",
  );
  return wrapSecretsAt(
    config,
    plain.map((name) => [name]),
  ) as JsonObject;
}

/**
 * Where the program gives one kind of credentials, an SDK adds another kind from the environment, and both are refused. This process
 * reads the environment itself, so what comes from there is left out.
 */
function withoutOtherCredentials(config: JsonObject, env: Environment): JsonObject {
  const clear = unwrapSecrets(config) as JsonObject;
  if (!isGiven(clear.apiToken) || !(isGiven(clear.apiKey) || isGiven(clear.email))) return config;
  const isTaken = (name: string): boolean => {
    const { credential = false, variables = [] } = settingNamed(name) ?? {};
    return credential && variables.some((variable) => env[variable] === clear[name]);
  };
  return omit(config, Object.keys(config).filter(isTaken));
}

const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

function settingNamed(name: string): Setting | undefined {
  return ownValue<Setting>(SETTINGS, name);
}

/** What a preview does not show: without its settings, the engine does not ask a provider about its resources. */
function notAsked(unknown: readonly string[]): string {
  const [be, them] = unknown.length === 1 ? ["is", "it"] : ["are", "them"];
  return (
    `${joinNames(unknown)} ${be} not known in this preview, and without ${them} Pulumi does not ask about the resources of this ` +
    "provider: their arguments are not checked, and what they change is not shown. `pulumi up` checks each of them before it is " +
    "written. To see it before: give the provider a value that does not depend on a resource of this run."
  );
}

/** What is wrong with the arguments of a provider. Nobody reads the values here, and no message repeats one. */
function configFaults(config: JsonObject, env: Environment): string[] {
  const unknown = Object.keys(config).flatMap((name) => {
    if (ENGINE_ARGUMENTS.has(name) || name.startsWith("__")) return [];
    const hint = unknownSetting(name, "the settings are");
    return hint === undefined ? [] : [`${name} is not a setting; ${hint}`];
  });
  if (unknown.length > 0 || hasUnknown(config)) return unknown;
  try {
    readSettings(reading(config), env);
    return [];
  } catch (error) {
    if (error instanceof RulesetsError) return [error.message];
    throw error;
  }
}

/** Reads `rulesets:<name>`, as the settings of a dynamic provider are read; the engine passes a plugin no other namespace. */
function reading(config: JsonObject): ConfigReader {
  const clear = unwrapSecrets(config) as JsonObject;
  return (key) => {
    const [namespace, name = ""] = key.split(":");
    const value = namespace === "rulesets" ? clear[name] : undefined;
    if (value === undefined || value === null || isUnknown(value)) return undefined;
    if (typeof value !== "string") return JSON.stringify(value);
    // The engine passes stack configuration of other types than strings as JSON.
    const parsed = parseJson(value);
    return typeof parsed === "string" ? parsed : value;
  };
}

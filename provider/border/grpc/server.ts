import type { sendUnaryData, ServerUnaryCall, UntypedServiceImplementation } from "@grpc/grpc-js";
import type * as pb from "@pulumi/pulumi/proto/provider_pb";
import type * as pluginPb from "@pulumi/pulumi/proto/plugin_pb";
import type { ConfigReader, Environment } from "../../settings.js";
import { writeCompiledCode } from "../compiled-code.js";
import { engineReporter } from "../engine-log.js";
import { ProviderProcess, type ProcessOptions } from "../process.js";
import { CallFailure } from "../service.js";
import { Grpc, ResourceProviderService, toServiceError, type Failed } from "./grpc.js";
import { PackageCalls } from "./package-calls.js";
import type { PackageFacts } from "../../engine/package-schema.js";
import { encodedState, Plugin } from "./plugin.js";
import { ResourceCalls } from "./resource-calls.js";
import { errorOf } from "../../../core/model/errors.js";

/** States and responses may be larger than gRPC's default of 4 MB. */
const LARGEST_MESSAGE = 400 * 1024 * 1024;

interface ServerOptions {
  readonly info: PackageFacts;
  readonly env: Environment;
  /** Address of the engine, if it has started this process: without one, it says so in a handshake or attaches itself. */
  readonly engine?: string | undefined;
  readonly process?: ProcessOptions;
}

/** What runs calls, once the engine and the configuration are known. */
interface Started {
  readonly process: ProviderProcess;
  readonly plugin: Plugin;
}

/** Serves Pulumi's engine on a port of this machine. */
export class PluginServer {
  private readonly server = new Grpc.Server({
    "grpc.max_receive_message_length": LARGEST_MESSAGE,
    "grpc.max_send_message_length": LARGEST_MESSAGE,
  });
  private engine: string | undefined;
  private config: ConfigReader = () => undefined;
  private current: Started | undefined;
  private isCancelled = false;

  constructor(private readonly options: ServerOptions) {
    this.engine = options.engine;
    const packageCalls = new PackageCalls({
      info: options.info,
      env: options.env,
      onEngine: (address) => (this.engine = address),
      onConfigure: (config) => {
        this.config = config;
        // A process that engines attach to serves one run after another, and each ends with a cancel.
        if (this.isCancelled) this.current = undefined;
        this.isCancelled = false;
      },
      onWarning: async (provider, text) => {
        const reporter = engineReporter(this.engine);
        reporter.warn(provider, text);
        await reporter.delivered?.();
      },
      onInvoke: (name, args) => this.started().plugin.invoke(name, args),
      onCancel: () => this.end(),
    });
    const resources = new ResourceCalls(() => this.started().plugin);
    this.server.addService(ResourceProviderService, {
      handshake: unary((request: pb.ProviderHandshakeRequest) => packageCalls.handshake(request)),
      attach: unary((request: pluginPb.PluginAttach) => packageCalls.attach(request)),
      getPluginInfo: unary(() => packageCalls.getPluginInfo()),
      getSchema: unary((request: pb.GetSchemaRequest) => packageCalls.getSchema(request)),
      checkConfig: unary((request: pb.CheckRequest) => packageCalls.checkConfig(request)),
      diffConfig: unary((request: pb.DiffRequest) => packageCalls.diffConfig(request)),
      invoke: unary((request: pb.InvokeRequest) => packageCalls.invoke(request)),
      configure: unary((request: pb.ConfigureRequest) => packageCalls.configure(request)),
      cancel: unary(() => packageCalls.cancel()),
      check: unary((request: pb.CheckRequest) => resources.check(request)),
      diff: unary((request: pb.DiffRequest) => resources.diff(request)),
      create: unary((request: pb.CreateRequest) => resources.create(request)),
      read: unary((request: pb.ReadRequest) => resources.read(request)),
      update: unary((request: pb.UpdateRequest) => resources.update(request)),
      delete: unary((request: pb.DeleteRequest) => resources.delete(request)),
    } satisfies UntypedServiceImplementation);
  }

  /** Resolves with the port. */
  listen(): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync("127.0.0.1:0", Grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(port);
        else reject(error);
      });
    });
  }

  /** Starts no further requests. Resolves when those under way have their responses. */
  async finish(): Promise<void> {
    await this.current?.process.finish();
  }

  close(): void {
    this.server.forceShutdown();
  }

  /**
   * The engine cancels at the end of every run, and shows what is reported until this returns; and when somebody interrupts a run,
   * where waits must end at once.
   */
  private async end(): Promise<void> {
    this.isCancelled = true;
    if (this.current === undefined) return;
    await this.current.process.cancel();
    // After calls about resources, which most runs consist of: what is there once stays so.
    writeCompiledCode();
  }

  /** What runs the calls about resources, from the first of them on: the engine and the configuration are known by then. */
  private started(): Started {
    if (this.current !== undefined) return this.current;
    const { env, process: options } = this.options;
    const process = new ProviderProcess(env, this.engine, options);
    process.configure((key) => this.config(key));
    return (this.current = { process, plugin: new Plugin(process) });
  }
}

/** A call with one request and one response. */
function unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>) {
  return (call: ServerUnaryCall<Request, Response>, done: sendUnaryData<Response>): void => {
    void (async () => handle(call.request))().then(
      (response) => {
        done(null, response);
      },
      (error: unknown) => {
        done(toServiceError(failedCall(error)));
      },
    );
  };
}

/** What the engine gets for an error. Its message has no secrets: they have been removed. */
export function failedCall(error: unknown): Failed {
  const { message } = errorOf(error);
  const written = error instanceof CallFailure ? error.written : undefined;
  if (written === undefined) return { message };
  const properties = encodedState(written.kind, written.state);
  return { message, partial: { id: written.id, properties, reasons: [message] } };
}

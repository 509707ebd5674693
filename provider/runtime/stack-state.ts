import { createRequire } from "node:module";
import { isObject, type JsonObject } from "../model/json.js";
import { unwrapSecrets } from "../model/secret.js";
import { VENDOR_RULESET, type StackAddress, type StackResource } from "../engine/predecessors.js";

interface Struct {
  toJavaScript(): JsonObject;
}
interface StructModule {
  readonly Struct: { fromJavaScript(value: object): Struct };
}
interface InvokeRequest {
  setTok(token: string): void;
  setArgs(args: Struct): void;
}
interface InvokeResponse {
  getReturn(): Struct | undefined;
}
interface MonitorModule {
  readonly ResourceMonitorClient: new (
    address: string,
    credentials: unknown,
    options: object,
  ) => {
    invoke(
      request: InvokeRequest,
      options: { readonly deadline: number },
      done: (error: Error | null, response: InvokeResponse) => void,
    ): void;
    close(): void;
  };
}
interface MessageModule {
  readonly ResourceInvokeRequest: new () => InvokeRequest;
}
interface GrpcModule {
  readonly credentials: { createInsecure(): unknown };
}

/** A function of the engine itself: the outputs of every resource in the state of a stack, without pending deletes. */
const READ = "pulumi:pulumi:readStackResourceOutputs";
const TIMEOUT_MS = 60_000;
/** As the SDK sets it: a state is larger than gRPC's default of 4 MB. */
const LARGEST_ANSWER = 400 * 1024 * 1024;
const OWN_TYPE = /^pulumi-nodejs:dynamic\/rulesets:(\w+)$/;
/** A ruleset of the vendor's package, which may hold what a resource of this one takes over. */
const VENDOR_TYPE = "cloudflare:index/ruleset:Ruleset";

/** Pauses before the state is asked for again: the engine writes it with every step, and a read may meet a write. */
const PAUSES_MS = [50, 100, 200, 400, 800];

/** Reads the resources of this package, and the vendor's rulesets, in the state of a stack, as the engine has it while it runs. */
export async function readStackState(address: StackAddress): Promise<readonly StackResource[]> {
  for (const pause of PAUSES_MS) {
    try {
      return await askMonitor(address);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  return askMonitor(address);
}

async function askMonitor({ monitor, name }: StackAddress): Promise<readonly StackResource[]> {
  const from = createRequire(require.resolve("@pulumi/pulumi"));
  const { ResourceMonitorClient } = from("@pulumi/pulumi/proto/resource_grpc_pb.js") as MonitorModule;
  const { ResourceInvokeRequest } = from("@pulumi/pulumi/proto/resource_pb.js") as MessageModule;
  const { Struct } = from("google-protobuf/google/protobuf/struct_pb.js") as StructModule;
  const grpc = from("@grpc/grpc-js") as GrpcModule;
  const options = { "grpc.max_receive_message_length": LARGEST_ANSWER };
  const client = new ResourceMonitorClient(monitor, grpc.credentials.createInsecure(), options);
  const request = new ResourceInvokeRequest();
  request.setTok(READ);
  request.setArgs(Struct.fromJavaScript({ stackName: name }));
  try {
    return await new Promise<readonly StackResource[]>((resolve, reject) => {
      client.invoke(request, { deadline: Date.now() + TIMEOUT_MS }, (error, response) => {
        if (error === null) resolve(resourcesIn(response.getReturn()?.toJavaScript()));
        else reject(error);
      });
    });
  } finally {
    client.close();
  }
}

function resourcesIn(answer: JsonObject | undefined): StackResource[] {
  const outputs = answer?.outputs;
  if (!isObject(outputs)) throw new Error(`${READ} answered without outputs`);
  return Object.entries(outputs).flatMap(([urn, resource]): StackResource[] => {
    if (!isObject(resource) || typeof resource.type !== "string") return [];
    if (resource.type === VENDOR_TYPE) return [vendorRuleset(urn, resource.outputs)];
    const type = OWN_TYPE.exec(resource.type)?.[1];
    const state = unwrapSecrets(resource.outputs);
    return type === undefined || !isObject(state) ? [] : [{ type, state }];
  });
}

/** Where a ruleset of the vendor's package is, without its rules. */
function vendorRuleset(urn: string, outputs: unknown): StackResource {
  const { zoneId, accountId, phase, kind, name } = isObject(outputs) ? outputs : {};
  const told = Object.entries({ zoneId, accountId, phase, kind, name }).filter(
    ([, value]) => typeof value === "string",
  );
  return { type: VENDOR_RULESET, state: { ...Object.fromEntries(told), __urn: urn } };
}

import { createRequire } from "node:module";
import { isObject, type JsonObject } from "../model/json.js";
import { unwrapSecrets } from "../model/secret.js";
import {
  CLOUDFLARE_RULESET,
  CLOUDFLARE_TYPE,
  isZone,
  ZONE,
  type StackAddress,
  type StackResource,
} from "../engine/predecessors.js";
import { systemClock, type Clock } from "../http/clock.js";

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
/** How a call is made and what its messages are on the wire. */
interface Method {
  readonly path: string;
  readonly requestSerialize: (request: InvokeRequest) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => InvokeResponse;
}
interface MonitorModule {
  readonly ResourceMonitorService: { readonly invoke: Method };
  readonly ResourceMonitorClient: new (
    address: string,
    credentials: unknown,
    options: object,
  ) => {
    makeUnaryRequest(
      path: string,
      serialize: Method["requestSerialize"],
      deserialize: (bytes: Buffer) => Buffer,
      request: InvokeRequest,
      options: { readonly deadline: number },
      done: (error: Error | null, response: Buffer) => void,
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

/** Built-in function of the engine: returns the outputs of every resource in a stack's state, without pending deletes. */
const READ = "pulumi:pulumi:readStackResourceOutputs";
const TIMEOUT_MS = 30_000;
const DEADLINE_EXCEEDED = 4;
/** The SDK's limit: a state may be larger than gRPC's default of 4 MB. */
const LARGEST_RESPONSE = 400 * 1024 * 1024;
const OWN_TYPE = /^pulumi-nodejs:dynamic\/rulesets:(\w+)$/;

/** Delays before reading the state again: the engine writes it with every step, and a read may coincide with a write. */
const PAUSES_MS = [50, 100, 200, 400, 800];

/** Reads this package's resources, `@pulumi/cloudflare`'s rulesets, and zones from the current state of a stack, during a run. */
export async function readStackState(
  address: StackAddress,
  type?: string,
  clock: Pick<Clock, "sleep"> = systemClock,
): Promise<readonly StackResource[]> {
  for (const pause of PAUSES_MS) {
    try {
      return await readFromMonitor(address, type);
    } catch (error) {
      // What the engine waits for does not end before this call.
      if ((error as { readonly code?: unknown }).code === DEADLINE_EXCEEDED) throw error;
      await clock.sleep(pause);
    }
  }
  return readFromMonitor(address, type);
}

async function readFromMonitor(
  { monitor, name }: StackAddress,
  type: string | undefined,
): Promise<readonly StackResource[]> {
  const from = createRequire(require.resolve("@pulumi/pulumi"));
  const { ResourceMonitorClient, ResourceMonitorService } = from(
    "@pulumi/pulumi/proto/resource_grpc_pb.js",
  ) as MonitorModule;
  const { ResourceInvokeRequest } = from("@pulumi/pulumi/proto/resource_pb.js") as MessageModule;
  const { Struct } = from("google-protobuf/google/protobuf/struct_pb.js") as StructModule;
  const grpc = from("@grpc/grpc-js") as GrpcModule;
  const options = { "grpc.max_receive_message_length": LARGEST_RESPONSE };
  const client = new ResourceMonitorClient(monitor, grpc.credentials.createInsecure(), options);
  const request = new ResourceInvokeRequest();
  request.setTok(READ);
  request.setArgs(Struct.fromJavaScript({ stackName: name }));
  const { path, requestSerialize, responseDeserialize } = ResourceMonitorService.invoke;
  const limits = { deadline: Date.now() + TIMEOUT_MS };
  try {
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      client.makeUnaryRequest(path, requestSerialize, asBytes, request, limits, (error, response) => {
        if (error === null) resolve(response);
        else reject(error);
      });
    });
    // Looking through the state of 2,000 rulesets with 10 rules each takes 30 ms, and decoding it 800 ms.
    if (type !== undefined && !bytes.includes(`rulesets:${type}`)) return [];
    return resourcesIn(responseDeserialize(bytes).getReturn()?.toJavaScript());
  } finally {
    client.close();
  }
}

function asBytes(bytes: Buffer): Buffer {
  return bytes;
}

function resourcesIn(response: JsonObject | undefined): StackResource[] {
  const outputs = response?.outputs;
  if (!isObject(outputs)) throw new Error(`${READ} returned no outputs`);
  return Object.entries(outputs).flatMap(([urn, resource]): StackResource[] => {
    if (!isObject(resource) || typeof resource.type !== "string") return [];
    if (resource.type === CLOUDFLARE_TYPE) return [cloudflareRuleset(urn, resource.outputs)];
    if (isZone(urn)) return [{ type: ZONE, state: { __urn: urn } }];
    const type = OWN_TYPE.exec(resource.type)?.[1];
    const state = unwrapSecrets(resource.outputs);
    return type === undefined || !isObject(state) ? [] : [{ type, state }];
  });
}

/** The scope, phase, kind and name of a ruleset of `@pulumi/cloudflare`, without its rules. */
function cloudflareRuleset(urn: string, outputs: unknown): StackResource {
  const { zoneId, accountId, phase, kind, name } = isObject(outputs) ? outputs : {};
  const given = Object.entries({ zoneId, accountId, phase, kind, name }).filter(
    ([, value]) => typeof value === "string",
  );
  return { type: CLOUDFLARE_RULESET, state: { ...Object.fromEntries(given), __urn: urn } };
}

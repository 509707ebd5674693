import { createRequire } from "node:module";
import { readStackState } from "../../../provider/runtime/stack-state.js";

interface Server {
  addService(service: unknown, handlers: object): void;
  bindAsync(address: string, credentials: unknown, done: (error: Error | null, port: number) => void): void;
  forceShutdown(): void;
}
type Answer = (error: object | null, response?: unknown) => void;

const from = createRequire(require.resolve("@pulumi/pulumi"));
const grpc = from("@grpc/grpc-js") as {
  readonly Server: new () => Server;
  readonly ServerCredentials: { createInsecure(): unknown };
};
const { ResourceMonitorService } = from("@pulumi/pulumi/proto/resource_grpc_pb.js") as {
  readonly ResourceMonitorService: unknown;
};
const { ResourceInvokeResponse } = from("@pulumi/pulumi/proto/resource_pb.js") as {
  readonly ResourceInvokeResponse: new () => { setReturn(value: unknown): void };
};
const { Struct } = from("google-protobuf/google/protobuf/struct_pb.js") as {
  readonly Struct: { fromJavaScript(value: object): unknown };
};

const ZONE_URN = "urn:pulumi:dev::shop::cloudflare:index/zone:Zone::shop";
const OUTPUTS = {
  a: { type: "pulumi-nodejs:dynamic/rulesets:TotalTlsCa", outputs: { zoneId: "z" } },
  v: {
    type: "cloudflare:index/ruleset:Ruleset",
    outputs: { zoneId: "z", phase: "p", kind: "zone", name: "n", rules: [{ expression: "ssl" }] },
  },
  b: { type: "aws:s3/bucket:Bucket", outputs: {} },
  [ZONE_URN]: { type: "cloudflare:index/zone:Zone", outputs: { name: "example.com" } },
};

/** A monitor that fails a number of times before it answers. */
async function monitor(failures: number) {
  const server = new grpc.Server();
  const asked: string[] = [];
  server.addService(ResourceMonitorService, {
    invoke: (call: { request: { getTok(): string } }, answer: Answer) => {
      asked.push(call.request.getTok());
      if (asked.length <= failures) {
        answer({ code: 2, details: "unexpected end of JSON input" });
        return;
      }
      const response = new ResourceInvokeResponse();
      response.setReturn(Struct.fromJavaScript({ outputs: OUTPUTS }));
      answer(null, response);
    },
  });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(error);
    });
  });
  return { server, asked, address: { monitor: `127.0.0.1:${String(port)}`, name: "dev" } };
}

/** A clock that notes how long somebody wants to sleep. */
function wakefulClock() {
  const slept: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    slept.push(ms);
    return Promise.resolve();
  };
  return { slept, clock: { sleep } };
}

test.each([0, 3])("the state of a stack is read even if %d reads collide with a write of it", async (failures) => {
  const { server, asked, address } = await monitor(failures);
  const { slept, clock } = wakefulClock();
  try {
    expect(await readStackState(address, undefined, clock)).toEqual([
      { type: "TotalTlsCa", state: { zoneId: "z" } },
      { type: "any/Zone", state: { __urn: ZONE_URN } },
      { type: "cloudflare/Ruleset", state: { zoneId: "z", phase: "p", kind: "zone", name: "n", __urn: "v" } },
    ]);
    expect(asked).toEqual(Array(failures + 1).fill("pulumi:pulumi:readStackResourceOutputs"));
    expect(slept).toEqual([50, 100, 200].slice(0, failures));
  } finally {
    server.forceShutdown();
  }
});

test("a state without resources of a type is not decoded for it", async () => {
  const { server, address } = await monitor(0);
  try {
    expect(await readStackState(address, "RulesList")).toEqual([]);
    expect(await readStackState(address, "TotalTlsCa")).toHaveLength(3);
  } finally {
    server.forceShutdown();
  }
});

test("reading an unavailable state is not retried forever", async () => {
  const { server, asked, address } = await monitor(99);
  const { slept, clock } = wakefulClock();
  try {
    await expect(readStackState(address, undefined, clock)).rejects.toThrow("unexpected end of JSON input");
    expect(asked).toHaveLength(6);
    expect(slept).toEqual([50, 100, 200, 400, 800]);
  } finally {
    server.forceShutdown();
  }
});

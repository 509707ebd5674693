import * as grpc from "@grpc/grpc-js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { EngineService } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { engineReporter } from "../../../provider/border/engine-log.js";

/** A `Log` of the engine that answers only when told to, as an engine under load answers late. */
class SlowEngine {
  /** The calls that wait for an answer, in the order in which they came in. */
  readonly waiting: (() => void)[] = [];
  readonly seen: string[] = [];
  private readonly server = new grpc.Server();
  private onCall = (): void => undefined;

  start(): Promise<string> {
    const log: grpc.handleUnaryCall<LogRequest, Empty> = ({ request }, answer) => {
      this.seen.push(request.getMessage());
      this.waiting.push(() => {
        answer(null, new Empty());
      });
      this.onCall();
    };
    this.server.addService({ log: EngineService.log }, { log });
    return new Promise((resolve, reject) => {
      this.server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
        if (error === null) resolve(`127.0.0.1:${String(port)}`);
        else reject(error);
      });
    });
  }

  async called(times: number): Promise<void> {
    while (this.seen.length < times) await new Promise<void>((resolve) => (this.onCall = resolve));
  }

  answerNext(): void {
    this.waiting.shift()?.();
  }

  close(): void {
    this.server.forceShutdown();
  }
}

describe("messages for the engine", () => {
  const engine = new SlowEngine();
  let address: string;
  beforeAll(async () => {
    address = await engine.start();
  });
  afterAll(() => {
    engine.close();
  });

  test("those of a resource are sent one after another, those of others beside them, and all are delivered", async () => {
    const reporter = engineReporter(address);
    reporter.warn("urn:a", "a1");
    reporter.info("urn:a", "a2");
    reporter.plan?.("urn:a", "a3");
    reporter.info("urn:b", "b1");
    let delivered = false;
    const all = reporter.delivered?.().then(() => (delivered = true));

    await engine.called(2);
    expect([...engine.seen].sort()).toEqual(["a1", "b1"]);
    for (let answered = 0; answered < 2; answered++) engine.answerNext();
    await engine.called(3);
    expect(engine.seen[2]).toBe("a2");
    engine.answerNext();
    await engine.called(4);
    expect(engine.seen[3]).toBe("a3");
    expect(delivered).toBe(false);
    engine.answerNext();
    await all;
  });
});

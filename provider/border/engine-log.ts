import type { Reporter } from "../engine/reporter.js";
import { late } from "../../core/model/late.js";

const loadGrpc = late<typeof import("./sdk-grpc.js")>(() => require("./sdk-grpc.js"));
const loadEngine = late<typeof import("@pulumi/pulumi/proto/engine_grpc_pb.js")>(() =>
  require("@pulumi/pulumi/proto/engine_grpc_pb.js"),
);
const loadMessages = late<typeof import("@pulumi/pulumi/proto/engine_pb.js")>(() =>
  require("@pulumi/pulumi/proto/engine_pb.js"),
);

/**
 * Reports messages to the engine, which shows them with their resource. The engine's address is the plugin's first argument.
 * Without an engine, messages go to standard error.
 */
export function engineReporter(address: string | undefined): Reporter {
  const send = address === undefined ? undefined : connect(address);
  const report = (severity: Severity, urn: string | undefined, message: string, ephemeral = false): void => {
    if (send === undefined) {
      if (!ephemeral) process.stderr.write(`${severity.toLowerCase()}: ${message}\n`);
      return;
    }
    send.log(severity, urn, message, ephemeral);
  };
  return {
    info: (urn, text) => {
      report("INFO", urn, text);
    },
    warn: (urn, text) => {
      report("WARNING", urn, text);
    },
    status: (urn, text) => {
      report("INFO", urn, text, true);
    },
    plan: (urn, text) => {
      report("INFO", urn, text);
    },
    delivered: () => send?.delivered() ?? Promise.resolve(),
  };
}

type Severity = "INFO" | "WARNING";

interface Engine {
  /** Sends a message, after those about the same resource have been answered: they are shown in this order. */
  log(severity: Severity, urn: string | undefined, message: string, ephemeral: boolean): void;
  /** Resolves when the engine has answered every message, also with an error. */
  delivered(): Promise<void>;
}

function connect(address: string): Engine | undefined {
  try {
    const { LogRequest, LogSeverity } = loadMessages();
    const client = new (loadEngine().EngineClient)(address, loadGrpc().credentials.createInsecure());
    // The engine handles calls side by side and shows messages in the order in which it got to them.
    const last = new Map<string, Promise<void>>();
    return {
      log: (severity, urn, message, ephemeral) => {
        const request = new LogRequest();
        request.setSeverity(LogSeverity[severity]);
        request.setMessage(message);
        if (urn !== undefined && urn !== "") request.setUrn(urn);
        request.setStreamid(0);
        request.setEphemeral(ephemeral);
        const of = urn ?? "";
        const send = (): Promise<void> =>
          new Promise((resolve) => {
            client.log(request, () => {
              if (last.get(of) === answered) last.delete(of);
              resolve();
            });
          });
        const before = last.get(of);
        const answered = before === undefined ? send() : before.then(send);
        last.set(of, answered);
      },
      delivered: async () => {
        await Promise.all(last.values());
      },
    };
  } catch {
    return undefined;
  }
}

// Breaks the connection between an inline program and the engine, as a machine under heavy load does.
const { createServer, connect } = require("node:net");
const { LanguageServer } = require("@pulumi/pulumi/automation/server");
const { ResourceMonitorClient } = require("@pulumi/pulumi/proto/resource_grpc_pb");

const PREFACE = 24;
const HEADER = 9;
const HEADERS = 1;

/** Counts the calls in what an HTTP/2 client sends: each begins with a frame of headers. */
function callCounter() {
  let rest = Buffer.alloc(0);
  let skipped = PREFACE;
  let calls = 0;
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= skipped + HEADER) {
      calls += rest[skipped + 3] === HEADERS ? 1 : 0;
      skipped += HEADER + rest.readUIntBE(skipped, 3);
    }
    return calls;
  };
}

let lastCall;

/** The address of a proxy that breaks its first connection once the last call has come through. */
function proxyFor(address) {
  const port = Number(address.split(":").at(-1));
  let isCut = false;
  const server = createServer((program) => {
    const engine = connect(port, "127.0.0.1");
    const count = callCounter();
    program.on("data", (data) => {
      engine.write(data);
      if (isCut || lastCall === undefined || count(data) < lastCall) return;
      isCut = true;
      program.destroy();
    });
    engine.on("data", (data) => program.write(data));
    for (const [one, other] of [
      [program, engine],
      [engine, program],
    ]) {
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
      one.unref();
    }
  });
  server.listen(0).unref();
  return `127.0.0.1:${String(server.address().port)}`;
}

const runProgram = LanguageServer.prototype.run;

LanguageServer.prototype.run = function run(call, callback) {
  const { request } = call;
  if (lastCall !== undefined) request.setMonitorAddress(proxyFor(request.getMonitorAddress()));
  return runProgram.call(this, call, callback);
};

// A program that has declared everything says so in its last call. An engine that loses it there waits forever.
const { signalAndWaitForShutdown: endProgram } = ResourceMonitorClient.prototype;
ResourceMonitorClient.prototype.signalAndWaitForShutdown = function end(...args) {
  lastCall = undefined;
  return endProgram.apply(this, args);
};

/** Breaks the connection of the programs that run from now on after a call of theirs; undefined breaks none. */
exports.cutAfter = (call) => {
  lastCall = call;
};

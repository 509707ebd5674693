import { readUserText } from "../../rules-files/text/read-file.js";
import { startEmulator, type Emulator, type Seed } from "../../../emulator/index.js";
import { isToken } from "../../../provider/settings.js";

export interface EmulatorCommand {
  readonly port: string;
  readonly host: string;
  readonly state?: string;
  readonly seed?: string;
  readonly token?: string;
  readonly edgePort?: string;
  readonly dnsPort?: string;
  readonly origin?: string;
}

/** Starts the emulator, prints its address and how to point a stack at it, and runs until it is stopped. */
export async function runEmulator(options: EmulatorCommand, print: (line: string) => void): Promise<void> {
  const port = portOf("--port", options.port);
  if (options.origin !== undefined && options.edgePort === undefined)
    throw new Error("--origin needs --edge-port: requests reach an origin through the edge");
  if (options.token !== undefined && !isToken(options.token))
    throw new Error("--token must be one word of letters, digits and . _ ~ + / = -");
  const seed = options.seed === undefined ? {} : readSeed(options.seed);
  // A signal during the start also ends with a closed state file.
  const stopped = untilStopped();
  const emulator = await startEmulator({
    port,
    host: options.host,
    stateFile: options.state,
    seed,
    token: options.token,
    ...(options.edgePort === undefined
      ? {}
      : { edge: { port: portOf("--edge-port", options.edgePort), origin: options.origin } }),
    ...(options.dnsPort === undefined ? {} : { dns: { port: portOf("--dns-port", options.dnsPort) } }),
  }).catch((error: unknown) => Promise.reject(explain(error, options)));
  try {
    printUsage(emulator, options, print);
    await stopped;
  } finally {
    await emulator.close();
  }
}

/** An emulator can have thousands of zones. */
const PRINTED_ZONES = 50;

/** Prints the address of the emulator, its zones, and how to point a stack at it. */
function printUsage(emulator: Emulator, options: EmulatorCommand, print: (line: string) => void): void {
  const token = emulator.token ?? "any-token-will-do";
  const all = emulator.zones();
  const zones = all.slice(0, PRINTED_ZONES);
  const last = zones.at(-1);
  print(`The rulesets service runs at ${emulator.url}`);
  print(
    options.state === undefined
      ? "Its state is lost when it stops; --state FILE keeps it."
      : `It keeps its state in ${options.state}.`,
  );
  print("");
  print("Zones:");
  for (const zone of zones) print(`  ${zone.id}  ${zone.name} (${zone.plan}), account ${zone.account.id}`);
  if (all.length > zones.length) print("  and more, which GET /zones lists");
  print("");
  print("Point a stack at it:");
  print(`  pulumi config set rulesets:baseUrl ${emulator.url}`);
  print(`  pulumi config set --secret rulesets:apiToken ${token}`);
  if (last !== undefined) print(`  pulumi config set zoneId ${last.id}`);
  print("");
  if (emulator.edgeUrl !== undefined && last !== undefined) {
    print(
      `The edge serves the zones at ${emulator.edgeUrl}, with ${options.origin ?? "an echo server"} as their origin:`,
    );
    print(`  curl -i -H 'Host: ${last.name}' ${emulator.edgeUrl}/`);
    print("");
  }
  if (emulator.dnsServer !== undefined) {
    print(`CAA records are served over DNS at ${emulator.dnsServer}:`);
    print(`  pulumi config set rulesets:dnsServer ${emulator.dnsServer}`);
    print("");
  }
  print("Stop it with Ctrl-C.");
}

function portOf(option: string, text: string): number {
  const port = Number(text);
  if (text.trim() !== "" && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new Error(`${option} must be a port from 0 to 65535, not ${text}`);
}

function readSeed(path: string): Seed {
  const text = readUserText(path);
  try {
    return JSON.parse(text) as Seed;
  } catch (error) {
    throw new Error(`the seed ${path} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

function explain(error: unknown, options: EmulatorCommand): Error {
  const { code, message, port } = error as NodeJS.ErrnoException & { port?: number };
  if (code !== "EADDRINUSE") return new Error(message, { cause: error });
  const [taken, option] =
    String(port) === options.edgePort
      ? [options.edgePort, "--edge-port"]
      : String(port) === options.dnsPort
        ? [options.dnsPort, "--dns-port"]
        : [options.port, "--port"];
  return new Error(`port ${taken} is already in use; choose another with ${option}`, { cause: error });
}

function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
}

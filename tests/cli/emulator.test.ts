import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { runEmulator } from "../../tools/cli/emulator/command.js";
import { Service } from "../support/emulator.js";
import { visit } from "../support/visit.js";
import { folder } from "./support.js";
import { emulatorWith } from "../support/emulators.js";

const options = (state?: string, more: object = {}) => ({
  port: "0",
  host: "127.0.0.1",
  state,
  ...more,
});

test.each(["SIGTERM", "SIGINT"])("closes the state file on %s, also before everything is printed", async (signal) => {
  const state = join(folder({}), "state.db");
  const printed: string[] = [];
  await runEmulator(options(state), (line) => {
    if (printed.push(line) === 1) process.emit(signal as NodeJS.Signals);
  });
  expect(existsSync(`${state}-wal`)).toBe(false);
  await (await emulatorWith({ stateFile: state })).close();
});

test("names only the first zones of many", async () => {
  const zones = Array.from({ length: 120 }, (_, index) => ({ name: `z${String(index)}.example.com` }));
  const seed = join(folder({ "seed.json": { zones } }), "seed.json");
  const printed: string[] = [];
  await runEmulator(options(join(folder({}), "state.db"), { seed }), (line) => {
    printed.push(line);
    if (line.includes("Ctrl-C")) process.emit("SIGTERM");
  });
  expect(printed.filter((line) => line.includes("(enterprise)"))).toHaveLength(50);
  expect(printed).toContain("  and more, which GET /zones lists");
});

/** Runs the command until a check of what it has printed is done, and stops it by a signal. */
async function whileRunning(
  given: ReturnType<typeof options>,
  check: (printed: string) => Promise<void>,
): Promise<void> {
  let printed = "";
  let checked = Promise.resolve();
  await runEmulator(given, (line) => {
    printed += `${line}\n`;
    if (line.includes("Stop it with Ctrl-C")) checked = check(printed).finally(() => process.emit("SIGTERM"));
  });
  await checked;
}

test("prints its address and how to use it in a stack, and keeps its state, without the token", async () => {
  const [token, phase] = ["just-this-one", "http_ratelimit"];
  const state = join(folder({}), "state.json");
  let zone = "";
  await whileRunning(options(state, { token }), async (printed) => {
    const [, url = ""] = /runs at (http:\/\/127\.0\.0\.1:\d+\/client\/v4)/.exec(printed) ?? [];
    expect(printed).toContain(`pulumi config set --secret rulesets:apiToken ${token}`);
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const answer = await fetch(`${url}/zones`, { headers });
    const zones = ((await answer.json()) as { result: { id: string }[] }).result;
    zone = zones.at(-1)?.id ?? "";
    expect(printed).toContain(`pulumi config set zoneId ${zone}`);
    expect((await fetch(`${url}/zones`, { headers: { Authorization: "Bearer another" } })).status).toBe(401);
    const put = { method: "PUT", headers, body: JSON.stringify({ rules: [] }) };
    await fetch(`${url}/zones/${zone}/rulesets/phases/${phase}/entrypoint`, put);
  });
  const again = await emulatorWith({ stateFile: state });
  expect(await new Service(again).entrypoint(zone, phase)).toMatchObject({ version: "1" });
  expect(readFileSync(state, "utf8")).not.toContain(token);
  await again.close();
});

test("answers visitors of the zones with --edge-port, at the address it prints", async () => {
  await whileRunning(options(undefined, { edgePort: "0" }), async (printed) => {
    const [, host = "", edge = ""] = /curl -i -H 'Host: (\S+)' (http:\S+)\//.exec(printed) ?? [];
    const answer = await visit(edge, `http://${host}/hello`);
    expect([answer.status, answer.headers["x-edge-outcome"]]).toEqual([200, "allowed"]);
    expect(JSON.parse(answer.text)).toMatchObject({ url: `http://${host}/hello` });
  });
});

describe("refuses", () => {
  const taken = createServer();
  const port = (): string => String((taken.address() as AddressInfo).port);
  beforeAll(async () => {
    await once(taken.listen(0, "127.0.0.1"), "listening");
  });
  afterAll(() => taken.close());

  test.each<[string, () => object, () => string]>([
    ["a port in use", () => ({ port: port() }), () => `port ${port()} is already in use; choose another with --port`],
    ["what is no port", () => ({ port: "soon" }), () => "--port must be a port from 0 to 65535, not soon"],
    [
      "a port of the edge in use",
      () => ({ edgePort: port() }),
      () => `port ${port()} is already in use; choose another with --edge-port`,
    ],
    ["an origin without the edge", () => ({ origin: "http://localhost" }), () => "--origin needs --edge-port"],
    [
      "an origin without a scheme",
      () => ({ edgePort: "0", origin: "localhost" }),
      () => 'the origin must be a URL with http or https, not "localhost"',
    ],
    ["an address of others", () => ({ host: "0.0.0.0" }), () => "only listens on loopback addresses"],
    [
      "a seed that is no JSON",
      () => ({ seed: join(folder({ "seed.json": "{ not json" }), "seed.json") }),
      () => "cannot be read",
    ],
  ])("%s", async (_, more, message) => {
    await expect(runEmulator(options(undefined, more()), () => undefined)).rejects.toThrow(message());
  });
});

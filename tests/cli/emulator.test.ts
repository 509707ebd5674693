import { existsSync } from "node:fs";
import { join } from "node:path";
import { runEmulator } from "../../cli/emulator/command.js";
import { startEmulator } from "../../emulator/index.js";
import { folder } from "./support.js";

const options = (state: string, more: object = {}) => ({
  port: "0",
  host: "127.0.0.1",
  state,
  keepVersions: "100",
  keepRequests: "100",
  keepEvents: "100",
  ...more,
});

test.each(["SIGTERM", "SIGINT"])("closes the state file on %s, also before everything is printed", async (signal) => {
  const state = join(folder({}), "state.db");
  const printed: string[] = [];
  await runEmulator(options(state), (line) => {
    if (printed.push(line) === 1) process.emit(signal as NodeJS.Signals);
  });
  expect(existsSync(`${state}-wal`)).toBe(false);
  await (await startEmulator({ stateFile: state })).close();
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

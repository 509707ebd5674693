import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { DatabaseSync as DatabaseConnection } from "node:sqlite";
import { startEmulator } from "../../emulator/index.js";
import { loadSqlite } from "../../emulator/store/disk.js";
import { Service, TOKEN } from "../support/emulator.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const phase = "http_request_firewall_custom";
const headers = { Authorization: `Bearer ${TOKEN}`, "Content-Type": "application/json" };
const rules = (label: string): object[] =>
  Array.from({ length: 20 }, (_, index) => ({
    action: "block",
    ref: `${label}-${String(index)}`,
    description: label,
    expression: `ip.src eq 192.0.2.${String(index)}`,
  }));

/** Runs in its own process, from the built package. */
const PROGRAM = `
  const { startEmulator } = require(${JSON.stringify(join(process.cwd(), "dist/emulator/index.js"))});
  startEmulator({ stateFile: process.argv[1], keep: { versions: 1000 } }).then(({ url }) => console.log(url));
`;

let stateFile: string;
beforeEach(() => {
  stateFile = join(temporaryFolder(), "state");
});

/** An emulator in another process; `blocks` of 512 or 1024 bytes limit the size of the files that it may write. */
async function spawnEmulator(blocks?: number): Promise<{ child: ChildProcess; url: string }> {
  const limit = blocks === undefined ? "" : `ulimit -f ${String(blocks)}; `;
  const child = spawn(
    "sh",
    ["-c", `${limit}exec "$0" --no-warnings -e "$1" "$2"`, process.execPath, PROGRAM, stateFile],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  return { child, url };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

async function put(url: string, label: string): Promise<number> {
  const answer = await fetch(url, { method: "PUT", headers, body: JSON.stringify({ rules: rules(label) }) });
  await answer.text();
  return answer.status;
}

test.each([1, 40, 120])(
  "after a kill at response %i of 200 concurrent writes, every confirmed write is complete",
  async (after) => {
    const { child, url } = await spawnEmulator();
    const service = new Service({ url });
    const zones = await service.ask<{ id: string }[]>("GET", "/zones");
    const zone = zones.at(-1)?.id ?? "";
    const made = await service.create(`zones/${zone}`, { name: "default", kind: "zone", phase });
    const answered: { version: string; label: string }[] = [];
    await Promise.allSettled(
      Array.from({ length: 200 }, async (_, index) => {
        const label = `write-${String(index)}`;
        const answer = await fetch(`${url}/zones/${zone}/rulesets/${made.id}`, {
          method: "PUT",
          headers,
          body: JSON.stringify({ rules: rules(label) }),
        });
        const { result } = (await answer.json()) as { result: { version: string } };
        answered.push({ version: result.version, label });
        if (answered.length === after) child.kill("SIGKILL");
      }),
    );
    await stop(child);
    expect(answered.length).toBeGreaterThanOrEqual(after);

    const emulator = await startEmulator({ stateFile, keep: { versions: 1000 } });
    const again = new Service(emulator);
    const path = `/zones/${zone}/rulesets/${made.id}/versions`;
    const versions = await again.ask<{ version: string }[]>("GET", path);
    const kept = await Promise.all(
      versions.map(({ version }) =>
        again.ask<{ version: string; rules: { description: string }[] }>("GET", `${path}/${version}`),
      ),
    );
    const labels = new Map(
      kept.map(({ version, rules: list }) => [version, list.map(({ description }) => description)]),
    );
    for (const { version, label } of answered) expect(labels.get(version)).toEqual(rules(label).map(() => label));
    for (const [version, list] of labels)
      if (version !== "1") expect([list.length, new Set(list).size]).toEqual([20, 1]);
    await emulator.close();
  },
);

test.each(["while it loads a large state", "right after the start"])(
  "SIGTERM %s closes the state file",
  async (when) => {
    const zones = Array.from({ length: 10_000 }, (_, index) => ({ name: `z${String(index)}.example.com` }));
    const log = `${stateFile}-wal`;
    await (await startEmulator({ stateFile, seed: { zones } })).close();
    const command = [join(process.cwd(), "dist/tools/cli/main.js"), "emulator", "--port", "0", "--state", stateFile];
    const child = spawn(process.execPath, ["--no-warnings", ...command], { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    if (when === "right after the start") await once(createInterface({ input: child.stdout }), "line");
    else while (!existsSync(log)) await new Promise(setImmediate);
    child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect(existsSync(log)).toBe(false);
    const emulator = await startEmulator({ stateFile });
    expect(emulator.zones()).toHaveLength(zones.length);
    await emulator.close();
  },
);

test("every write is synchronised with the disk, so that it survives a power failure", async () => {
  const { DatabaseSync } = loadSqlite();
  const prepare = jest.spyOn(DatabaseSync.prototype, "prepare");
  const emulator = await startEmulator({ stateFile });
  const [database] = prepare.mock.contexts as DatabaseConnection[];
  const full = 2;
  expect(database?.prepare("PRAGMA synchronous").get()).toEqual({ synchronous: full });
  await emulator.close();
  jest.restoreAllMocks();
});

test("a write on a full disk is refused and rolled back, and reads still work", async () => {
  const { child, url } = await spawnEmulator(1000);
  const service = new Service({ url });
  const zones = await service.ask<{ id: string }[]>("GET", "/zones");
  const path = `${url}/zones/${zones.at(-1)?.id ?? ""}/rulesets/phases/${phase}/entrypoint`;
  let written = 0;
  let status = await put(path, "0");
  while (status === 200 && written < 500) {
    written += 1;
    status = await put(path, String(written));
  }
  expect(status).toBe(500);
  const read = async (): Promise<unknown> =>
    ((await (await fetch(path, { headers })).json()) as { result: unknown }).result;
  const last = { version: String(written), rules: rules(String(written - 1)) };
  expect(await read()).toMatchObject(last);
  const refused = await fetch(path, { method: "PUT", headers, body: JSON.stringify({ rules: rules("no") }) });
  expect(await refused.json()).toMatchObject({
    success: false,
    errors: [{ message: expect.stringContaining("the change was rolled back") as string }],
  });
  expect(await read()).toMatchObject(last);
  await stop(child);

  // With space again, the confirmed writes are there, and the next write is the next version.
  const emulator = await startEmulator({ stateFile });
  const again = path.replace(url, emulator.url);
  expect(((await (await fetch(again, { headers })).json()) as { result: unknown }).result).toMatchObject(last);
  expect(await put(again, "more")).toBe(200);
  const after = ((await (await fetch(again, { headers })).json()) as { result: { version: string } }).result;
  expect(after.version).toBe(String(written + 1));
  await emulator.close();
});

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..");
const script = join(root, "host", "pulumi-resource-pulumi-nodejs");

/** An address where nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return `127.0.0.1:${String(port)}`;
}

describe("the host of this package", () => {
  test("serves the engine, and ends with it even before the first call", async () => {
    const host = spawn(script, [await closedAddress()], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
    const exited = once(host, "exit");
    const [port] = (await once(host.stdout, "data")) as [Buffer];
    expect(port.toString()).toMatch(/^\d+\n$/);
    host.stdin.end();
    expect(await exited).toEqual([1, null]);
  });

  test("keeps the code that Node compiles, in the caches of the user", async () => {
    const caches = mkdtempSync(join(tmpdir(), "host-"));
    // Tests with the engine name another folder to Node, which goes before.
    const { NODE_COMPILE_CACHE: _, ...inherited } = process.env;
    const env = { ...inherited, XDG_CACHE_HOME: caches, HOME: caches, LOCALAPPDATA: caches };
    const host = spawn(script, [await closedAddress()], { cwd: root, env, stdio: ["pipe", "ignore", "inherit"] });
    host.stdin.end();
    await once(host, "exit");
    expect(readdirSync(caches, { recursive: true }).join()).toContain(join("pulumi-rulesets", "compiled"));
    rmSync(caches, { recursive: true });
  });

  test("says what is missing where the SDK is not installed", () => {
    const run = () => execFileSync(script, ["127.0.0.1:1"], { cwd: "/", encoding: "utf8", stdio: "pipe" });
    expect(run).toThrow("@pulumi/pulumi was not found from /. To continue: run `npm install` in the project.");
  });

  test("what a host seldom uses is loaded when it is used, and not before", () => {
    const program = `
      require(${JSON.stringify(join(root, "dist", "provider", "host", "load-late.js"))});
      const { automation, runtime } = require("@pulumi/pulumi");
      const files = /node_modules\\/(typescript|@npmcli|normalize-package-data|semver|@opentelemetry|@pulumi\\/pulumi\\/automation)\\//;
      const loaded = () => [...new Set(Object.keys(require.cache).flatMap((file) => file.match(files)?.[1] ?? []))];
      const before = loaded();
      const workspace = typeof automation.LocalWorkspace.createOrSelectStack;
      runtime.serializeFunction(() => 6 * 7).then(({ text }) => {
        const exported = {};
        new Function("exports", "require", text)(exported, require);
        console.log(JSON.stringify({ before, after: loaded().sort(), workspace, answer: exported.handler() }));
      });`;
    const printed = execFileSync(process.execPath, ["--no-warnings", "--eval", program], {
      cwd: root,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual({
      before: [],
      after: expect.arrayContaining(["@pulumi/pulumi/automation", "semver", "typescript"]) as unknown,
      workspace: "function",
      answer: 42,
    });
  });
});

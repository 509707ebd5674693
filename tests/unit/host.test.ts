import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
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

  test("says what is missing where the SDK is not installed", () => {
    const run = () => execFileSync(script, ["127.0.0.1:1"], { cwd: "/", encoding: "utf8", stdio: "pipe" });
    expect(run).toThrow("@pulumi/pulumi was not found from /. To continue: run `npm install` in the project.");
  });

  test("the SDK's serializer is loaded when a function is serialized, and not before", () => {
    const program = `
      require(${JSON.stringify(join(root, "dist", "provider", "host", "load-late.js"))});
      const { runtime } = require("@pulumi/pulumi");
      const loaded = () => Object.keys(require.cache).some((file) => file.endsWith("typescript/lib/typescript.js"));
      const before = loaded();
      runtime.serializeFunction(() => 6 * 7).then(({ text }) => {
        const exported = {};
        new Function("exports", "require", text)(exported, require);
        console.log(JSON.stringify([before, loaded(), exported.handler()]));
      });`;
    const printed = execFileSync(process.execPath, ["--no-warnings", "--eval", program], {
      cwd: root,
      encoding: "utf8",
    });
    expect(JSON.parse(printed)).toEqual([false, true, 42]);
  });
});

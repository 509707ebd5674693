// Calls every group of operations of the emulator with Cloudflare's SDKs for Python, Go and Node, and checks how many of their
// calls pass: `npm run check-sdks`, or `npm run check-sdks -- python`. They are downloaded into a temporary
// folder; compiling the Go SDK takes minutes.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startEmulator } from "../../../dist/emulator/index.js";

const PYTHON_SDK = "cloudflare==5.9.0";
const NODE_SDK = "cloudflare@7.3.0";
const GO_SDK = "github.com/cloudflare/cloudflare-go/v7 v7.9.0";
/** How many calls each SDK makes, and how many of them pass; the driver names the others, and why they fail. */
const EXPECTED = { python: "224 of 229", go: "117 of 117", node: "174 of 174" };
const here = dirname(fileURLToPath(import.meta.url));
const CERTIFICATE = join(here, "../../../tests/support/files/rsa-a.pem");

/** Runs a command, shows what it prints, and returns it. */
async function run(folder, command, ...args) {
  const child = spawn(command, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (part) => {
    process.stdout.write(part);
    printed += String(part);
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}`);
  return printed;
}

const DRIVERS = {
  python: async (folder, url) => {
    const bin = join(folder, "venv", process.platform === "win32" ? "Scripts" : "bin");
    await run(folder, "python3", "-m", "venv", "venv");
    await run(folder, join(bin, "pip"), "install", "--quiet", PYTHON_SDK);
    return run(folder, join(bin, "python"), "-W", "ignore::DeprecationWarning", join(here, "drive.py"), url, CERTIFICATE);
  },
  go: async (folder, url) => {
    copyFileSync(join(here, "drive.go"), join(folder, "main.go"));
    writeFileSync(join(folder, "go.mod"), `module drive\n\ngo 1.22\n\nrequire ${GO_SDK}\n`);
    await run(folder, "go", "mod", "tidy");
    return run(folder, "go", "run", ".", url, CERTIFICATE);
  },
  node: async (folder, url) => {
    copyFileSync(join(here, "drive.mjs"), join(folder, "drive.mjs"));
    await run(folder, "npm", "install", "--silent", "--no-audit", "--no-fund", "--prefix", folder, NODE_SDK);
    return run(folder, process.execPath, "drive.mjs", url, CERTIFICATE);
  },
};

async function drive(language) {
  process.stdout.write(`${language}\n`);
  const emulator = await startEmulator({ seed: { zones: [{ name: "shop.example.com", previousWaf: {} }] } });
  const folder = mkdtempSync(join(tmpdir(), "pulumi-rulesets-sdk-"));
  try {
    const printed = await DRIVERS[language](folder, emulator.url);
    if (!printed.includes(`${language}: ${EXPECTED[language]} calls pass`))
      throw new Error(`${EXPECTED[language]} calls were expected to pass`);
  } finally {
    await emulator.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const wanted = process.argv.slice(2);
const unknown = wanted.find((language) => !Object.hasOwn(DRIVERS, language));
if (unknown !== undefined) throw new Error(`there is no driver for ${unknown}; choose from ${Object.keys(DRIVERS).join(", ")}`);
for (const language of wanted.length > 0 ? wanted : Object.keys(DRIVERS)) await drive(language);

import { execFile } from "node:child_process";
import { cpSync, existsSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Emulator } from "../../emulator/index.js";
import { TOKEN, Service } from "../support/emulator.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = join(__dirname, "..", "..");
const { version } = jest.requireActual<{ readonly version: string }>("../../package.json");
const phase = "http_request_firewall_custom";

/** A folder for the PATH with nothing but Pulumi and its language host of YAML programs. */
function pathWithoutNode(): string {
  const folder = temporaryFolder();
  for (const name of ["pulumi", "pulumi-language-yaml"]) {
    const found = (process.env.PATH ?? "").split(delimiter).find((each) => existsSync(join(each, name)));
    if (found === undefined) throw new Error(`${name} is not on the PATH`);
    symlinkSync(realpathSync(join(found, name)), join(folder, name));
  }
  return folder;
}

let emulator: Emulator;
let archives: string;

beforeAll(async () => {
  emulator = await emulatorWith({ seed: { zones: [{ name: "shop.example.com", plan: "enterprise" }] } });
  archives = temporaryFolder();
  // The smallest archive would take gzip three times as long.
  const env = { ...process.env, GZIP: "-1" };
  await promisify(execFile)(process.execPath, [join(root, "scripts", "plugin", "archives.mjs"), archives, "here"], {
    env,
  });
});

test("an archive is installed into an empty home, and runs a YAML program on a machine without Node", async () => {
  const service = new Service(emulator);
  const zoneId = await service.zoneNamed("shop.example.com");
  const path = pathWithoutNode();
  expect(readdirSync(path)).toEqual(["pulumi", "pulumi-language-yaml"]);
  const project = new ProjectStack({
    PATH: path,
    PULUMI_HOME: temporaryFolder(),
    RULESETS_BASE_URL: emulator.url,
    RULESETS_API_TOKEN: TOKEN,
    NODE_OPTIONS: "",
  });
  const [archive = ""] = readdirSync(archives);
  expect(archive).toMatch(new RegExp(`^pulumi-resource-rulesets-v${version}-[a-z]+-(amd64|arm64)[.]tar[.]gz$`));
  await project.mustRun("plugin", "install", "resource", "rulesets", version, "--file", join(archives, archive));

  cpSync(join(root, "examples", "languages", "yaml"), project.folder, { recursive: true });
  await project.initStack();
  await project.mustRun("config", "set", "zoneId", zoneId);
  await project.mustRun("up", "--yes", "--skip-preview");
  expect((await service.rules(zoneId, phase)).map(({ ref }) => ref)).toEqual(["office-only", "scanners", "watch-api"]);
  await service.forget();
  expect(await project.mustRun("up", "--yes", "--skip-preview")).toContain("2 unchanged");
  expect(await service.requests()).toEqual([]);
});

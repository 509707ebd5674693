import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "../support/temporary-folder.js";

const root = join(__dirname, "..", "..");

test("a program whose folder cannot resolve the package gets an error with what to do", () => {
  const folder = realpathSync(temporaryFolder());
  const program = `
    const { PhaseEntrypoint } = require(${JSON.stringify(join(root, "dist", "provider"))});
    try { new PhaseEntrypoint("custom", { zoneId: "z", phase: "http_ratelimit", rules: [] }); }
    catch (error) { console.log(error.message); }`;
  const said = execFileSync(process.execPath, ["--eval", program], { cwd: folder, encoding: "utf8" });
  expect(said.trim()).toBe(
    `PhaseEntrypoint custom: the package pulumi-rulesets cannot be found from ${folder}, where the provider runs. ` +
      "To continue: make it a dependency of the project in that folder too, not only of a library that the program uses.",
  );
});

test("the command of the provider plugin starts from the packed package, with none of its dependencies", async () => {
  const folder = temporaryFolder();
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: root, encoding: "utf8" }).trim();
  execFileSync("tar", ["-xzf", tarball], { cwd: folder });
  const command = join(folder, "package", "dist", "provider", "border", "grpc", "command.js");
  const plugin = spawn(command, { stdio: ["ignore", "pipe", "inherit"] });
  const [port] = (await Promise.race([once(plugin.stdout, "data"), once(plugin, "exit")])) as [unknown];
  plugin.kill();
  expect(String(port)).toMatch(/^\d{4,5}\n$/);
});

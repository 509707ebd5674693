import { execFileSync } from "node:child_process";
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

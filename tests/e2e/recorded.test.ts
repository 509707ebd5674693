import { cli } from "../cli/support.js";
import { TOKEN } from "../support/emulator.js";
import { ACCOUNT, RECORDING, ZONE } from "../support/recordings.js";
import { Replay } from "../support/replay.js";
import { compilerErrors } from "../support/typescript.js";
import { pluginProject } from "./support/plugin-project.js";
import { ProjectStack } from "./support/project.js";

test("whatever the service returns is generated, compiles, and is taken over without a write", async () => {
  const replay = await Replay.start(RECORDING);
  const project = new ProjectStack();
  try {
    const generated = await cli(
      ["generate", "--zone", ZONE, "--account", ACCOUNT, "--out", project.folder, "--base-url", replay.url],
      { CLOUDFLARE_API_TOKEN: TOKEN },
    );
    expect([generated.code, generated.stderr]).toEqual([0, expect.not.stringContaining("left out")]);
    expect(generated.stderr).toMatch(
      /\d+ parts in `wire`, unchecked, because a preview refuses or does not know what is there:/,
    );
    await project.init(replay.url);
    expect(compilerErrors(project.folder)).toEqual([]);
    project.checksTypes = false;
    const up = await project.mustRun("up", "--skip-preview");
    expect(up).toContain("is sent as it is, and not checked");
    expect(replay.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    replay.requests.length = 0;
    expect(await project.mustRun("up", "--skip-preview", "--expect-no-changes")).not.toContain("not checked");
    await project.mustRun("refresh", "--expect-no-changes");
    expect(replay.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  } finally {
    await replay.close();
  }
});

test("whatever the service returns is imported, and the program that Pulumi writes changes nothing", async () => {
  const replay = await Replay.start(RECORDING);
  const project = pluginProject({ emulator: replay });
  try {
    const file = `${project.folder}/all.json`;
    const listed = await cli(
      ["generate", "--zone", ZONE, "--account", ACCOUNT, "--import-file", file, "--base-url", replay.url],
      { CLOUDFLARE_API_TOKEN: TOKEN },
    );
    expect([listed.code, listed.stderr]).toEqual([0, expect.not.stringContaining("left out")]);
    project.write("Pulumi.yaml", "name: imported\nruntime: yaml\n");
    await project.initStack();
    await project.mustRun("import", "--file", file, "--yes", "--protect=false", "--out", "all.yaml");
    project.write("Pulumi.yaml", `name: imported\nruntime: yaml\n${project.read("all.yaml")}`);
    await project.mustRun("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(replay.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
  } finally {
    await replay.close();
  }
});

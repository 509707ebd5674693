import { execFile, execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { Emulator, Seed } from "../../emulator/index.js";
import { cli } from "../cli/support.js";
import { Service, TOKEN } from "../support/emulator.js";
import { installSdk, LANGUAGES } from "./support/language-project.js";
import { ProjectStack } from "./support/project.js";
import { emulatorWith } from "../support/emulators.js";

/* What `init` writes works as it is: on the emulator, with its own tests, and in its pipeline. In TypeScript, that is e2e/tutorial. */

const root = join(__dirname, "..", "..");

const PROGRAMS = { typescript: "index.ts", python: "__main__.py", go: "main.go", yaml: "Pulumi.yaml" };

describe("a project that init writes", () => {
  let project: ProjectStack;
  let emulator: Emulator | undefined;
  beforeEach(() => {
    // `npm run types` has checked the template.
    project = new ProjectStack({ PULUMI_NODEJS_TRANSPILE_ONLY: "true" });
    project.checksTypes = false;
  });
  afterEach(() => {
    emulator = undefined;
  });

  const init = (...options: string[]) =>
    cli(["init", "--name", "shop", "--zone", "shop.test", ...options], {}, project.folder);
  /** What `npm run emulator` starts, on another port. */
  const serve = async (): Promise<Emulator> => {
    emulator = await emulatorWith({ seed: JSON.parse(project.read("emulator.json")) as Seed });
    return emulator;
  };
  const emulate = async (): Promise<Service> => {
    const served = await serve();
    const settings = project.read("Pulumi.emulator.yaml");
    project.write("Pulumi.emulator.yaml", settings.replace("http://127.0.0.1:8787/client/v4", served.url));
    await project.initStack("emulator");
    await project.mustRun("config", "set", "--secret", "rulesets:apiToken", TOKEN);
    return new Service(served);
  };
  const install = () => {
    symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
  };
  const shell = (script: string): Promise<{ ok: boolean; text: string }> =>
    new Promise((done) => {
      const options = { cwd: project.folder, env: project.variables };
      execFile("bash", ["-euc", script], options, (error, stdout, stderr) => {
        done({ ok: error === null, text: `${stdout}${stderr}` });
      });
    });

  test.each(LANGUAGES)(
    "in %s is deployed to the emulator, a second up sends nothing, and its tests fail after a wrong edit",
    async (language) => {
      expect((await init("--language", language)).code).toBe(0);
      install();
      if (language !== "typescript") await installSdk(language, project.folder);
      const service = await emulate();
      expect(await project.mustRun("up", "--yes", "--skip-preview")).not.toContain("does not exist on Object");
      await service.forget();
      expect(await project.mustRun("up", "--yes", "--skip-preview")).toContain("unchanged");
      // A look-up of the zone.
      expect(await service.requests()).toEqual(language === "typescript" ? [] : ["GET /zones"]);
      expect((await shell("npm test")).text).toMatch(/3 of 3 rules hit[^]*5 passed, 0 failed[^]*1 proved/);
      project.write(PROGRAMS[language], project.read(PROGRAMS[language]).replace("/admin", "/adm/"));
      expect(await shell("npm test")).toMatchObject({ ok: false, text: expect.stringContaining("1 failed") as string });
      project.write(PROGRAMS[language], project.read(PROGRAMS[language]).replace("block", "blok"));
      expect((await shell("npm test")).text).toContain('did you mean "block"?');
    },
  );

  test("has a pipeline that summarizes its preview, and fails if an invariant does; an account needs only a token", async () => {
    await init("--pipeline", "github");
    install();
    const { url } = await serve();
    // An account needs one setting, the token: the emulator stands for it under another address.
    await project.initStack("production");
    await project.mustRun("config", "set", "--secret", "rulesets:apiToken", TOKEN);
    const account = { RULESETS_BASE_URL: url };
    expect((await project.runWith(account, "up", "--yes", "--skip-preview")).text).toMatch(/\+ \d created/);
    const { jobs } = parse(project.read(".github/workflows/firewall.yml")) as {
      jobs: Record<string, { steps: { name?: string; run?: string }[] }>;
    };
    const step = jobs.check?.steps.find(({ name }) => name === "Summarize the preview")?.run ?? "";
    const script = `export RULESETS_BASE_URL=${url}\n${step.replace("--zone-names ", "")}`;
    expect((await shell(script)).ok).toBe(true);
    expect(project.read("comment.md")).toContain("No rulesets change");
    project.write("index.ts", project.read("index.ts").replace('"/admin"', '"/adm/"'));
    expect((await shell(script)).ok).toBe(false);
    expect(project.read("comment.md")).toContain("admin only from the office");
  });

  test("overwrites nothing, and adds to a package.json what it lacks", async () => {
    project.write("package.json", JSON.stringify({ name: "infra", scripts: { test: "jest" } }));
    project.write("index.ts", "// mine\n");
    const refused = await init();
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining("already contains index.ts. Nothing was"),
    ]);
    expect(readdirSync(project.folder).sort()).toEqual(["index.ts", "package.json"]);
    mkdirSync(join(project.folder, "firewall"));
    writeFileSync(join(project.folder, "firewall", "package.json"), project.read("package.json"));
    expect((await init("firewall")).code).toBe(0);
    const manifest = JSON.parse(readFileSync(join(project.folder, "firewall", "package.json"), "utf8")) as object;
    expect(manifest).toMatchObject({
      name: "infra",
      scripts: { test: "jest", emulator: expect.stringContaining("emulator") as string },
      dependencies: { "pulumi-rulesets": expect.stringMatching(/^file:/) as string },
    });
  });

  test.each([
    [["--name", "Shop"], '"Shop" cannot be the name of a project'],
    [["--zone", "https://shop.test/"], '"https://shop.test/" cannot be the name of a zone'],
    [["--language", "java"], "Allowed choices are typescript, python, go, yaml"],
  ])("%j is refused", async (options, message) => {
    const { code, stderr } = await init(...options);
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(readdirSync(project.folder)).toEqual([]);
  });

  test("depends on what the command was installed from", () => {
    const own = join(project.folder, "node_modules", "pulumi-rulesets");
    mkdirSync(own, { recursive: true });
    for (const part of ["dist", "examples/templates", "package.json"])
      cpSync(join(root, part), join(own, part), { recursive: true });
    symlinkSync(join(root, "node_modules"), join(own, "node_modules"));
    for (const [spec, name, expected] of [
      ["file:../rulesets.tgz", "a", "file:../../rulesets.tgz"],
      ["git+https://git.test/rulesets.git", "b", "git+https://git.test/rulesets.git"],
      ["^0.1.0", "c", expect.stringMatching(/^\^\d/) as string],
    ] as const) {
      project.write("package.json", JSON.stringify({ dependencies: { "pulumi-rulesets": spec } }));
      execFileSync(process.execPath, [join(own, "dist", "tools", "cli", "main.js"), "init", name], {
        cwd: project.folder,
      });
      const { dependencies } = JSON.parse(project.read(join(name, "package.json"))) as {
        dependencies: Record<string, string>;
      };
      expect(dependencies["pulumi-rulesets"]).toEqual(expected);
    }
  });

  test("starts with the name of its folder, without --name", async () => {
    const args = ["init", "My Firewall", "--pipeline", "none", "--language", "typescript"];
    expect((await cli(args, {}, project.folder)).code).toBe(0);
    expect(existsSync(join(project.folder, "My Firewall", "index.ts"))).toBe(true);
    const settings = readFileSync(join(project.folder, "My Firewall", "Pulumi.yaml"), "utf8");
    expect(parse(settings)).toMatchObject({ name: "my-firewall" });
    expect(existsSync(join(project.folder, "My Firewall", ".github"))).toBe(false);
  });
});

test.each(["typescript", "yaml"])("pulumi new takes the template for %s", async (language) => {
  const project = new ProjectStack();
  symlinkSync(join(root, "node_modules"), join(project.folder, "node_modules"));
  const template = join("node_modules", "pulumi-rulesets", "examples", "templates", language);
  const answers = ["--generate-only", "--yes", "--name", "shop", "--description", "Shop"];
  await project.mustRun("new", template, "--force", ...answers);
  expect(parse(project.read("Pulumi.yaml"))).toMatchObject({ name: "shop", description: "Shop" });
  const files = readdirSync(project.folder, { withFileTypes: true }).filter((one) => one.isFile());
  const texts = files.map(({ name }) => project.read(name));
  expect(texts.join("\n")).not.toMatch(/\$\{(PROJECT|DESCRIPTION)\}/);
  // Its scripts use no file that `pulumi new` does not copy.
  if (!existsSync(join(project.folder, "package.json"))) return;
  const { scripts } = JSON.parse(project.read("package.json")) as { scripts: Record<string, string> };
  expect(scripts.emulator).toBe("pulumi-rulesets emulator");
  if (scripts.test !== undefined) execFileSync("npm", ["test"], { cwd: project.folder, env: project.variables });
});

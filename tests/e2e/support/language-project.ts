import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Service } from "../../support/emulator.js";
import { pluginProject } from "./plugin-project.js";
import type { CommandResult, ProjectStack } from "./project.js";

const root = join(__dirname, "..", "..", "..");
const modules = join(root, "node_modules");

/** The module path of the Go SDK. */
const GO_SDK = "pulumi-rulesets.example/sdk/go/rulesets";

interface Language {
  /** The file with the program. */
  readonly program: string;
  /** Builds what all programs of the language share, in a folder with the SDKs. */
  readonly prepare?: (shared: string) => Promise<void>;
  /** Gives the program in a folder its SDKs. */
  readonly install?: (folder: string, shared: string) => void | Promise<void>;
}

async function execute(cwd: string, command: string, ...args: string[]): Promise<void> {
  await promisify(execFile)(command, args, { cwd, maxBuffer: 1 << 26 });
}

const generate = (shared: string, language: string): Promise<void> =>
  execute(root, process.execPath, "--no-warnings", "scripts/sdks.mjs", shared, language);

const ALL = {
  yaml: { program: "Pulumi.yaml" },
  python: {
    program: "__main__.py",
    async prepare(shared) {
      await generate(shared, "python");
      await execute(shared, "python3", "-m", "venv", "venv");
      const bin = process.platform === "win32" ? "Scripts" : "bin";
      await execute(shared, join(shared, "venv", bin, "python"), "-m", "pip", "install", "--quiet", "./python");
    },
    install(folder, shared) {
      symlinkSync(join(shared, "venv"), join(folder, "venv"));
    },
  },
  typescript: {
    program: "index.ts",
    async prepare(shared) {
      await generate(shared, "nodejs");
      const sdk = join(shared, "nodejs");
      symlinkSync(modules, join(sdk, "node_modules"));
      await execute(sdk, process.execPath, join(modules, "typescript", "bin", "tsc"));
      cpSync(join(sdk, "package.json"), join(sdk, "bin", "package.json"));
    },
    install(folder, shared) {
      const installed = join(folder, "node_modules");
      mkdirSync(join(installed, "@pulumi-rulesets"), { recursive: true });
      symlinkSync(join(shared, "nodejs", "bin"), join(installed, "@pulumi-rulesets", "rulesets"));
      for (const name of ["@pulumi", "@types", "typescript"]) symlinkSync(join(modules, name), join(installed, name));
    },
  },
  go: {
    program: "main.go",
    async prepare(shared) {
      await generate(shared, "go");
      await execute(join(shared, "go", "rulesets"), "go", "mod", "init", GO_SDK);
    },
    async install(folder, shared) {
      await execute(folder, "go", "mod", "edit", "-replace", `${GO_SDK}=${join(shared, "go", "rulesets")}`);
      await execute(folder, "go", "mod", "tidy");
    },
  },
} satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof ALL;

/** The languages whose programs are tested: those of the environment variable `LANGUAGES`, and YAML without it. */
export const LANGUAGES = (process.env.LANGUAGES ?? "yaml").split(",") as readonly LanguageName[];

/** A new folder with the SDKs of a language, for all its programs. */
export async function prepareSdks(language: LanguageName, place = tmpdir()): Promise<string> {
  // Tools of the languages ignore a folder whose name begins with a dot.
  const shared = mkdtempSync(join(place, ".pulumi-sdks-"));
  const { prepare }: Language = ALL[language];
  await prepare?.(shared);
  return shared;
}

/** Gives a program in a folder an SDK that is made for it alone, and is inside the folder. */
export async function installSdk(language: LanguageName, folder: string): Promise<void> {
  const { install }: Language = ALL[language];
  await install?.(folder, await prepareSdks(language, folder));
}

export interface RunResult extends CommandResult {
  readonly requests: readonly string[];
}

interface ProjectOptions {
  readonly language: LanguageName;
  /** From `prepareSdks`. */
  readonly sdks: string;
  readonly service: Service;
  readonly config: Readonly<Record<string, string>>;
}

/** The program of examples/languages in a language, copied to a folder of its own, with a stack. */
export class LanguageProject {
  private constructor(
    private readonly options: ProjectOptions,
    private readonly project: ProjectStack,
  ) {}

  static async start(options: ProjectOptions): Promise<LanguageProject> {
    const { language, sdks, service, config } = options;
    const stack = pluginProject(service);
    cpSync(join(root, "examples", "languages", language), stack.folder, { recursive: true });
    const { install }: Language = ALL[language];
    await install?.(stack.folder, sdks);
    await stack.initStack();
    for (const [key, value] of Object.entries(config)) await stack.mustRun("config", "set", key, value);
    return new LanguageProject(options, stack);
  }

  async run(...args: string[]): Promise<RunResult> {
    await this.options.service.forget();
    const result = await this.project.run(...args);
    return { ...result, requests: await this.options.service.requests() };
  }

  async mustRun(...args: string[]): Promise<RunResult> {
    const result = await this.run(...args);
    if (!result.ok) throw new Error(result.text);
    return result;
  }

  /** Runs `pulumi up` without the preview before it. */
  up(): Promise<RunResult> {
    return this.mustRun("up", "--yes", "--skip-preview");
  }

  async outputs(): Promise<unknown> {
    return JSON.parse(await this.project.mustRun("stack", "output", "--json"));
  }

  /** Replaces text of the program, wherever it occurs. */
  edit(text: string, by: string): void {
    const { program } = ALL[this.options.language];
    this.write(program, this.read(program).replaceAll(text, by));
  }

  read(file: string): string {
    return this.project.read(file);
  }

  write(file: string, text: string): void {
    this.project.write(file, text);
  }
}

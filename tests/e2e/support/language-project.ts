import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { TOKEN, type Service } from "../../support/emulator.js";
import { ProjectStack, type CommandResult } from "./project.js";

const root = join(__dirname, "..", "..", "..");

interface Language {
  /** The file with the program. */
  readonly program: string;
}

const ALL = {
  yaml: { program: "Pulumi.yaml" },
} satisfies Readonly<Record<string, Language>>;

export type LanguageName = keyof typeof ALL;

/** The languages whose programs are tested: those of the environment variable `LANGUAGES`, and YAML without it. */
export const LANGUAGES = (process.env.LANGUAGES ?? "yaml").split(",") as readonly LanguageName[];

export interface RunResult extends CommandResult {
  readonly requests: readonly string[];
}

/** The program of examples/languages in a language, copied to a folder of its own, with a stack. */
export class LanguageProject {
  private constructor(
    private readonly language: LanguageName,
    private readonly project: ProjectStack,
    private readonly service: Service,
  ) {}

  static async start(
    language: LanguageName,
    service: Service,
    config: Readonly<Record<string, string>>,
  ): Promise<LanguageProject> {
    // npm installs the plugin's command there.
    const path = [join(root, "node_modules", ".bin"), process.env.PATH].join(delimiter);
    const stack = new ProjectStack({ PATH: path, RULESETS_BASE_URL: service.emulator.url, RULESETS_API_TOKEN: TOKEN });
    const project = new LanguageProject(language, stack, service);
    cpSync(join(root, "examples", "languages", language), stack.folder, { recursive: true });
    await stack.mustRun("stack", "init", "dev");
    for (const [key, value] of Object.entries(config)) await stack.mustRun("config", "set", key, value);
    return project;
  }

  async run(...args: string[]): Promise<RunResult> {
    await this.service.forget();
    const result = await this.project.run(...args);
    return { ...result, requests: await this.service.requests() };
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

  importResource(type: string, name: string, id: string, ...options: string[]): Promise<RunResult> {
    const code = this.language === "yaml" ? [] : ["--generate-code=false"];
    return this.mustRun("import", type, name, id, "--yes", "--protect=false", ...code, ...options);
  }

  async outputs(): Promise<unknown> {
    return JSON.parse(await this.project.mustRun("stack", "output", "--json"));
  }

  async urn(type: string, name: string): Promise<string> {
    const { deployment } = JSON.parse(await this.project.mustRun("stack", "export")) as {
      deployment: { resources: { urn: string }[] };
    };
    const found = deployment.resources.find(({ urn }) => urn.endsWith(`${type}::${name}`));
    return found?.urn ?? "";
  }

  /** Replaces text of the program, wherever it occurs. */
  edit(text: string, by: string): void {
    const { program } = ALL[this.language];
    this.write(program, this.read(program).replaceAll(text, by));
  }

  read(file: string): string {
    return readFileSync(join(this.project.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.project.folder, file), text);
  }

  close(): void {
    this.project.close();
  }
}

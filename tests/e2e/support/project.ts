import { execFile } from "node:child_process";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKEN } from "../../support/emulator.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const root = join(__dirname, "..", "..", "..");
const loadLate = join(__dirname, "load-late.cjs");

/** The result of a Pulumi command. */
export interface CommandResult {
  readonly ok: boolean;
  readonly text: string;
}

/** A project in its own folder, run with `pulumi` commands instead of the Automation API. */
export class ProjectStack {
  /** The folder for the files of the project, empty at first. */
  readonly folder = temporaryFolder();
  /**
   * Whether a run type-checks a TypeScript program first, which takes longer than everything else. Turn it off if the types
   * have been checked already.
   *
   * @default true
   */
  checksTypes = true;
  private readonly env: NodeJS.ProcessEnv & { readonly PULUMI_BACKEND_URL: string };

  /** @param more environment variables in addition to those of this process */
  constructor(more: Readonly<Record<string, string>> = {}) {
    this.env = {
      ...process.env,
      CLOUDFLARE_API_TOKEN: "",
      RULESETS_API_TOKEN: "",
      NODE_OPTIONS: `--require "${loadLate}"`,
      ...more,
      PULUMI_BACKEND_URL: `file://${temporaryFolder()}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PULUMI_SKIP_CONFIRMATIONS: "true",
    };
  }

  /** The environment variables of its commands, for another command. */
  get variables(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      Object.entries(this.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  /** Prepares the project as `npm install`, `pulumi stack init` and `pulumi config` would. */
  async init(url: string, secrets: Readonly<Record<string, string>> = {}): Promise<void> {
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
    await this.initStack();
    const pairs = Object.entries({ "rulesets:apiToken": TOKEN, ...secrets }).map(([key, value]) => `${key}=${value}`);
    await this.mustRun(
      "config",
      "set-all",
      "--plaintext",
      `rulesets:baseUrl=${url}`,
      ...pairs.flatMap((pair) => ["--secret", pair]),
    );
  }

  /** Creates a stack whose secrets need no passphrase, from which every command would derive a key. */
  async initStack(name = "dev"): Promise<void> {
    await this.mustRun("stack", "init", name, "--secrets-provider", process.env.E2E_SECRETS_PROVIDER ?? "passphrase");
  }

  run(...args: string[]): Promise<CommandResult> {
    return this.runWith({}, ...args);
  }

  /** Runs a command with more environment variables. */
  runWith(more: Readonly<Record<string, string>>, ...args: string[]): Promise<CommandResult> {
    const env = { ...this.env, PULUMI_NODEJS_TRANSPILE_ONLY: String(!this.checksTypes), ...more };
    const options = { cwd: this.folder, env, maxBuffer: 1 << 28 };
    return new Promise((done) => {
      execFile("pulumi", [...args, "--non-interactive", "--color", "never"], options, (error, stdout, stderr) => {
        done({ ok: error === null, text: `${stdout}${stderr}` });
      });
    });
  }

  async mustRun(...args: string[]): Promise<string> {
    const { ok, text } = await this.run(...args);
    if (!ok) throw new Error(text);
    return text;
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }
}

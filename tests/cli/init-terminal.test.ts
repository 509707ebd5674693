import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folder, root } from "./support.js";

/* What `init` asks in a real terminal, by `script` of util-linux. */

const KEYS = { enter: "\r", ctrlC: "\u0003", ctrlD: "\u0004", backspace: "\u007f" };
/** Only these of a terminal's codes are needed to edit a line. */
const EDITING = /\u001b\[\d*[GJKCD]/g;
const OTHER_CODES = /\u001b/;

class Terminal {
  readonly folder = folder({});
  private readonly script: ChildProcessWithoutNullStreams;
  private text = "";
  private waiting: { readonly wanted: string; readonly done: () => void } | undefined;
  readonly ended: Promise<number | null>;

  constructor({ columns = 80, env = {} }: { columns?: number; env?: Readonly<Record<string, string>> } = {}) {
    const command = `stty cols ${String(columns)} rows 24; '${process.execPath}' --no-warnings '${join(root, "dist", "tools", "cli", "main.js")}' init`;
    this.script = spawn("script", ["-qec", command, "/dev/null"], {
      cwd: this.folder,
      env: { ...process.env, TERM: "xterm-256color", ...env },
    });
    this.script.stdout.on("data", (chunk: Buffer) => {
      this.text += chunk.toString();
      if (this.waiting !== undefined && this.text.includes(this.waiting.wanted)) this.waiting.done();
    });
    this.ended = new Promise((done) => this.script.once("close", done));
  }

  /** Types after a question has come. */
  async answer(question: string, keys: string): Promise<void> {
    if (!this.text.includes(question))
      await new Promise<void>((done) => {
        this.waiting = { wanted: question, done };
      });
    this.text = this.text.slice(this.text.indexOf(question) + question.length);
    this.script.stdin.write(keys);
  }

  get shown(): string {
    return this.text.replaceAll("\r\n", "\n").replaceAll(EDITING, "");
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), "utf8");
  }

  get files(): readonly string[] {
    return readdirSync(this.folder);
  }
}

const hasScript = spawnSync("script", ["--version"], { encoding: "utf8" }).stdout.includes("util-linux");

(hasScript ? describe : describe.skip)("in a terminal, init", () => {
  test("asks again after a wrong answer, and takes what is typed and the defaults", async () => {
    const terminal = new Terminal();
    await terminal.answer("Name of the project (", `My Shop${KEYS.enter}`);
    await terminal.answer('"My Shop" cannot be the name of a project', "");
    await terminal.answer("Name of the project (", `shopp${KEYS.backspace}${KEYS.enter}`);
    await terminal.answer("Zone that it protects (shop.example.com): ", `https://shop.test/${KEYS.enter}`);
    await terminal.answer("cannot be the name of a zone", "");
    await terminal.answer("Zone that it protects (shop.example.com): ", `shop.test${KEYS.enter}`);
    await terminal.answer("Language: typescript, python, go, yaml (typescript): ", `ruby${KEYS.enter}`);
    await terminal.answer("choose one of typescript, python, go, yaml", "");
    await terminal.answer("Language: typescript, python, go, yaml (typescript): ", `python${KEYS.enter}`);
    await terminal.answer("Pipeline: github, gitlab, none (github): ", KEYS.enter);
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown).toContain("  npm install && pulumi install\n");
    expect(terminal.read("Pulumi.yaml")).toMatch(/^name: shop\n[^]*default: shop\.test\n/);
    expect(existsSync(join(terminal.folder, ".github"))).toBe(true);
  });

  test.each(["ctrlC", "ctrlD"] as const)("stops at %s, and writes nothing", async (key) => {
    const terminal = new Terminal();
    await terminal.answer("Name of the project (", `shop${KEYS.enter}`);
    await terminal.answer("Zone that it protects (", KEYS[key]);
    expect(await terminal.ended).toBe(1);
    expect(terminal.shown).toContain("Nothing was written.");
    expect(terminal.files).toEqual([]);
  });

  test.each<Readonly<Record<string, string>>>([{}, { NO_COLOR: "1" }])(
    "fits 40 columns, and needs no colours with %j",
    async (env) => {
      const terminal = new Terminal({ columns: 40, env });
      await terminal.answer("Name of the project (", `A${KEYS.enter}`);
      await terminal.answer("cannot be the name", "");
      const before = terminal.shown;
      await terminal.answer("Name of the project (", KEYS.ctrlC);
      await terminal.ended;
      const text = `${before}\n${terminal.shown}`;
      expect(text).not.toMatch(OTHER_CODES);
      // The terminal itself breaks the line of a question.
      const lines = text.split("\n").filter((line) => !line.startsWith("Name of the project"));
      expect(lines.filter((line) => line.length > 40)).toEqual([]);
    },
  );
});

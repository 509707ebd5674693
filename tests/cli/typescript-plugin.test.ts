import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { CODE } from "../../editor/typescript-plugin.js";
import { root } from "./support.js";

/** TypeScript's own server, as editors run it, in a project that names the plugin. */
class TypescriptServer {
  readonly file: string;
  private readonly server: ChildProcessWithoutNullStreams;
  private readonly waiting = new Map<number, (body: unknown) => void>();
  private sent = 0;
  private received = "";

  constructor(private readonly text: string) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "typescript-plugin-")));
    mkdirSync(join(folder, "node_modules"));
    symlinkSync(root, join(folder, "node_modules", "pulumi-rulesets"), "dir");
    symlinkSync(join(root, "node_modules", "@pulumi"), join(folder, "node_modules", "@pulumi"), "dir");
    const plugins = [{ name: "pulumi-rulesets/typescript-plugin" }];
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        compilerOptions: { plugins, types: [], lib: ["ES2022"], module: "node16", skipLibCheck: true },
      }),
    );
    this.file = join(folder, "index.ts");
    writeFileSync(this.file, text);
    const main = join(root, "node_modules", "typescript", "lib", "tsserver.js");
    this.server = spawn(process.execPath, [main, "--disableAutomaticTypingAcquisition"], { cwd: folder });
    this.server.stdout.on("data", (chunk: Buffer) => {
      this.received += chunk.toString();
      this.read();
    });
    this.send("open", { file: this.file, fileContent: text });
  }

  /** Every answer is a line of JSON after its header. */
  private read(): void {
    const lines = this.received.split("\n");
    this.received = lines.pop() ?? "";
    for (const line of lines.filter((one) => one.startsWith("{"))) {
      const { request_seq: seq, body } = JSON.parse(line) as { request_seq?: number; body?: unknown };
      if (seq !== undefined) this.waiting.get(seq)?.(body);
    }
  }

  private send(command: string, args: object): number {
    this.sent += 1;
    this.server.stdin.write(`${JSON.stringify({ seq: this.sent, type: "request", command, arguments: args })}\n`);
    return this.sent;
  }

  ask(command: string, args: object = {}): Promise<unknown> {
    const seq = this.send(command, { file: this.file, ...args });
    return new Promise((done) => this.waiting.set(seq, done));
  }

  /** Where a part of the text begins, as the server counts. */
  at(part: string): { readonly line: number; readonly offset: number } {
    const before = this.text.slice(0, this.text.indexOf(part)).split("\n");
    return { line: before.length, offset: (before.at(-1)?.length ?? 0) + 1 };
  }

  stop(): Promise<void> {
    const ended = new Promise<void>((done) =>
      this.server.on("close", () => {
        done();
      }),
    );
    this.send("exit", {});
    return ended;
  }
}

describe("in TypeScript's server", () => {
  const server = new TypescriptServer(
    [
      "// Programs that import the package have expressions.",
      "declare function expression(texts: TemplateStringsArray, ...values: unknown[]): string;",
      'declare const from: "pulumi-rulesets";',
      'export const a = expression`http.hots eq ${from} and ip.src.country in {"DE" ""}`;',
      "export const b: number = 1;",
      "",
    ].join("\n"),
  );
  afterAll(() => server.stop());

  test("findings are among those of TypeScript", async () => {
    expect(await server.ask("semanticDiagnosticsSync")).toEqual([
      expect.objectContaining({
        start: server.at("http.hots"),
        category: "warning",
        text: expect.stringContaining("Did you mean `http.host`?") as string,
        source: "pulumi-rulesets",
      }),
    ]);
  });

  test("a name is explained, and TypeScript explains the others", async () => {
    const own = await server.ask("quickinfo", server.at("country"));
    expect(JSON.stringify(own)).toContain("ip.src.country: String");
    const other = await server.ask("quickinfo", server.at("b: number"));
    expect(JSON.stringify(other)).toContain("const b: number");
  });

  test("values are completed", async () => {
    const { line, offset } = server.at('"}`');
    const found = (await server.ask("completionInfo", { line, offset })) as { entries: { name: string }[] };
    expect(found.entries.map(({ name }) => name)).toContain("FR");
  });

  test("a finding can be mended", async () => {
    const { line, offset } = server.at("http.hots");
    const fixes = await server.ask("getCodeFixes", {
      startLine: line,
      startOffset: offset,
      endLine: line,
      endOffset: offset + 9,
      errorCodes: [CODE],
    });
    expect(fixes).toEqual([expect.objectContaining({ description: "Change to `http.host`" })]);
  });
});

describe("in a program whose types are those of the package", () => {
  const server = new TypescriptServer(
    [
      'import { PhaseEntrypoint } from "pulumi-rulesets";',
      'const rules = [{ action: "block", expression: "ssl" }];',
      'new PhaseEntrypoint("a", { zoneId: "z", phase: "http_request_firewal_custom", rules });',
      'new PhaseEntrypoint("b", { zoneId: "z", phase: "http_ratelimit", rules: [{ action: "blok", expression: "ssl" }] });',
      'new PhaseEntrypoint("c", { zoneId: "z", phase: "", rules });',
      "",
    ].join("\n"),
  );
  afterAll(() => server.stop());

  test.each([
    ['phase: "http_request_firewal_custom"', "http_request_firewall_custom"],
    ['action: "blok"', "block"],
  ])("the compiler says what %s should be, and the plugin changes it", async (part, instead) => {
    const at = server.at(part);
    const found = (await server.ask("semanticDiagnosticsSync")) as { start: object; code: number; text: string }[];
    expect(found.filter(({ start }) => isDeepStrictEqual(start, at))).toEqual([
      expect.objectContaining({ code: 2820, text: expect.stringContaining(`Did you mean '"${instead}"'?`) as string }),
    ]);
    const { line, offset } = at;
    const place = { startLine: line, startOffset: offset, endLine: line, endOffset: offset + 5 };
    const fixes = await server.ask("getCodeFixes", { ...place, errorCodes: [2820] });
    expect(fixes).toMatchObject([
      { description: `Change to \`${instead}\``, changes: [{ textChanges: [{ newText: instead }] }] },
    ]);
  });

  test("phases are completed", async () => {
    const { line, offset } = server.at('"", rules');
    const found = (await server.ask("completionInfo", { line, offset: offset + 1 })) as { entries: { name: string }[] };
    expect(found.entries.map(({ name }) => name)).toContain("http_ratelimit");
  });
});

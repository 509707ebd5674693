// Runs a program in its own process and folder, with its own copy of the SDK and its own output.
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, extname, join, parse } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import type { DeclaredRules, LoadOptions, loadRulesets } from "../../../testing/load.js";
import { joinErrors } from "../../../../core/model/errors.js";
import { keepCompiledCode } from "../../../../provider/border/compiled-code.js";
import { isObject } from "../../../../core/model/json.js";

export interface ProgramTask {
  /** Absolute. */
  readonly main: string;
  readonly project: string;
  readonly stack: string;
  readonly config: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly mocks?: string;
}

export type ProgramResult =
  | DeclaredRules
  | {
      readonly error: string;
      /** Whether a look-up found no credentials. */
      readonly isMissingCredentials: boolean;
    };

// The SDK loads two TypeScript compilers and npm's dependency resolver.
keepCompiledCode();

process.once("message", (task: ProgramTask) => {
  const failures: unknown[] = [];
  // Resources fail one by one, and what depends on them fails for the same reason.
  const fail = (error: unknown): void => {
    if (failures.push(error) > 1) return;
    void setImmediate().then(() => {
      sendResult({
        error: joinErrors(failures.map(unaugmented)).message,
        isMissingCredentials: failures.some((one) => isObject(one) && one.code === "CONFIG_CREDENTIALS_MISSING"),
      });
    });
  };
  process.on("uncaughtException", fail);
  process.on("unhandledRejection", fail);
  declaredBy(task).then((found) => {
    if (failures.length === 0) sendResult(found);
  }, fail);
});

/** The SDK adds the name of the property to the same error for each resource that waits for it. */
function unaugmented(error: unknown): unknown {
  if (error instanceof Error) error.message = error.message.replace(/^(?:error serializing property "[^"]*": )+/, "");
  return error;
}

/** Ends the process, whatever the program still waits for; on its way out, Node writes the compiled code. */
function sendResult(found: ProgramResult): void {
  process.send?.(found, () => process.exit());
}

async function declaredBy({ main, mocks, ...options }: ProgramTask): Promise<DeclaredRules> {
  const fromProgram = createRequire(main);
  const { loadRulesets: load } = testingFor(fromProgram);
  if (/\.[cm]?ts$/.test(main) || /\.[cm]?ts$/.test(mocks ?? "")) compileTypeScript(fromProgram, main);
  // Findings name the lines of what was compiled before. The maps of the SDK, which is loaded already, are not read.
  else process.setSourceMapsEnabled(true);
  const answers = mocks === undefined ? undefined : await importFile(mocks);
  const found = await load(() => runProgram(main), { ...options, mocks: answers as LoadOptions["mocks"] });
  // A resource whose arguments fail is never registered. Node tells so in the next turn.
  await setImmediate();
  return found;
}

/** The copy of this package that the program uses, because it registers resources with the SDK installed next to it. */
function testingFor(fromProgram: NodeJS.Require): { readonly loadRulesets: typeof loadRulesets } {
  let path: string;
  try {
    path = fromProgram.resolve("pulumi-rulesets/testing");
  } catch {
    path = join(__dirname, "..", "..", "..", "testing", "index.js");
  }
  return fromProgram(path) as { readonly loadRulesets: typeof loadRulesets };
}

/** Runs a program as Pulumi does: an exported function is called. */
async function runProgram(main: string): Promise<unknown> {
  const exported = await importFile(main);
  return typeof exported === "function" ? (exported as () => unknown)() : exported;
}

async function importFile(file: string): Promise<unknown> {
  if (!isModule(file)) return createRequire(file)(file) as unknown;
  const found = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  return found.default ?? found;
}

function isModule(file: string): boolean {
  if (/^\.m[jt]s$/.test(extname(file))) return true;
  if (/^\.c[jt]s$/.test(extname(file))) return false;
  for (let folder = dirname(file); folder !== parse(folder).root; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest))
      return (JSON.parse(readFileSync(manifest, "utf8")) as { type?: string }).type === "module";
  }
  return false;
}

/** Lets `require` load TypeScript with the compiler that Pulumi would use. Types are not checked. */
function compileTypeScript(fromProgram: NodeJS.Require, main: string): void {
  if (isModule(main)) return;
  const sdk = createRequire(fromProgram.resolve("@pulumi/pulumi/package.json"));
  const { typeScriptRequireStrings } = sdk("./tsutils") as {
    typeScriptRequireStrings: () => { readonly tsnodeRequire: string; readonly typescriptRequire: string };
  };
  const { tsnodeRequire, typescriptRequire } = typeScriptRequireStrings();
  const isNew = Number((sdk(typescriptRequire) as { version: string }).version.split(".")[0]) >= 5;
  (sdk(tsnodeRequire) as { register: (options: object) => void }).register({
    compiler: sdk.resolve(typescriptRequire),
    transpileOnly: true,
    skipProject: true,
    compilerOptions: {
      target: "ES2020",
      module: isNew ? "nodenext" : "commonjs",
      moduleResolution: isNew ? "nodenext" : "node",
      esModuleInterop: true,
      sourceMap: true,
    },
  });
}

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { createInterface } from "node:readline/promises";
import { DEFAULT_ZONE, LANGUAGES, languageNamed, PIPELINES, type Language, type Pipeline } from "./choices.js";
import { installedFrom } from "../installed-from.js";
import { wrapText } from "../wrap.js";
import { PARTS } from "./languages.js";
import { mergedManifest, nameFault, nameLike, PACKAGE, projectFiles, TESTS, zoneFault, type Files } from "./project.js";

export interface InitCommand {
  readonly name?: string;
  readonly zone?: string;
  readonly language?: Language;
  readonly pipeline?: Pipeline;
  readonly yes?: boolean;
}

interface InitContext {
  readonly version: string;
  readonly print: (line: string) => void;
  /** The folder of this package. */
  readonly own: string;
  readonly folder: string;
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
}

/** Writes a project into a folder. Existing files stay as they are: if one is in the way, nothing is written. */
export async function runInit(folder: string | undefined, options: InitCommand, context: InitContext): Promise<void> {
  const target = resolve(context.folder, folder ?? ".");
  if (existsSync(target) && !statSync(target).isDirectory()) throw new Error(`${target} is a file, not a folder`);
  const { name, zone, language, pipeline } = await answer(options, nameLike(basename(target)), context);
  const fault = nameFault(name) ?? zoneFault(zone);
  if (fault !== undefined) throw new Error(fault);
  const root = join(context.own, "examples", "templates");
  const templates = new Map([
    [MANIFEST, PACKAGE],
    [TESTS.file, readFileSync(join(root, TESTS.folder, TESTS.file), "utf8")],
    ...readTemplates(root, [language, "shared", ...(pipeline === "none" ? [] : [`pipelines/${pipeline}`])]),
  ]);
  write(target, projectFiles(templates, { name, zone, language }), context);
  for (const line of nextSteps(relative(context.folder, target), { language, pipeline })) context.print(line);
}

interface Chosen {
  readonly name: string;
  readonly zone: string;
  readonly language: Language;
  readonly pipeline: Pipeline;
}

/** Asks for what the options do not say, if somebody can answer. */
async function answer(options: InitCommand, name: string, context: InitContext): Promise<Chosen> {
  const given = { name, zone: DEFAULT_ZONE, language: LANGUAGES[0], pipeline: PIPELINES[0], ...options };
  const asks = !options.yes && context.stdin.isTTY && context.stdout.isTTY;
  if (!asks) return given;
  const terminal = createInterface({ input: context.stdin, output: context.stdout });
  const stopped = new Promise<never>((_, reject) => {
    terminal.once("close", () => {
      context.print("");
      reject(new Error("stopped before the last answer. Nothing was written."));
    });
  });
  // It is closed at the end, too.
  stopped.catch(() => undefined);
  const ask = async (question: string, preset: string, valid: (text: string) => string | undefined) => {
    for (;;) {
      const answered = terminal.question(`${question} (${preset}): `);
      const text = (await Promise.race([answered, stopped])).trim() || preset;
      const fault = valid(text);
      if (fault === undefined) return text;
      context.print(wrapText(fault, context.stdout.columns));
    }
  };
  const among = async <T extends string>(
    question: string,
    choices: readonly T[],
    named = (text: string) => choices.find((choice) => choice === text),
  ): Promise<T> => {
    const list = choices.join(", ");
    const [preset = ""] = choices;
    const text = await ask(`${question}: ${list}`, preset, (answered) =>
      named(answered) === undefined ? `choose one of ${list}` : undefined,
    );
    return named(text) as T;
  };
  try {
    return {
      name: options.name ?? (await ask("Name of the project", given.name, nameFault)),
      zone: options.zone ?? (await ask("Zone that it protects", given.zone, zoneFault)),
      language: options.language ?? (await among("Language", LANGUAGES, languageNamed)),
      pipeline: options.pipeline ?? (await among("Pipeline", PIPELINES)),
    };
  } finally {
    terminal.close();
  }
}

function readTemplates(root: string, folders: readonly string[]): Files {
  const files = new Map<string, string>();
  for (const folder of folders) {
    const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
    for (const entry of entries.filter((one) => one.isFile())) {
      const path = join(entry.parentPath, entry.name);
      files.set(relative(join(root, folder), path).split(sep).join("/"), readFileSync(path, "utf8"));
    }
  }
  return files;
}

const MANIFEST = "package.json";

function write(target: string, files: Files, context: InitContext): void {
  const inTheWay = [...files.keys()].filter((path) => path !== MANIFEST && existsSync(join(target, path)));
  if (inTheWay.length > 0)
    throw new Error(
      `${target} already contains ${inTheWay.join(", ")}. Nothing was written. To continue: choose another folder, or move ` +
        (inTheWay.length === 1 ? "it away." : "them away."),
    );
  const manifest = join(target, MANIFEST);
  const existing = existsSync(manifest) ? readFileSync(manifest, "utf8") : undefined;
  const merged = mergedManifest(existing, files.get(MANIFEST) ?? PACKAGE, installedFrom(target, context));
  for (const [path, text] of new Map([...files, [MANIFEST, merged]])) {
    const file = join(target, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

function nextSteps(folder: string, { language, pipeline }: Pick<Chosen, "language" | "pipeline">): readonly string[] {
  return [
    "The project is written. Nothing was sent. To continue:",
    ...(folder === "" ? [] : [`  cd ${folder}`]),
    `  ${PARTS[language].install}`,
    "  npm run emulator              # in a second terminal",
    "  pulumi stack init emulator",
    "  pulumi config set --secret rulesets:apiToken any-token-will-do",
    "  pulumi up",
    `README.md says how to deploy to your account${pipeline === "none" ? "" : ", and the pipeline which secrets it needs"}.`,
  ];
}

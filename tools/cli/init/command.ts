import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Language, Pipeline } from "./choices.js";
import { installedFrom } from "../installed-from.js";
import { PARTS } from "./languages.js";
import { mergedManifest, nameFault, nameLike, PACKAGE, projectFiles, TESTS, zoneFault, type Files } from "./project.js";

export interface InitCommand {
  /** @default that of the folder */
  readonly name?: string;
  readonly zone: string;
  readonly language: Language;
  readonly pipeline: Pipeline;
}

interface InitContext {
  readonly version: string;
  readonly print: (line: string) => void;
  /** The folder of this package. */
  readonly own: string;
  readonly folder: string;
}

/** Writes a project into a folder. Existing files stay as they are: if one is in the way, nothing is written. */
export function runInit(folder: string | undefined, options: InitCommand, context: InitContext): void {
  const target = resolve(context.folder, folder ?? ".");
  if (existsSync(target) && !statSync(target).isDirectory()) throw new Error(`${target} is a file, not a folder`);
  const { name = nameLike(basename(target)), zone, language, pipeline } = options;
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

function nextSteps(
  folder: string,
  { language, pipeline }: Pick<InitCommand, "language" | "pipeline">,
): readonly string[] {
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

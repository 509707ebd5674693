import { parseDocument } from "yaml";
import { PREVIEW_COMMAND, PREVIEW_FILE } from "../preview-command.js";
import type { Language } from "./choices.js";
import { PARTS, type LanguageParts } from "./languages.js";

/** Files by their path in the project. */
export type Files = ReadonlyMap<string, string>;

interface Answers {
  readonly name: string;
  /** The name of the zone. */
  readonly zone: string;
  readonly language: Language;
}

/** What `pulumi new` allows as a name, and npm as well. */
const NAME = /^[a-z0-9][a-z0-9._-]{0,99}$/;

/** What is wrong with the name of a project. */
export function nameFault(name: string): string | undefined {
  if (NAME.test(name)) return undefined;
  return `"${name}" cannot be the name of a project: use lower-case letters, digits, ".", "_" and "-", starting with a letter or a digit`;
}

/** The zone of the templates, which the emulator has without a seed. */
const TEMPLATE_ZONE = "free.example.com";
const ZONE = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]*[a-z0-9])$/;

/** What is wrong with the name of a zone. */
export function zoneFault(zone: string): string | undefined {
  if (ZONE.test(zone) && zone.length <= 253) return undefined;
  return `"${zone}" cannot be the name of a zone: use a domain in lower case, such as shop.example.com`;
}

/** A valid name that is as similar as possible to that of a folder. */
export function nameLike(folder: string): string {
  const name = folder.toLowerCase().replace(/[^a-z0-9._-]+/g, "-");
  return name.replace(/^[^a-z0-9]+/, "").slice(0, 100) || "firewall";
}

/** The tests of all projects. `pulumi new` copies them with the template that they are in. */
export const TESTS = { folder: "typescript", file: "rules.firewall.yaml" };

const EMULATOR = "pulumi-rulesets emulator --seed emulator.json";

/** Scripts that use the files which all projects get, and which `pulumi new` does not copy. */
function scriptsFor({ runsHere }: LanguageParts): Readonly<Record<string, string>> {
  const [source, program] = runsHere
    ? ["--stack emulator", "--stack emulator"]
    : [PREVIEW_FILE, `--program ${PREVIEW_FILE}`];
  return {
    emulator: EMULATOR,
    // In a pipeline, which has a preview already, --ignore-scripts leaves it out.
    // A preview that fails prints its errors into the file.
    ...(runsHere ? {} : { pretest: `${PREVIEW_COMMAND} || pulumi-rulesets summarize ${PREVIEW_FILE}` }),
    test: ["check " + source, runsHere ? "test --stack emulator" : "test", "prove " + program]
      .map((part) => `pulumi-rulesets rules ${part}`)
      .join(" && "),
  };
}

/** The files of a project, from those of the templates. */
export function projectFiles(templates: Files, { name, zone, language }: Answers): Files {
  const parts = PARTS[language];
  const words: Readonly<Record<string, string>> = {
    PROJECT: name,
    DESCRIPTION: "Rules of Cloudflare zones",
    PROGRAM: parts.program,
    INSTALL: parts.install,
    TESTED: parts.runsHere ? "" : " in a preview of the selected stack",
  };
  const files = new Map<string, string>();
  for (const [path, text] of templates) {
    const filled = text
      .replaceAll(TEMPLATE_ZONE, zone)
      .replace(/\$\{(\w+)\}/g, (whole, word: string) => words[word] ?? whole)
      .replace(/^( *)# Here, what else the language of the program needs\.\n/gm, (_, indent: string) =>
        (path.includes("gitlab") ? parts.setup.gitlab : parts.setup.github)
          .map((line) => `${indent}${line}\n`)
          .join(""),
      )
      .replaceAll("npm ci\n", `${parts.install.replace("npm install", "npm ci")}\n`);
    // npm leaves out a file with the other name when it packs this package.
    files.set(path === "gitignore" ? ".gitignore" : path, CHANGED[path]?.(filled, parts) ?? filled);
  }
  return files;
}

const CHANGED: Readonly<Record<string, (text: string, parts: LanguageParts) => string>> = {
  "Pulumi.yaml": settings,
  "Pulumi.emulator.yaml": emulatorSettings,
  "package.json": (text, parts) => JSON.stringify({ ...(JSON.parse(text) as Manifest), scripts: scriptsFor(parts) }),
  "rules.firewall.yaml": testedRules,
  gitignore: (text, { ignored }) => [text, ...ignored.map((path) => `${path}\n`)].join(""),
};

/** `Pulumi.yaml` without what only `pulumi new` reads. */
function settings(text: string): string {
  const document = parseDocument(text);
  document.delete("template");
  return document.toString({ lineWidth: 0 });
}

/** Only what is tested without the engine is tested without a request for the zone's ID. */
function emulatorSettings(text: string, { runsHere }: LanguageParts): string {
  return runsHere ? text : text.replace(/^.*:zoneId:.*\n/m, "");
}

function testedRules(text: string, { runsHere, program }: LanguageParts): string {
  if (runsHere) return text;
  return text.replace("index.ts", program).replace(/^rules: \.\nconfig:\n.*\n/m, `rules: ${PREVIEW_FILE}\n`);
}

/** The `package.json` of a project whose template has none, because the package is installed before `pulumi new`. */
export const PACKAGE = JSON.stringify({ name: "${PROJECT}", private: true });

type Manifest = Readonly<Record<string, unknown>>;

/**
 * Adds to a `package.json` what it lacks, and changes nothing in it.
 *
 * @param own where the package is installed from
 */
export function mergedManifest(existing: string | undefined, template: string, own: string): string {
  const wanted = JSON.parse(template) as Manifest;
  const dependencies = { ...(wanted.dependencies as object), "pulumi-rulesets": own };
  const mine = { ...wanted, dependencies };
  const merged = existing === undefined ? mine : lacking(JSON.parse(existing) as Manifest, mine);
  return `${JSON.stringify(merged, undefined, 2)}\n`;
}

function lacking(existing: Manifest, wanted: Manifest): Manifest {
  const result: Record<string, unknown> = { ...existing };
  for (const [key, value] of Object.entries(wanted)) {
    const before = existing[key];
    if (before === undefined) result[key] = value;
    else if (isObject(before) && isObject(value)) result[key] = { ...value, ...before };
  }
  return result;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

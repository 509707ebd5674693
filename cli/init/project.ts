import { parseDocument } from "yaml";
import type { Language } from "./choices.js";

/** Files by their path in the project. */
export type Files = ReadonlyMap<string, string>;

export interface Answers {
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

const TABLE = {
  typescript: [
    "| `index.ts` | the rules |",
    "| `rules.firewall.yaml` | what they do to requests: `npm test` runs it, and proves the invariants |",
  ],
  yaml: ["| `Pulumi.yaml` | the rules |"],
} as const satisfies Record<Language, readonly string[]>;

const EMULATOR = "pulumi-rulesets emulator --seed emulator.json";
const STACK = "--stack emulator";

/** Scripts that use the files which all projects get, and which `pulumi new` does not copy. */
const SCRIPTS = {
  typescript: {
    emulator: EMULATOR,
    test: `pulumi-rulesets rules check ${STACK} && pulumi-rulesets rules test && pulumi-rulesets rules prove ${STACK}`,
  },
  yaml: { emulator: EMULATOR },
} as const satisfies Record<Language, object>;

/** The files of a project, from those of the templates. */
export function projectFiles(templates: Files, { name, zone, language }: Answers): Files {
  const words: Readonly<Record<string, string>> = {
    PROJECT: name,
    DESCRIPTION: "Rules of Cloudflare zones",
    FILES: TABLE[language].join("\n").replace(/^\| /, ""),
  };
  const files = new Map<string, string>();
  for (const [path, text] of templates) {
    const filled = text
      .replaceAll(TEMPLATE_ZONE, zone)
      .replace(/\$\{(PROJECT|DESCRIPTION|FILES)\}/g, (_, word: string) => words[word] ?? "");
    // npm leaves out a file with the other name when it packs this package.
    files.set(path === "gitignore" ? ".gitignore" : path, CHANGED[path]?.(filled, language) ?? filled);
  }
  return files;
}

const CHANGED: Readonly<Record<string, (text: string, language: Language) => string>> = {
  "Pulumi.yaml": settings,
  "Pulumi.emulator.yaml": emulatorSettings,
  "package.json": withScripts,
};

/** `Pulumi.yaml` without what only `pulumi new` reads. */
function settings(text: string): string {
  const document = parseDocument(text);
  document.delete("template");
  return document.toString({ lineWidth: 0 });
}

/** Only TypeScript is tested without the engine, and then without a request for the zone's ID. */
function emulatorSettings(text: string, language: Language): string {
  return language === "typescript" ? text : text.replace(/^.*:zoneId:.*\n/m, "");
}

function withScripts(text: string, language: Language): string {
  return JSON.stringify({ ...(JSON.parse(text) as Manifest), scripts: SCRIPTS[language] });
}

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

/** Where a `package.json` says that this package comes from. */
export function specIn(manifest: string): string | undefined {
  const { dependencies, devDependencies } = JSON.parse(manifest) as Manifest;
  const found = { ...(devDependencies as object), ...(dependencies as object) } as Readonly<Record<string, unknown>>;
  const spec = found["pulumi-rulesets"];
  return typeof spec === "string" ? spec : undefined;
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

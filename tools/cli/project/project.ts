import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, writtenText } from "../../../core/model/json.js";
import { TextDocument } from "../../rules-files/text/text-document.js";

/** What `Pulumi.yaml` says about a project. */
export interface Project {
  readonly folder: string;
  /** The folder of the settings files of its stacks. */
  readonly settingsFolder: string;
  readonly name: string;
  /** The file or folder of the program, relative to the folder; undefined means the entry in package.json. */
  readonly main?: string;
  /** Such as `nodejs`. */
  readonly language: string;
  /** By key, the settings that every stack has unless it sets its own. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly document: TextDocument;
}

/** The settings file of a stack. */
export interface SettingsFile {
  /** By key, the settings in plain text. */
  readonly config: Readonly<Record<string, string>>;
  /** Keys of encrypted settings, which are therefore not in `config`. */
  readonly encrypted: readonly string[];
  /** Whether more settings come from environments, which only Pulumi can open. */
  readonly hasEnvironment: boolean;
}

/** The project in a folder; undefined without a Pulumi.yaml. */
export function findProject(folder: string): Project | undefined {
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  if (file === undefined) return undefined;
  const document = TextDocument.read(file);
  const { name, main, runtime, config, stackConfigDir }: Record<string, unknown> = isObject(document.value)
    ? document.value
    : {};
  if (typeof name !== "string") throw document.errorAt(["name"], "is required: the name of the project");
  return {
    ...{ folder, name, document },
    settingsFolder: typeof stackConfigDir === "string" ? join(folder, stackConfigDir) : folder,
    ...(typeof main === "string" ? { main } : {}),
    language: String(isObject(runtime) ? runtime.name : runtime),
    defaults: readDefaults(config, name),
  };
}

/** Default settings for every stack in Pulumi.yaml: `key: value`, or `key: { default: value }`. */
function readDefaults(config: unknown, project: string): Record<string, string> {
  const entries = Object.entries(isObject(config) ? config : {}).flatMap(([key, item]) => {
    const value: unknown = isObject(item) ? (item.value ?? item.default) : item;
    return value === undefined ? [] : [[fullKey(key, project), writtenText(value)] as const];
  });
  return Object.fromEntries(entries);
}

/** The names of the stacks that have a settings file. */
export function stacksIn({ settingsFolder }: Pick<Project, "settingsFolder">): readonly string[] {
  const names = existsSync(settingsFolder) ? readdirSync(settingsFolder) : [];
  return names.flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? []);
}

/** The path of a stack's settings file. The name of a stack may include the organization; that of its file never does. */
function settingsPath({ settingsFolder }: Project, stack: string): string {
  return join(settingsFolder, `Pulumi.${stack.slice(stack.lastIndexOf("/") + 1)}.yaml`);
}

/** The settings file of a stack; undefined if there is none. */
export function readSettingsFile(project: Project, stack: string): SettingsFile | undefined {
  return readSettingsAt(settingsPath(project, stack), project);
}

/** The settings in a file; undefined if it does not exist. */
export function readSettingsAt(path: string, project: Pick<Project, "name">): SettingsFile | undefined {
  if (!existsSync(path)) return undefined;
  const { value } = TextDocument.read(path);
  const content: Record<string, unknown> = isObject(value) ? value : {};
  const settings = Object.entries(isObject(content.config) ? content.config : {});
  const isSecret = (item: unknown): boolean => isObject(item) && "secure" in item;
  return {
    config: Object.fromEntries(
      settings
        .filter(([, item]) => !isSecret(item))
        .map(([key, item]) => [fullKey(key, project.name), writtenText(item)]),
    ),
    encrypted: settings.filter(([, item]) => isSecret(item)).map(([key]) => fullKey(key, project.name)),
    hasEnvironment: content.environment !== undefined,
  };
}

/** Why a stack has no settings file, for a message. */
export function noSettings(project: Project, stack: string): string {
  const known = stacksIn(project);
  const others = known.length === 0 ? "the project has no stacks" : `the project has the stacks ${known.join(", ")}`;
  return `--stack ${stack}: ${settingsPath(project, stack)} does not exist; ${others}`;
}

/** A key without a namespace belongs to the project. */
export function fullKey(key: string, project: string): string {
  return key.includes(":") ? key : `${project}:${key}`;
}

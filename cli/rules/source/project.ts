import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { isObject, writtenText } from "../../../provider/model/json.js";
import { TextDocument } from "../../../provider/files/text-document.js";
import { PREVIEW_COMMAND, PREVIEW_FILE } from "../../preview-command.js";

/** A Pulumi project and the plain-text settings of one of its stacks. */
export interface Project {
  readonly name: string;
  /** The file or folder of the program, relative to the project folder; undefined means the entry in package.json. */
  readonly main?: string;
  /** The stack whose settings are used; undefined means none. */
  readonly stack?: string;
  readonly config: Readonly<Record<string, string>>;
  /** Keys of encrypted settings, which are therefore not in `config`. */
  readonly encrypted: readonly string[];
}

/**
 * Reads Pulumi.yaml and the settings of a stack.
 * @param stack defaults to the only stack with a settings file
 */
export function readProject(folder: string, stack?: string): Project {
  const file = ["Pulumi.yaml", "Pulumi.yml"].map((name) => join(folder, name)).find(existsSync);
  if (file === undefined)
    throw new Error(
      `${folder} is not a Pulumi project: it has no Pulumi.yaml. To continue: pass the folder of a project, a JSON file of rulesets, or --zone`,
    );
  const document = TextDocument.read(file);
  const project: Record<string, unknown> = isObject(document.value) ? document.value : {};
  const { name, main, runtime } = project;
  if (typeof name !== "string") throw document.errorAt(["name"], "is required: the name of the project");
  const language = isObject(runtime) ? runtime.name : runtime;
  if (language !== "nodejs") {
    throw document.errorAt(
      ["runtime"],
      `only nodejs programs can be run here, not ${String(language)}. To continue: run \`${PREVIEW_COMMAND}\`, and pass ${PREVIEW_FILE} instead of the folder`,
    );
  }
  const { stack: chosen, config, encrypted } = readStack(folder, name, stack);
  return {
    name,
    main: typeof main === "string" ? main : undefined,
    stack: chosen,
    config: { ...readDefaults(project.config, name), ...config },
    encrypted,
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

function readStack(
  folder: string,
  project: string,
  wanted: string | undefined,
): Pick<Project, "stack" | "config" | "encrypted"> {
  const stacks = readdirSync(folder).flatMap((name) => /^Pulumi\.(.+)\.yaml$/.exec(name)?.[1] ?? []);
  const stack = wanted ?? (stacks.length === 1 ? stacks[0] : undefined);
  if (stack === undefined) return { config: {}, encrypted: [] };
  // A stack name may include the organisation; its file name never does.
  const file = join(folder, `Pulumi.${stack.slice(stack.lastIndexOf("/") + 1)}.yaml`);
  if (!existsSync(file)) {
    const known = stacks.length === 0 ? "the project has no stacks" : `the project has the stacks ${stacks.join(", ")}`;
    throw new Error(`--stack ${stack}: ${file} does not exist; ${known}`);
  }
  const { value } = TextDocument.read(file);
  const settings = Object.entries(isObject(value) && isObject(value.config) ? value.config : {});
  const isSecret = (item: unknown): boolean => isObject(item) && "secure" in item;
  return {
    stack,
    config: Object.fromEntries(
      settings.filter(([, item]) => !isSecret(item)).map(([key, item]) => [fullKey(key, project), writtenText(item)]),
    ),
    encrypted: settings.filter(([, item]) => isSecret(item)).map(([key]) => fullKey(key, project)),
  };
}

/** A key without a namespace belongs to the project. */
export function fullKey(key: string, project: string): string {
  return key.includes(":") ? key : `${project}:${key}`;
}

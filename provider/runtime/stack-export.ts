import { execFile } from "node:child_process";
import { isObject, type Json, type JsonObject } from "../model/json.js";

/** A resource in an exported state. Secrets are encrypted, and left out. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly outputs: JsonObject;
}

const TIMEOUT_MS = 30_000;
const LARGEST_OUTPUT = 400 * 1024 * 1024;
const URN = /^urn:pulumi:(.+?)::(.+?)::/;
/** The property by which the engine marks a value that is not plain, such as a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";

/**
 * Reads the state of the stack of a resource with `pulumi stack export`: where no program runs, as in `pulumi destroy`, the
 * engine cannot be queried. The URN names the stack without its organization, so an export counts only if it contains the
 * resource.
 */
export async function exportStack(urn: string): Promise<readonly ExportedResource[]> {
  const [, stack, project] = URN.exec(urn) ?? [];
  if (stack === undefined || project === undefined) throw new Error(`${urn} names no stack`);
  for (const name of [stack, `organization/${project}/${stack}`]) {
    const resources = await runExport(name).then(resourcesIn, () => []);
    if (resources.some((resource) => [resource.urn, resource.outputs.__urn].includes(urn))) return resources;
  }
  throw new Error(`the state of the stack ${stack} cannot be exported`);
}

function runExport(stack: string): Promise<string> {
  const args = ["stack", "export", "--non-interactive", "--stack", stack];
  const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
  const options = { env, timeout: TIMEOUT_MS, maxBuffer: LARGEST_OUTPUT, windowsHide: true };
  return new Promise((resolve, reject) => {
    execFile("pulumi", args, options, (error, stdout) => {
      if (error === null) resolve(stdout);
      // The text of the error may contain parts of the output.
      else reject(new Error("`pulumi stack export` failed"));
    });
  });
}

function resourcesIn(text: string): ExportedResource[] {
  const exported = JSON.parse(text) as Json;
  const deployment = isObject(exported) ? exported.deployment : undefined;
  const resources = isObject(deployment) ? deployment.resources : undefined;
  if (!Array.isArray(resources)) return [];
  return (resources as Json[]).flatMap((resource): ExportedResource[] => {
    if (!isObject(resource) || resource.delete === true) return [];
    const { urn, type, outputs } = resource;
    if (typeof urn !== "string" || typeof type !== "string") return [];
    return [{ urn, type, outputs: isObject(outputs) ? plainOf(outputs) : {} }];
  });
}

/** Without values that are encrypted. */
function plainOf(outputs: JsonObject): JsonObject {
  const entries = Object.entries(outputs).filter(([, value]) => !(isObject(value) && SIGNATURE in value));
  return Object.fromEntries(entries);
}

import { execFile } from "node:child_process";
import { isObject, parseJson } from "../../provider/model/json.js";
import type { Environment } from "../../provider/settings.js";

/** The settings of a stack in clear, or why they cannot be read. */
export type StackSettings =
  | { readonly stack: string; readonly values: ReadonlyMap<string, string> }
  | { readonly stack: string; readonly failure: string };

/** Reads the settings of a stack as `pulumi up` gets them, so that encrypted values and environments are included. */
export function readStackSettings(folder: string, stack: string | undefined, env: Environment): Promise<StackSettings> {
  const named = stack === undefined ? [] : ["--stack", stack];
  const args = ["config", "--json", "--show-secrets", "--non-interactive", ...named];
  const options = { cwd: folder, env: { ...env, PULUMI_SKIP_UPDATE_CHECK: "true" }, timeout: 30_000 };
  return new Promise((done) => {
    execFile("pulumi", args, options, (error, stdout, stderr) => {
      const where = { stack: stack ?? "that is selected" };
      if (error === null) {
        done({ ...where, values: valuesIn(stdout) });
        return;
      }
      const [reason = error.message] = stderr.split("\n").filter((line) => line.trim() !== "");
      done({ ...where, failure: reason.replace(/^error: /, "") });
    });
  });
}

/** The values by key: `{"shop:zoneId": {"value": "…", "secret": false}}`. */
function valuesIn(output: string): ReadonlyMap<string, string> {
  const config = parseJson(output);
  const entries = Object.entries(isObject(config) ? config : {});
  return new Map(
    entries.flatMap(([key, item]) =>
      isObject(item) && typeof item.value === "string" ? [[key, item.value] as const] : [],
    ),
  );
}

import module from "node:module";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { setFlagsFromString } from "node:v8";

/** Node has had them since 22.1 and 22.10. */
const { enableCompileCache, flushCompileCache }: Partial<typeof module> = module;

/** The folder of caches in the home of a user, by platform, and the variable that names another one. */
const CACHES: Partial<Record<NodeJS.Platform, { readonly folder: readonly string[]; readonly variable?: string }>> = {
  win32: { folder: ["AppData", "Local"], variable: "LOCALAPPDATA" },
  darwin: { folder: ["Library", "Caches"] },
};
const OTHERS = { folder: [".cache"], variable: "XDG_CACHE_HOME" };

/**
 * Where the user's caches are. Undefined if that is not known; a relative folder would be one of the program, where others may write
 * what would run here.
 */
function cachesOf(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const { folder, variable = "" } = CACHES[platform] ?? OTHERS;
  return [env[variable], join(home(), ...folder)].find((one) => one !== undefined && isAbsolute(one));
}

/** Empty if the user has none, as in a container. */
function home(): string {
  try {
    return homedir();
  } catch {
    return "";
  }
}

/**
 * Keeps the code that Node compiles for the modules loaded from now on, for the next processes of this user: a tenth of the CPU
 * time of a run. It stands in the user's own caches, not in the folder for temporary files, where another user could have put code
 * before. Where there are none, or nothing can be written, Node compiles as ever; `NODE_DISABLE_COMPILE_CACHE=1` switches it off.
 *
 * @see https://nodejs.org/api/module.html#moduleenablecompilecachecachedir
 */
export function keepCompiledCode(): void {
  const caches = cachesOf(process.env, process.platform);
  if (caches !== undefined) enableCompileCache?.(join(caches, "pulumi-rulesets", "compiled"));
}

/** Writes what is not there yet. Node does so when a process ends by itself, but the engine ends its plugins by a signal. */
export function writeCompiledCode(): void {
  flushCompileCache?.();
}

/**
 * Lets V8 optimize functions after ten times as many calls as usual, because most runs end before that has paid for itself: a tenth
 * of the CPU time of a preview of 180 resources. A larger run takes no longer.
 */
export function optimizeLate(): void {
  setFlagsFromString("--invocation-count-for-turbofan=30000");
  setFlagsFromString("--invocation-count-for-osr=8000");
}

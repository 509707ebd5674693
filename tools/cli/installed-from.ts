import { existsSync, readFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";

/**
 * What a new project depends on to get this package: the registry is the last resort, because a project in a clone, or one
 * that was installed from a tarball, finds it there alone.
 *
 * @param own the folder of this package
 * @returns the clone that a command runs in, or what it was installed from
 */
export function installedFrom(
  target: string,
  { own, version }: { readonly own: string; readonly version: string },
): string {
  const steps = own.split(sep);
  const modules = steps.indexOf("node_modules");
  if (modules < 0) return fileSpec(target, own);
  const installer = steps.slice(0, modules).join(sep);
  const manifest = join(installer, "package.json");
  const spec = existsSync(manifest) ? specIn(readFileSync(manifest, "utf8")) : undefined;
  const [, folder] = /^(?:file|link|portal):(.*)$/.exec(spec ?? "") ?? [];
  if (folder !== undefined) return fileSpec(target, resolve(installer, folder));
  // A workspace means something only to its own packages.
  return spec?.includes(":") && !spec.startsWith("workspace:") ? spec : `^${version}`;
}

const fileSpec = (from: string, to: string): string => `file:${relative(from, to).split(sep).join("/") || "."}`;

/** Where a `package.json` says that this package comes from. */
function specIn(manifest: string): string | undefined {
  const { dependencies, devDependencies } = JSON.parse(manifest) as Readonly<Record<string, object | undefined>>;
  const found: Readonly<Record<string, unknown>> = { ...devDependencies, ...dependencies };
  const spec = found["pulumi-rulesets"];
  return typeof spec === "string" ? spec : undefined;
}

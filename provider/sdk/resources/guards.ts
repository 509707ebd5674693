import * as pulumi from "@pulumi/pulumi";
import { SECRET_SETTINGS } from "../../../core/model/settings.js";
import type { Description } from "../../engine/description.js";
import { ProgramError } from "./program-error.js";

/** Refuses resource options that cannot work, and says what to do instead. */
export function guardOptions(
  { type, guide, insteadOfImport: [instead, page = guide] }: Pick<Description, "type" | "guide" | "insteadOfImport">,
  name: string,
  opts: pulumi.CustomResourceOptions,
): void {
  if (opts.import !== undefined) {
    throw new ProgramError(
      `${type} ${name}: the option import does not work with dynamic resources. ${instead} ` +
        `See node_modules/pulumi-rulesets/docs/${page}.md.`,
      { code: "IMPORT_UNSUPPORTED" },
    );
  }
  const pkg = packageOf(opts.provider);
  if (pkg !== undefined && pkg !== "pulumi-nodejs") throw foreignProvider(`${type} ${name}`, opts.provider);
}

/** Error for a provider that this package did not make. */
export function foreignProvider(what: string, provider: unknown): ProgramError {
  const pkg = packageOf(provider);
  const found = pkg === undefined ? "not a provider" : `a provider of the package ${pkg}`;
  return new ProgramError(
    `${what}: opts.provider is ${found}. Use a provider of this package instead: ` +
      `new Provider("name", { apiToken }) from "pulumi-rulesets".`,
    { code: "PROVIDER_MISMATCH" },
  );
}

function packageOf(provider: unknown): string | undefined {
  const { getPackage } = (provider ?? {}) as { readonly getPackage?: unknown };
  return typeof getPackage === "function" ? String(getPackage.call(provider)) : undefined;
}

const warned = new Set<string>();

/** Warns, once per stack and setting, about credentials in plain text in the stack configuration. */
export function warnPlainToken(): void {
  for (const key of SECRET_SETTINGS) {
    const known = `${pulumi.getProject()}/${pulumi.getStack()}/${key}`;
    if (warned.has(known)) continue;
    const [namespace, item] = key.split(":") as [string, string];
    const config = new pulumi.Config(namespace);
    if (config.get(item) === undefined || isSecretKey(key)) continue;
    warned.add(known);
    void pulumi.log.warn(
      `${key} is in the stack configuration in plain text, and therefore in the state too. ` +
        `Run \`pulumi config set --secret ${key}\` with a new token, and revoke this one.`,
    );
  }
}

function isSecretKey(key: string): boolean {
  // The SDK's types omit it, and old versions of the SDK do not have it.
  const keys = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  return keys.isConfigSecret?.(key) ?? true;
}

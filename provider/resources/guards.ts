import * as pulumi from "@pulumi/pulumi";
import type { KindName } from "../kinds/descriptions.js";
import { ProgramError } from "./program-error.js";

/** Refuses resource options that cannot work, and says what to do instead. */
export function guardOptions(type: KindName, name: string, opts: pulumi.CustomResourceOptions): void {
  if (opts.import !== undefined) {
    throw new ProgramError(
      `${type} ${name}: the option import does not work with dynamic resources. ${IMPORT_ALTERNATIVES[type]}`,
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

const NO_REQUEST = `Leave it out: what already exists is taken over, and no request is sent if nothing changed. ${page("certificates")}`;

/** What to do instead of an import, and the page that explains it. */
const IMPORT_ALTERNATIVES: Readonly<Record<KindName, string>> = {
  PhaseEntrypoint: adoption(""),
  Ruleset: adoption(" (or rulesetId: the ID of the ruleset)"),
  RulesetRule: `Leave it out and take over the existing rule by its ref, or by its ID with ruleId. ${page("ruleset-rule")}`,
  ZoneWafMigration: `Leave it out: a zone that is already migrated is taken over without a write. ${page("migration")}`,
  CustomHostnameCa: NO_REQUEST,
  CustomHostnameCertificate: NO_REQUEST,
  TotalTlsCa: NO_REQUEST,
};

function adoption(byId: string): string {
  return (
    `Leave it out and take over what exists with onExisting: "adopt"${byId}: the preview prints the rules to add. ` +
    page("ownership")
  );
}

/** Refers to a page of the documentation in the installed package. */
function page(name: string): string {
  return `See node_modules/pulumi-rulesets/docs/${name}.md.`;
}

const warned = new Set<string>();

/** Warns, once per stack and setting, about credentials in plain text in the stack configuration. */
export function warnPlainToken(): void {
  for (const key of ["rulesets:apiToken", "rulesets:apiKey", "cloudflare:apiToken", "cloudflare:apiKey"]) {
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

import * as pulumi from "@pulumi/pulumi";
import { ProgramError } from "./program-error.js";

/** Fields of `ignoreChanges` inside rules, as a ref and the steps after it. */
type IgnoredPath = readonly string[];

export interface GuardedOptions {
  readonly opts: pulumi.CustomResourceOptions;
  readonly ignored: readonly IgnoredPath[];
}

/** Refuses options that cannot work, each with the way that does, and takes over those about single rules. */
export function guardOptions(type: string, name: string, opts: pulumi.CustomResourceOptions): GuardedOptions {
  if (opts.import !== undefined) {
    throw new ProgramError(
      `${type} ${name}: the option import does not work with dynamic resources. ${instead(type)}`,
      { code: "IMPORT_UNSUPPORTED" },
    );
  }
  const provider = opts.provider;
  const pkg = provider === undefined ? undefined : (provider as { getPackage?: () => string }).getPackage?.();
  if (pkg !== undefined && pkg !== "pulumi-nodejs") {
    throw new ProgramError(
      `${type} ${name}: opts.provider is a provider of the package ${pkg}. Make one of this package: ` +
        `new Provider("name", { apiToken }) from "pulumi-rulesets".`,
      { code: "PROVIDER_MISMATCH" },
    );
  }
  const ignore = opts.ignoreChanges ?? [];
  for (const path of ignore) refuseIndexPath(type, name, path);
  const inRules = ignore.flatMap((path) => rulePath(path));
  const rest = ignore.filter((path) => rulePath(path).length === 0);
  return { opts: ignore.length === 0 ? opts : { ...opts, ignoreChanges: rest }, ignored: inRules };
}

/** What to do in place of an import, and the page that shows it. */
function instead(type: string): string {
  if (type === "ZoneWafMigration")
    return `Leave it out: a zone that is migrated already is taken over, and nothing is written. ${page("migration")}`;
  if (type !== "Ruleset" && type !== "PhaseEntrypoint")
    return `Leave it out: what is there already is taken over, and nothing is sent without a difference. ${page("certificates")}`;
  const byId = type === "Ruleset" ? " (or rulesetId: the id of the ruleset)" : "";
  return (
    `Leave it out and take over what exists with onExisting: "adopt"${byId}: the preview prints the rules to add. ` +
    page("ownership")
  );
}

/** A page of the documentation as it lies in every project that uses this package. */
function page(name: string): string {
  return `See node_modules/pulumi-rulesets/docs/${name}.md.`;
}

function refuseIndexPath(type: string, name: string, path: string): void {
  const index = /^rules\[(\d+|\*)\](.*)$/.exec(path);
  if (index === null) return;
  throw new ProgramError(
    `${type} ${name}: ignoreChanges ${JSON.stringify(path)} counts rules, but rules are known by ref. ` +
      `Write ${JSON.stringify(`rules["<ref>"]${index[2] ?? ""}`)}; the preview shows each rule's ref.`,
    { code: "IGNORE_CHANGES_PATH" },
  );
}

/** `rules["ref"].a.b` or `rules.ref.a` as `["ref", "a", "b"]`; nothing for other paths. */
function rulePath(path: string): IgnoredPath[] {
  const rest = /^rules(?=[.[])(.*)$/.exec(path)?.[1];
  if (rest === undefined) return [];
  const steps = [...rest.matchAll(/\.([A-Za-z_$][\w$-]*)|\["((?:[^"\\]|\\.)*)"\]|\[(\d+)\]/g)];
  return [steps.map(([, plain, quoted, index]) => plain ?? index ?? (JSON.parse(`"${quoted ?? ""}"`) as string))];
}

const warned = new Set<string>();

/** Warns once a stack when a token stands in the stack configuration in plain text. */
export function warnPlainToken(): void {
  for (const key of ["rulesets:apiToken", "rulesets:apiKey", "cloudflare:apiToken", "cloudflare:apiKey"]) {
    const known = `${pulumi.getProject()}/${pulumi.getStack()}/${key}`;
    if (warned.has(known)) continue;
    const [namespace, item] = key.split(":") as [string, string];
    const config = new pulumi.Config(namespace);
    if (config.get(item) === undefined || isSecretKey(key)) continue;
    warned.add(known);
    void pulumi.log.warn(
      `${key} stands in the stack configuration in plain text, and so in the state too. ` +
        `Run \`pulumi config set --secret ${key}\` with a new token, and revoke this one.`,
    );
  }
}

function isSecretKey(key: string): boolean {
  const keys = pulumi.runtime as unknown as { isConfigSecret?: (key: string) => boolean };
  return keys.isConfigSecret?.(key) ?? true;
}

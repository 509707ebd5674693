import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../../core/model/json.js";
import { foreignProvider } from "../resources/guards.js";
import { typeToken } from "../resources/prepare.js";
import { settingsOf, type ProviderSettings } from "../resources/provider.js";
import { checkKnownName, failure, joinFindings, NO_FINDINGS } from "../../../core/model/failure.js";
import { requireValid } from "./arguments.js";

const OPTIONS: Readonly<Record<keyof pulumi.InvokeOptions, true>> = {
  provider: true,
  parent: true,
  version: true,
  pluginDownloadURL: true,
  async: true,
};

/** The provider that a program's lookup uses; undefined for the settings of the stack. Throws for other options. */
export function providerOf(functionName: string, opts: pulumi.InvokeOptions): ProviderSettings | undefined {
  requireValid(functionName, checkOptions(functionName, opts));
  const provider = opts.provider ?? opts.parent?.getProvider(typeToken("Ruleset"));
  if ((provider as unknown) === undefined || (provider as unknown) === null) return undefined;
  const settings = settingsOf(provider);
  if (settings === undefined) throw foreignProvider(functionName, provider);
  return settings;
}

function checkOptions(functionName: string, opts: unknown): ReturnType<typeof failure> {
  if (!isObject(opts) || pulumi.Resource.isInstance(opts) || pulumi.Output.isInstance(opts))
    return failure([], "its options must be an object such as { provider }");
  const { parent } = opts;
  return joinFindings([
    ...Object.keys(opts).map((name) =>
      checkKnownName([name], `${functionName} has no option`, name, Object.keys(OPTIONS)),
    ),
    parent === undefined || parent === null || pulumi.Resource.isInstance(parent)
      ? NO_FINDINGS
      : failure(["parent"], "must be a resource"),
  ]);
}

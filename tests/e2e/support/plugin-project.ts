import { delimiter, join } from "node:path";
import { TOKEN } from "../../support/emulator.js";
import { ProjectStack } from "./project.js";

const modules = join(__dirname, "..", "..", "..", "node_modules");

/** The command of the plugin. */
export const plugin = join(modules, ".bin", "pulumi-resource-rulesets");

/** A project whose commands find the provider plugin, as npm installs it, and the emulator. */
export function pluginProject(
  service: { readonly emulator: { readonly url: string } },
  env: Readonly<Record<string, string>> = {},
): ProjectStack {
  const path = [join(modules, ".bin"), process.env.PATH].join(delimiter);
  return new ProjectStack({ PATH: path, RULESETS_BASE_URL: service.emulator.url, RULESETS_API_TOKEN: TOKEN, ...env });
}

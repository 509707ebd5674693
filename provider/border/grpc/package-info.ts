import type { PackageFacts } from "../../engine/package-schema.js";
import { late } from "../../../core/model/late.js";

/** Where releases will be. The domain is reserved for examples, so that nobody can offer plugins there before. */
const HOME = "pulumi-rulesets.example";

const readManifest = late<NpmPackage>(() => require("../../../../package.json"));

/** The package as built. */
export function packageInfo(): PackageFacts {
  return infoOf(readManifest());
}

/** What `package.json` says about the package. */
type NpmPackage = Pick<PackageFacts, "version" | "description" | "license">;

/** In Pulumi the package is called `rulesets`, after its types. */
export function infoOf({ version, description, license }: NpmPackage): PackageFacts {
  return {
    name: "rulesets",
    version,
    description,
    license,
    displayName: "Cloudflare Rulesets",
    publisher: "pulumi-rulesets",
    keywords: ["pulumi", "cloudflare", "rulesets", "waf", "firewall", "category/network", "kind/native"],
    homepage: `https://${HOME}`,
    logoUrl: `https://${HOME}/logo.svg`,
    pluginDownloadURL: `https://${HOME}/plugins`,
    language: {
      nodejs: { packageName: "@pulumi-rulesets/rulesets", respectSchemaVersion: true },
      python: { packageName: "pulumi_rulesets", respectSchemaVersion: true, pyproject: { enabled: true } },
      go: {
        importBasePath: `${HOME}/sdk/go/rulesets`,
        respectSchemaVersion: true,
        generateResourceContainerTypes: true,
      },
      csharp: { rootNamespace: "Pulumi", respectSchemaVersion: true },
      java: { basePackage: "io.github.pulumirulesets" },
    },
  };
}

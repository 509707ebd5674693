import { slug } from "../../../core/rules/derive-ref.js";
import { PRINT_WIDTH } from "../code/print.js";
import type { Inventory } from "../inventory.js";
import type { GeneratedFile } from "./program.js";

/** Facts about a project besides its program. */
interface ProjectFacts {
  readonly name: string;
  /** Where the project gets this package from. */
  readonly source: string;
  /** Versions of the SDK that this package supports. */
  readonly sdk: string;
}

/** Named after the only zone, otherwise after what it contains. */
export function projectName({ scopes }: Inventory): string {
  const [only] = scopes;
  return (scopes.length === 1 && only?.scope.level === "zones" ? slug(only.name) : "") || "rulesets";
}

/** The files around the program. They contain no credentials: these come from the stack's configuration. */
export function projectFiles({ name, source, sdk }: ProjectFacts): GeneratedFile[] {
  return [
    { path: "Pulumi.yaml", text: `name: ${name}\ndescription: Rulesets of the Cloudflare API v4\nruntime: nodejs\n` },
    {
      path: "package.json",
      text: json({
        name,
        private: true,
        main: "index.ts",
        dependencies: { "@pulumi/pulumi": sdk, "pulumi-rulesets": source },
        devDependencies: { "@types/node": "^22", typescript: "^5" },
        prettier: { printWidth: PRINT_WIDTH },
      }),
    },
    {
      path: "tsconfig.json",
      text: json({
        compilerOptions: {
          strict: true,
          target: "es2022",
          module: "node16",
          moduleResolution: "node16",
          outDir: "bin",
          sourceMap: true,
          forceConsistentCasingInFileNames: true,
          skipLibCheck: true,
        },
        files: ["index.ts"],
      }),
    },
  ];
}

function json(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

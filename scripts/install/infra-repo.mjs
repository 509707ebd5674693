// Creates empty infrastructure repositories, as `pulumi new` and a package manager leave them, with the program of the page
// docs/getting-started.md.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** How a project declares its module type, and the program of docs/getting-started.md in that language. */
const LANGUAGES = {
  commonjs: { manifest: { type: "commonjs", main: "index.js" }, file: "index.js", translate: toCommonJs },
  typescript: { manifest: { main: "index.ts" }, file: "index.ts", translate: (source) => source },
};

/** Imports are the only ES module syntax in the program. */
function toCommonJs(source) {
  return source
    .replace(/^import \* as (\w+) from (".*");$/gm, "const $1 = require($2);")
    .replace(/^import (\{.*\}) from (".*");$/gm, "const $1 = require($2);");
}

const writeJson = (path, value) => {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
};

/**
 * Writes a repository with the tarball into an empty folder, and returns how to install the tarball.
 *
 * A plain repository is one project; a workspace contains the project in `stacks/zone`.
 */
export function writeInfraRepo({ folder, manager, language, workspace, sdk, tarball, program }) {
  const project = workspace ? join(folder, "stacks", "zone") : folder;
  const { manifest, file, translate } = LANGUAGES[language];
  mkdirSync(project, { recursive: true });
  copyFileSync(tarball, join(folder, basename(tarball)));
  writeJson(join(project, "package.json"), {
    name: "zone",
    private: true,
    ...manifest,
    dependencies: { "@pulumi/pulumi": sdk },
    devDependencies: language === "typescript" ? { "@types/node": "^22", typescript: "^5" } : {},
  });
  writeFileSync(join(project, "Pulumi.yaml"), "name: zone\nruntime: nodejs\n");
  writeFileSync(join(project, file), translate(program));
  // Otherwise yarn keeps packages in archives, which Pulumi's host of programs cannot read.
  if (manager === "yarn") writeFileSync(join(folder, ".yarnrc.yml"), "nodeLinker: node-modules\n");
  if (manager === "pnpm") {
    // A dependency of @pulumi/pulumi has an install script, which pnpm requires to be allowed or ignored explicitly.
    const packages = workspace ? 'packages: ["stacks/*"]\n' : "";
    writeFileSync(join(folder, "pnpm-workspace.yaml"), `${packages}allowBuilds:\n  protobufjs: false\n`);
  }
  return { project, file: `${workspace ? "../.." : "."}/${basename(tarball)}` };
}

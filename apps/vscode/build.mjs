// Bundles the extension and the language server that comes with it. The server is built from the sources of the package.
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const shared = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  logLevel: "warning",
};

await build({
  ...shared,
  entryPoints: [join(here, "extension.cjs")],
  outfile: join(here, "dist", "extension.js"),
  external: ["vscode"],
});
const { version } = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
await build({
  ...shared,
  stdin: {
    contents: `import { runLanguageServer } from "./tools/cli/language-server/command.ts";
const { stdin: input, stdout: output } = process;
runLanguageServer({ version: ${JSON.stringify(version)}, input, output });`,
    resolveDir: join(here, "..", ".."),
    loader: "ts",
  },
  outfile: join(here, "dist", "server.js"),
});

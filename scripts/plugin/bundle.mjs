// Bundles the provider plugin and all that it needs into one CommonJS file, for the command `pulumi-resource-rulesets` and for
// the archives. Kinds, the client and other parts stay modules of their own in it, which run when they are first needed.
import { build } from "esbuild";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { licensesOf } from "../licenses.mjs";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What the command of the npm package runs, and the command. */
const BUNDLE = join(root, "dist", "pulumi-resource-rulesets.cjs");
const COMMAND = join(root, "dist", "provider", "border", "grpc", "command.js");

/** What only programs load, and a provider never does: with it, the bundle would contain the SDK and its TypeScript. */
const ONLY_IN_PROGRAMS = /^(@pulumi\/pulumi|\.\/in-program\.js)$/;

/** What its packages load and it never uses: bodies in several parts, and gRPC's services for its own state. */
const NEVER_USED = /^(form-data|@grpc\/proto-loader)$/;

/** Finds the packages that come with the SDK. */
const fromSdk = createRequire(createRequire(join(root, "package.json")).resolve("@pulumi/pulumi"));

const asInstalled = {
  name: "as-installed",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: ONLY_IN_PROGRAMS }, ({ path }) => ({ path, namespace: "programs" }));
    onLoad({ filter: /.*/, namespace: "programs" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is for programs`)});`,
    }));
    onResolve({ filter: NEVER_USED }, ({ path }) => ({ path, namespace: "never-used" }));
    onLoad({ filter: /.*/, namespace: "never-used" }, () => ({ contents: "module.exports = class NeverUsed {};" }));
    onResolve({ filter: /^(@grpc|google-protobuf|@pulumi\/pulumi\/proto)\// }, ({ path }) => ({
      path: fromSdk.resolve(path),
    }));
    // A program has the SDK to look for it.
    onResolve({ filter: /\/sdk-grpc\.js$/ }, () => ({ path: fromSdk.resolve("@grpc/grpc-js") }));
    // Written for the folder of the compiled file, which is one deeper.
    onResolve({ filter: /^(\.\.\/){3,4}package\.json$/ }, () => ({ path: join(root, "package.json") }));
  },
};

/** Writes the bundle, and beside it the licenses of what is in it. Returns the files in it, each with its bytes. */
export async function bundle(outfile = BUNDLE) {
  const { metafile } = await build({
    entryPoints: [join(root, "provider", "border", "grpc", "main.ts")],
    absWorkingDir: root,
    outfile,
    bundle: true,
    platform: "node",
    target: "node22",
    format: "cjs",
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [asInstalled],
  });
  const [inputs] = Object.entries(metafile.outputs).flatMap(([file, { inputs }]) =>
    file.endsWith(".cjs") ? [inputs] : [],
  );
  const sdk = Object.keys(inputs).find((file) => /@pulumi\/pulumi\/(?!proto\/)/.test(file));
  if (sdk !== undefined) throw new Error(`the bundle contains the SDK: ${sdk}. Load what only programs use late`);
  // One other character, and Node holds the whole file in twice the memory.
  const [other] = /.{0,40}[^\p{ASCII}]/u.exec(readFileSync(outfile, "utf8")) ?? [];
  if (other !== undefined) throw new Error(`the bundle may contain only ASCII: write \\u instead in ${other}`);
  chmodSync(outfile, 0o755);
  writeFileSync(outfile.replace(".cjs", ".licenses.txt"), licensesOf(root, Object.keys(inputs)));
  return Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await bundle();
  chmodSync(COMMAND, 0o755);
}

// Bundles the provider plugin and all that it needs into one CommonJS file, for the command `pulumi-resource-rulesets` and for
// the archives. Kinds, the client and other parts stay modules of their own in it, which run when they are first needed.
import { build } from "esbuild";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The command of the npm package. */
export const BUNDLE = join(root, "dist", "pulumi-resource-rulesets.cjs");

/** What only programs load, and a provider never does: with it, the bundle would contain the SDK and its TypeScript. */
const ONLY_IN_PROGRAMS = /^(@pulumi\/pulumi|\.\/program-lookup\.js|\.\/stack-client\.js)$/;

/** Finds the packages that come with the SDK. */
const fromSdk = createRequire(createRequire(join(root, "package.json")).resolve("@pulumi/pulumi"));

/** `const load = createRequire(…)`: from this package, or from the SDK. */
const LOADER = /const (\w+) = createRequire\((?:__filename|require\.resolve\("@pulumi\/pulumi"\))\);/g;

/**
 * A module whose calls of `load("…")` are calls of `require("…")`, which the bundler follows. Each is made once, because the
 * bundler copies the names of the other module every time.
 */
function withPlainRequire(text) {
  const names = [...text.matchAll(LOADER)].map(([, name]) => name);
  if (names.length === 0) return text;
  const late = [];
  const call = new RegExp(`\\b(?:${names.join("|")})\\(\\s*("[^"]+"),?\\s*\\)`, "g");
  const result = text.replace(LOADER, "").replace(call, (_, path) => {
    late.push(`late${String(late.length)}`);
    return `(${late.at(-1)} ??= require(${path}))`;
  });
  return late.length === 0 ? result : `${result}\nvar ${late.join(", ")};`;
}

const lateModules = {
  name: "late-modules",
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: withPlainRequire(readFileSync(path, "utf8")),
      loader: "ts",
    }));
    onResolve({ filter: ONLY_IN_PROGRAMS }, ({ path }) => ({ path, namespace: "programs" }));
    onLoad({ filter: /.*/, namespace: "programs" }, ({ path }) => ({
      contents: `throw new Error(${JSON.stringify(`${path} is for programs`)});`,
    }));
    onResolve({ filter: /^(@grpc|google-protobuf|@pulumi\/pulumi\/proto)\// }, ({ path }) => ({
      path: fromSdk.resolve(path),
    }));
    // Written for the folder of the compiled file, which is one deeper.
    onResolve({ filter: /\/package\.json$/ }, ({ path }) =>
      path === "../../../package.json" ? { path: join(root, "package.json") } : undefined,
    );
  },
};

/** Writes the bundle, and beside it the licenses of what is in it. Returns the files in it, each with its bytes. */
export async function bundle(outfile = BUNDLE) {
  const { metafile } = await build({
    entryPoints: [join(root, "provider", "plugin", "main.ts")],
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
    plugins: [lateModules],
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
  writeFileSync(outfile.replace(".cjs", ".licenses.txt"), licensesOf(Object.keys(inputs)));
  return Object.fromEntries(Object.entries(inputs).map(([file, { bytesInOutput }]) => [file, bytesInOutput]));
}

/** The licenses of all packages in a bundle. Throws for a package without one. */
function licensesOf(files) {
  const folders = files.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const texts = [...new Set(folders)].toSorted().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"));
    const text = readdirSync(join(root, folder)).find((file) => /^licen[cs]e/i.test(file));
    if (text === undefined && license === undefined) throw new Error(`${name} has no license, so it cannot be bundled`);
    return `${name} ${version} (${license})\n\n${text === undefined ? "" : readFileSync(join(root, folder, text), "utf8")}`;
  });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundle();

// Bundles the playground for browsers: the page, and the worker with the rules language, the simulator, the analysis and the
// checks. The website serves these files. Fails if they are larger than a page may load. Beside them is the
// style of the pages that commands write.
import { build } from "esbuild";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { licensesOf } from "./licenses.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const FOLDER = join(root, "dist", "apps", "playground");

/** What the page may load altogether, compressed. */
const MOST_BYTES = 300_000;

/** Replaces what the pure folders use of Node. Anything else of Node is a mistake: the page has no machine. */
const forBrowsers = {
  name: "for-browsers",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^node:/ }, ({ path, importer }) => {
      if (path === "node:crypto") return { path: join(root, "apps", "playground", "browser", "crypto.ts") };
      // What reads files is there beside what parses them, and is never called.
      if (path === "node:fs" && importer.endsWith(join("rules-files", "text", "read-file.ts")))
        return { path, namespace: "none" };
      return { errors: [{ text: `${path} is not available in a page` }] };
    });
    onLoad({ filter: /.*/, namespace: "none" }, () => ({ contents: "module.exports = {};" }));
  },
};

async function bundle(entry, outfile, format) {
  const { metafile } = await build({
    entryPoints: [join(root, entry)],
    absWorkingDir: root,
    outfile: join(FOLDER, outfile),
    inject: outfile === "worker.js" ? [join(root, "apps", "playground", "browser", "buffer-global.ts")] : [],
    // Where a module is says what belongs to this package in the stack of a program, which a page does not have.
    define: { __dirname: '"/"' },
    bundle: true,
    platform: "browser",
    target: "es2022",
    format,
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [forBrowsers],
  });
  return Object.keys(metafile.inputs);
}

/** Writes the files, and beside them the licenses of what is in them. Throws if they have become too large. */
async function bundlePlayground() {
  mkdirSync(FOLDER, { recursive: true });
  const inputs = [
    ...(await bundle("apps/playground/page/worker.ts", "worker.js", "iife")),
    ...(await bundle("apps/playground/page/main.ts", "page.js", "esm")),
    ...(await bundle("apps/playground/page/page.css", "page.css")),
    ...(await bundle("tools/cli/page/style.css", "../../tools/cli/page/report.css")),
  ];
  writeFileSync(join(FOLDER, "licenses.txt"), licensesOf(root, inputs));
  const size = (file) => gzipSync(readFileSync(join(FOLDER, file))).length;
  const bytes = size("worker.js") + size("page.css") + size("page.js");
  if (bytes > MOST_BYTES)
    throw new Error(`the playground is ${String(bytes)} bytes compressed; it may have ${String(MOST_BYTES)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await bundlePlayground();

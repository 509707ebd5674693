// Loads modules of the project from their TypeScript sources, so that generated files never depend on an old build.
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import ts from "typescript";

const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023, esModuleInterop: true };
const isSource = (url) => url?.endsWith(".ts") === true && !url.includes("/node_modules/");

registerHooks({
  resolve: (specifier, context, next) =>
    next(isSource(context.parentURL) ? specifier.replace(/^(\..*)[.]js$/, "$1.ts") : specifier, context),
  load: (url, context, next) => {
    if (!isSource(url)) return next(url, context);
    const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), "utf8"), { compilerOptions });
    return { format: "commonjs", source: outputText, shortCircuit: true };
  },
});

const require = createRequire(pathToFileURL(`${process.cwd()}/package.json`));

/** What a module exports, by its path in the repository. */
export const loadModule = (path) => require(`./${path}`);

import * as prettier from "prettier/standalone";
import * as estree from "prettier/plugins/estree";
import * as typescriptPlugin from "prettier/plugins/typescript";
import ts from "typescript";

/** A text formatted by Prettier, at the width of generated projects. */
export function formatted(text: string): Promise<string> {
  return prettier.format(text, { parser: "typescript", plugins: [typescriptPlugin, estree], printWidth: 120 });
}

/** The compiler errors of the project in a folder, with its own tsconfig.json. */
export function compilerErrors(folder: string): string[] {
  const { config } = ts.readConfigFile(`${folder}/tsconfig.json`, (path) => ts.sys.readFile(path)) as {
    config: unknown;
  };
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true, types: [] });
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
    const line =
      file === undefined || start === undefined
        ? ""
        : ` in line ${String(file.getLineAndCharacterOfPosition(start).line + 1)}`;
    return `${file?.fileName ?? ""}${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
  });
}

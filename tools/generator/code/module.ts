import { importsOf, type Code, type Import } from "./code.js";
import { printCode, PRINT_WIDTH } from "./print.js";
import { inComment } from "./text.js";

/** A statement of a generated file. */
export type Statement = { readonly comment?: string } & (
  | {
      readonly kind: "const";
      readonly name: string;
      readonly type?: Import;
      readonly exported: boolean;
      readonly value: Code;
    }
  | { readonly kind: "run"; readonly value: Code }
  /** A loop over the pairs of a constant that maps strings to strings. */
  | {
      readonly kind: "each";
      readonly names: readonly [key: string, value: string];
      readonly of: string;
      readonly body: Code;
    }
  | { readonly kind: "note"; readonly text: string }
);

/** A file of the program: its imports, and its statements separated by blank lines. */
export function moduleText(statements: readonly Statement[], sideEffects: readonly string[] = []): string {
  const imports = [
    ...importLines(statements.flatMap(importsOfStatement)),
    ...sideEffects.map((path) => `import ${JSON.stringify(path)};`),
  ];
  const parts = groups(statements).map((group) => group.map(statementText).join("\n"));
  return `${[...(imports.length === 0 ? [] : [imports.join("\n")]), ...parts].join("\n\n")}\n`;
}

/** One-line constants are grouped; everything else is separate. */
function groups(statements: readonly Statement[]): Statement[][] {
  const found: Statement[][] = [];
  let open = false;
  for (const statement of statements) {
    const short = statement.kind === "note" || (statement.kind === "const" && !statementText(statement).includes("\n"));
    if (short && open && found.at(-1)?.[0]?.kind === statement.kind) found.at(-1)?.push(statement);
    else found.push([statement]);
    open = short;
  }
  return found;
}

function importsOfStatement(statement: Statement): Import[] {
  switch (statement.kind) {
    case "const":
      return [...(statement.type === undefined ? [] : [statement.type]), ...importsOf(statement.value)];
    case "run":
      return importsOf(statement.value);
    case "each":
      return importsOf(statement.body);
    case "note":
      return [];
  }
}

function statementText(statement: Statement): string {
  const comment = statement.comment === undefined ? "" : `// ${inComment(statement.comment)}\n`;
  switch (statement.kind) {
    case "const": {
      const type = statement.type === undefined ? "" : `: ${statement.type.name}`;
      const start = `${statement.exported ? "export " : ""}const ${statement.name}${type} = `;
      return `${comment}${start}${printCode(statement.value, start)};`;
    }
    case "run":
      return `${comment}${printCode(statement.value)};`;
    case "each": {
      const start = `for (const [${statement.names.join(", ")}] of Object.entries(${statement.of})) {`;
      return `${comment}${start}\n  ${printCode(statement.body, "  ")};\n}`;
    }
    case "note":
      return `// ${inComment(statement.text)}`;
  }
}

const NAMESPACES: Readonly<Record<string, string>> = { "@pulumi/pulumi": "pulumi" };

/** Packages first, and one line per file of the program. */
function importLines(imports: readonly Import[]): string[] {
  const bySource = new Map<string, Map<string, Import>>();
  for (const one of imports) {
    const names = bySource.get(one.from) ?? new Map<string, Import>();
    bySource.set(one.from, names.set(one.name, one));
  }
  const sources = [...bySource.keys()].sort(
    (a, b) => Number(a.startsWith(".")) - Number(b.startsWith(".")) || compare(a, b),
  );
  return sources.map((from) => importLine(from, [...(bySource.get(from)?.values() ?? [])]));
}

function importLine(from: string, names: readonly Import[]): string {
  const namespace = NAMESPACES[from];
  if (namespace !== undefined) return `import * as ${namespace} from ${JSON.stringify(from)};`;
  const sorted = [...names].sort((a, b) => compare(a.name, b.name));
  const onlyTypes = sorted.every(({ type }) => type === true);
  const start = onlyTypes ? "import type" : "import";
  const texts = sorted.map(({ name, type }) => (type === true && !onlyTypes ? `type ${name}` : name));
  const line = `${start} { ${texts.join(", ")} } from ${JSON.stringify(from)};`;
  return line.length <= PRINT_WIDTH
    ? line
    : `${start} {\n${texts.map((text) => `  ${text},\n`).join("")}} from ${JSON.stringify(from)};`;
}

/** By code units, so that the order does not depend on the locale. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

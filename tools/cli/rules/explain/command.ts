import { isError, type LocatedFinding, type Plan, type Slot } from "../../../../core/language/index.js";
import { requirePhase } from "../../phase.js";
import { explain, type Explanation } from "../../../rules-files/explain/explanation.js";
import type { UsedName } from "../../../rules-files/explain/uses.js";
import type { Explained } from "../../../rules-files/explain/words.js";

export interface ExplainCommand {
  readonly slot?: Slot;
  readonly phase?: string;
  readonly plan?: Plan;
  readonly json?: boolean;
}

/** Explains an expression, and returns the exit code: 2 when the service would reject it. */
export function runExplain(text: string, options: ExplainCommand, print: (line: string) => void): 0 | 2 {
  if (options.phase !== undefined) requirePhase(options.phase);
  const found = explain(text, options);
  print(options.json === true ? JSON.stringify(found, undefined, 2) : render(found));
  return found.findings.some(isError) ? 2 : 0;
}

const KINDS = { filter: "filter", counting: "counting expression", value: "value expression" } as const;

function render({ kind, tree, uses, normalForm: normal, findings }: Explanation): string {
  return [
    ...(tree === undefined
      ? []
      : [`${kind === "value" ? "The value is" : "Matches when"} ${treeLines(tree).join("\n")}`]),
    ...(uses === undefined ? [] : [...table("Fields", uses.fields), ...table("Functions", uses.functions)]),
    ...(uses === undefined || uses.lists.length === 0
      ? []
      : [`Lists: ${uses.lists.map((name) => `$${name}`).join(", ")}`]),
    ...(normal === undefined ? [] : [`Normal form:\n  ${normal}`]),
    ...findings.map(shown),
    findings.some(isError)
      ? `The service rejects this as a ${KINDS[kind]}.`
      : `This is a valid ${KINDS[kind]}${findings.length === 0 ? "" : ", with warnings"}.`,
  ].join("\n\n");
}

/** An explained expression, a line for each part. */
function treeLines({ words, type, parts }: Explained): string[] {
  const own = type === undefined || type === "Boolean" ? words : `${words}  [${type}]`;
  return [
    own,
    ...parts.flatMap((part) => treeLines(part).map((line, index) => `  ${index === 0 ? "- " : "  "}${line}`)),
  ];
}

function table(title: string, names: readonly UsedName[]): string[] {
  if (names.length === 0) return [];
  const width = Math.max(...names.map(({ name }) => name.length));
  const rows = names.map(({ name, type, about, notes }) => {
    const after = notes.map((note) => `\n  ${" ".repeat(width)}  ${note}`).join("");
    return `  ${name.padEnd(width)}  ${type}: ${about}${after}`;
  });
  return [[`${title}:`, ...rows].join("\n")];
}

function shown({ code, severity, message, line, column, excerpt }: LocatedFinding): string {
  const head = `${severity}[${code}] ${String(line)}:${String(column)}: ${message}`;
  return `${head}\n${excerpt.replace(/^/gm, "  ")}`;
}

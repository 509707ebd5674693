import {
  analyse,
  normalForm,
  parseExpression,
  printExpression,
  type CheckOptions,
  type LocatedFinding,
  type Plan,
  type Slot,
} from "../../../language/index.js";
import { explainCondition, explainValue, type Explained } from "./words.js";
import { namesUsed, type NamesUsed, type UsedName } from "./uses.js";
import { requirePhase } from "../../phase.js";

export interface ExplainCommand {
  readonly slot?: Slot;
  readonly phase?: string;
  readonly plan?: Plan;
  readonly json?: boolean;
}

interface Explanation {
  readonly expression: string;
  readonly kind: Slot;
  /** Missing if the expression cannot be parsed. */
  readonly tree?: Explained;
  readonly uses?: NamesUsed;
  /** Equal for expressions that differ only in form. */
  readonly normalForm?: string;
  readonly errors: readonly LocatedFinding[];
  readonly warnings: readonly LocatedFinding[];
}

/** Explains an expression, and returns the exit code: 2 when the service would reject it. */
export function runExplain(text: string, options: ExplainCommand, print: (line: string) => void): 0 | 2 {
  if (options.phase !== undefined) requirePhase(options.phase);
  const found = explain(text, options);
  print(options.json === true ? JSON.stringify(found, undefined, 2) : render(found));
  return found.errors.length === 0 ? 0 : 2;
}

function explain(text: string, { slot, phase, plan }: ExplainCommand): Explanation {
  const kind = slot ?? guessSlot(text);
  const options: CheckOptions = { slot: kind, phase, plan };
  const { expression, errors, warnings } = analyse(text, options);
  if (expression === undefined) return { expression: text, kind, errors, warnings };
  const isFilter = expression.kind === "filter";
  return {
    expression: text,
    kind,
    tree: isFilter ? explainCondition(expression.condition) : explainValue(expression.operand),
    uses: namesUsed(expression),
    normalForm: errors.length > 0 ? undefined : isFilter ? normalForm(text) : printExpression(expression),
    errors,
    warnings,
  };
}

/** Text that is not a filter but parses as a value is treated as a value. */
function guessSlot(text: string): Slot {
  const { expression, errors } = analyse(text, { slot: "filter" });
  if (expression !== undefined && errors.length === 0) return "filter";
  const value = analyse(text, { slot: "value" });
  return "fault" in parseExpression(text, "value") || value.errors.length > 0 ? "filter" : "value";
}

const KINDS = { filter: "filter", counting: "counting expression", value: "value expression" } as const;

function render({ kind, tree, uses, normalForm: normal, errors, warnings }: Explanation): string {
  const findings = [...errors.map((one) => shown("error", one)), ...warnings.map((one) => shown("warning", one))];
  const isValid = errors.length === 0;
  return [
    ...(tree === undefined ? [] : [`${kind === "value" ? "The value is" : "Matches when"} ${lines(tree).join("\n")}`]),
    ...(uses === undefined ? [] : [...table("Fields", uses.fields), ...table("Functions", uses.functions)]),
    ...(uses === undefined || uses.lists.length === 0
      ? []
      : [`Lists: ${uses.lists.map((name) => `$${name}`).join(", ")}`]),
    ...(normal === undefined ? [] : [`Normal form:\n  ${normal}`]),
    ...findings,
    isValid
      ? `This is a valid ${KINDS[kind]}${warnings.length === 0 ? "" : ", with warnings"}.`
      : `The service rejects this as a ${KINDS[kind]}.`,
  ].join("\n\n");
}

function lines({ words, type, parts }: Explained): string[] {
  const own = type === undefined || type === "Boolean" ? words : `${words}  [${type}]`;
  return [own, ...parts.flatMap((part) => lines(part).map((line, index) => `  ${index === 0 ? "- " : "  "}${line}`))];
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

function shown(level: string, { check, message, line, column, excerpt }: LocatedFinding): string {
  const head = `${level}[${check}] ${String(line)}:${String(column)}: ${message}`;
  return `${head}\n${excerpt.replace(/^/gm, "  ")}`;
}

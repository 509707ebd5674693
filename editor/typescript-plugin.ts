import type ts from "typescript";
import type { Level } from "../rules-files/check/finding.js";
import { completionsAt, type Completion } from "./completion.js";
import { diagnosticsOf, type Diagnostic } from "./diagnostics.js";
import { EditedDocument, kindOf } from "./edited-document.js";
import { titleOf } from "./edits.js";
import { hoverAt } from "./hover.js";

/** TypeScript knows findings by a number, which no finding of its own has. */
export const CODE = 7_501_001;

/** TypeScript's finding about a string that is none of the expected ones, with the one that is most like it. It has no fix. */
const MISSPELLED = 2820;

type Typescript = typeof ts;
type Service = ts.LanguageService;

/** The entry point of the plugin: what TypeScript's server calls for each project that names it. */
export function init({ typescript }: { readonly typescript: Typescript }): ts.server.PluginModule {
  return { create: (info) => decorated(typescript, info.languageService) };
}

/** The language service of a project, which knows the expressions in its programs as well. */
function decorated(typescript: Typescript, service: Service): Service {
  const programs = new Programs(service);
  return { ...service, ...overrides(typescript, service, programs) };
}

/** The programs that were asked about last, each as long as its text stays the same. */
class Programs {
  private readonly known = new Map<string, EditedDocument | undefined>();

  constructor(private readonly service: Service) {}

  find(fileName: string): EditedDocument | undefined {
    const text = this.service.getProgram()?.getSourceFile(fileName)?.text ?? "";
    const known = this.known.get(fileName);
    if (known?.text === text) return known;
    const document = kindOf(fileName, text) === "program" ? new EditedDocument(fileName, text, "program") : undefined;
    this.known.set(fileName, document);
    return document;
  }

  diagnostics(fileName: string): readonly Diagnostic[] {
    const document = this.find(fileName);
    return document === undefined ? [] : diagnosticsOf(document, { now: new Date().toISOString() });
  }
}

function overrides(typescript: Typescript, service: Service, programs: Programs): Partial<Service> {
  return {
    getSemanticDiagnostics: (fileName) => {
      const file = service.getProgram()?.getSourceFile(fileName);
      const own = programs.diagnostics(fileName).map((one) => toTypescript(typescript, file, one));
      return [...service.getSemanticDiagnostics(fileName), ...own];
    },
    getQuickInfoAtPosition: (fileName, position, ...others) => {
      const document = programs.find(fileName);
      const found = document === undefined ? undefined : hoverAt(document, position);
      if (found === undefined) return service.getQuickInfoAtPosition(fileName, position, ...others);
      return {
        kind: typescript.ScriptElementKind.string,
        kindModifiers: "",
        textSpan: { start: found.span.start, length: found.span.end - found.span.start },
        documentation: [{ kind: "text", text: found.text }],
      };
    },
    getCompletionsAtPosition: (fileName, position, ...others) => {
      const document = programs.find(fileName);
      const { span, items } =
        document === undefined ? { span: undefined, items: [] } : completionsAt(document, position);
      if (span === undefined || items.length === 0)
        return service.getCompletionsAtPosition(fileName, position, ...others);
      const replacementSpan = { start: span.start, length: span.end - span.start };
      const entries = items.map((item) => ({ ...entryOf(typescript, item), replacementSpan }));
      return { isGlobalCompletion: false, isMemberCompletion: false, isNewIdentifierLocation: false, entries };
    },
    getCodeFixesAtPosition: (fileName, start, end, errorCodes, ...others) => {
      const own = programs.diagnostics(fileName).filter(({ span }) => span.start <= end && start <= span.end);
      const theirs = errorCodes.filter((code) => code !== CODE);
      const fixes = theirs.length === 0 ? [] : service.getCodeFixesAtPosition(fileName, start, end, theirs, ...others);
      const isMisspelled = theirs.includes(MISSPELLED) && programs.find(fileName) !== undefined;
      const spelled = isMisspelled ? spellingsAt(typescript, service, fileName, start) : [];
      return [...fixes, ...[...own, ...spelled].flatMap((one) => fixesFor(fileName, one))];
    },
    getSupportedCodeFixes: (fileName) => [...service.getSupportedCodeFixes(fileName), String(CODE), String(MISSPELLED)],
  };
}

function toTypescript(typescript: Typescript, file: ts.SourceFile | undefined, found: Diagnostic): ts.Diagnostic {
  const categories: Readonly<Record<Level, ts.DiagnosticCategory>> = {
    error: typescript.DiagnosticCategory.Error,
    warning: typescript.DiagnosticCategory.Warning,
    note: typescript.DiagnosticCategory.Suggestion,
  };
  const { span, level, name, message } = found;
  return {
    category: categories[level],
    code: CODE,
    source: "pulumi-rulesets",
    file,
    start: span.start,
    length: span.end - span.start,
    messageText: name === undefined ? message : `${message} [${name}]`,
  };
}

function entryOf(typescript: Typescript, { label, kind, snippet, isLast = false }: Completion): ts.CompletionEntry {
  const kinds: Readonly<Record<Completion["kind"], ts.ScriptElementKind>> = {
    field: typescript.ScriptElementKind.memberVariableElement,
    function: typescript.ScriptElementKind.functionElement,
    operator: typescript.ScriptElementKind.keyword,
    keyword: typescript.ScriptElementKind.keyword,
    list: typescript.ScriptElementKind.constElement,
    value: typescript.ScriptElementKind.string,
  };
  const insertText = snippet?.replace(/\$0.*$/, "").replaceAll("\\$", "$");
  return {
    name: label,
    kind: kinds[kind],
    sortText: isLast ? "1" : "0",
    ...(insertText === undefined ? {} : { insertText }),
  };
}

/** What TypeScript says to write in place of the string of a property, such as a misspelled phase. */
function spellingsAt(typescript: Typescript, service: Service, fileName: string, start: number): readonly Mendable[] {
  const file = service.getProgram()?.getSourceFile(fileName);
  const found = service.getSemanticDiagnostics(fileName).find((one) => one.code === MISSPELLED && one.start === start);
  if (file === undefined || found === undefined) return [];
  const message = typescript.flattenDiagnosticMessageText(found.messageText, "\n");
  const instead = message.match(/"[^"]*"/g)?.at(-1);
  const literal = stringOfProperty(typescript, file, start);
  if (instead === undefined || literal === undefined) return [];
  const span = { start: literal.getStart(file) + 1, end: literal.getEnd() - 1 };
  return [{ edit: { span, text: instead.slice(1, -1) } }];
}

/** The string that the property at a position has. */
function stringOfProperty(typescript: Typescript, file: ts.SourceFile, start: number): ts.Node | undefined {
  const search = (node: ts.Node): ts.Node | undefined => {
    if (typescript.isPropertyAssignment(node) && node.name.getStart(file) === start)
      return typescript.isStringLiteralLike(node.initializer) ? node.initializer : undefined;
    return node.pos <= start && start < node.end ? typescript.forEachChild(node, search) : undefined;
  };
  return search(file);
}

type Mendable = Pick<Diagnostic, "edit">;

function fixesFor(fileName: string, { edit }: Mendable): readonly ts.CodeFixAction[] {
  if (edit === undefined) return [];
  const { span, text } = edit;
  const textChanges = [{ span: { start: span.start, length: span.end - span.start }, newText: text }];
  return [{ fixName: "rulesets", description: titleOf(edit), changes: [{ fileName, textChanges }] }];
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { Argument, Description, Input } from "../../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../../provider/kinds/descriptions.js";
import { RULE_FIELDS } from "../../../provider/kinds/ruleset-rule/description.js";

/* The comments of a resource's class say the same as the description of its kind. */

const folder = join(__dirname, "..", "..", "..", "provider", "resources");
const sources = readdirSync(folder)
  .filter((name) => name.endsWith(".ts"))
  .map((name) => ts.createSourceFile(name, readFileSync(join(folder, name), "utf8"), ts.ScriptTarget.Latest, true));
type Declaration = ts.InterfaceDeclaration | ts.ClassDeclaration;
const declarations = new Map<string, Declaration>(
  sources.flatMap(({ statements }) =>
    statements
      .filter((node) => ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node))
      .map((node) => [node.name?.text ?? "", node] as const),
  ),
);

/** A comment as one line, with its default. */
function textOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  const text = ts.getTextOfJSDocComment(comment?.comment) ?? "";
  const value = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === "default");
  const otherwise = ts.getTextOfJSDocComment(value?.comment);
  return oneLine(otherwise === undefined ? text : `${text} @default ${otherwise}`);
}

function oneLine(text: string): string {
  return text
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim();
}

/** The comments of the properties of an interface or a class and of those that it extends. */
function comments(name: string): Map<string, string> {
  const declaration = declarations.get(name);
  const parents = (declaration?.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.expression));
  const inherited = parents.flatMap((parent) => [...comments(parent.getText())]);
  const own = [...(declaration?.members ?? [])].flatMap((member) =>
    (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member)) && ts.isIdentifier(member.name)
      ? [[member.name.text, textOf(member)] as const]
      : [],
  );
  return new Map([...inherited, ...own]);
}

const FIELDS: readonly string[] = Object.keys(RULE_FIELDS);

function argumentText({ text, default: value, otherwise }: Argument): string {
  const applies = otherwise ?? (value === undefined ? undefined : JSON.stringify(value));
  return applies === undefined ? text : `${text} @default ${applies}`;
}

describe.each(DESCRIPTIONS.map((description): [string, Description] => [description.type, description]))(
  "%s",
  (type, description) => {
    test("the class has the text of the kind", () => {
      expect(textOf(declarations.get(type) as ts.Node)).toBe(description.text);
    });

    test("every argument has its text and its default", () => {
      // The arguments of a rule are its own, and those of a rule in a list.
      const found = comments(/Ruleset|PhaseEntrypoint/.test(type) ? `${type}Settings` : `${type}Args`);
      const own = Object.entries(description.arguments).filter(
        ([name]) => !FIELDS.includes(name) || type !== "RulesetRule",
      );
      expect(Object.fromEntries(own.map(([name]) => [name, found.get(name)]))).toEqual(
        Object.fromEntries(own.map(([name, argument]) => [name, argumentText(argument)])),
      );
    });

    test("every output has its text; one that is as declared may leave it to the argument", () => {
      const found = comments(type);
      const inputs: Readonly<Record<string, Input>> = { ...description.arguments, ...description.checked };
      const shown = Object.entries(inputs).filter(([, { output }]) => output === true);
      const results = Object.entries(description.outputs).filter(([name]) => !name.startsWith("__"));
      const texts = [...shown, ...results].map(([name, { text, outputText }]: [string, Input]) => [
        name,
        found.get(name) === "" && outputText === undefined && description.arguments[name] !== undefined
          ? ""
          : (outputText ?? text),
      ]);
      expect(Object.fromEntries(texts.map(([name]) => [name, found.get(name ?? "")]))).toEqual(
        Object.fromEntries(texts),
      );
    });
  },
);

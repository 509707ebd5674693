import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import * as api from "../../../provider/index.js";
import type { Description } from "../../../provider/engine/description.js";
import { DESCRIPTIONS } from "../../../provider/kinds/descriptions.js";

/* The comments of a resource's class say the same as the description of its kind. */

const folder = join(__dirname, "..", "..", "..", "provider", "sdk", "resources");
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

/** A comment as one line. */
function textOf(node: ts.Node): string {
  const [comment] = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc);
  return (ts.getTextOfJSDocComment(comment?.comment) ?? "")
    .replace(/\{@link (\w+)\}/g, "`$1`")
    .replace(/\s+/g, " ")
    .trim();
}

/** Classes that are written by hand: the others are generated from the descriptions. */
const WRITTEN: readonly Description[] = DESCRIPTIONS.filter((description) => description.class === undefined);

test.each(WRITTEN.map((description) => [description.type, description.text]))(
  "the class %s has the text of its kind",
  (type, text) => {
    expect(textOf(declarations.get(type) as ts.Node)).toBe(text);
  },
);

test("programs can import a class for every kind", () => {
  const classes = api as unknown as Readonly<Record<string, { readonly __pulumiType?: string } | undefined>>;
  for (const { type } of DESCRIPTIONS)
    expect(classes[type]?.__pulumiType).toBe(`pulumi-nodejs:dynamic/rulesets:${type}`);
});

// From the JSON Schema of a kind of files, which editors know: a module with the compiled schema, and the TypeScript type of a valid
// file. Compiled here, no run loads the compiler, and a page that forbids the making of code can read files too.
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";

const pascalCase = (name) => name.replace(/(?:^|-)(\w)/g, (_, letter) => letter.toUpperCase());
const nameIn = (ref) => ref.split("/").pop();

/** The schema without references, so that the path of a fault names the alternative that it is in. */
function inlined(node, definitions) {
  if (Array.isArray(node)) return node.map((item) => inlined(item, definitions));
  if (typeof node !== "object" || node === null) return node;
  const { $ref, definitions: _, ...own } = node;
  const parts = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, inlined(value, definitions)]));
  return $ref === undefined ? parts : { ...inlined(definitions[nameIn($ref)], definitions), ...parts };
}

/** The type of a valid value. */
function typeOf(node, name) {
  if (node.$ref !== undefined) return name(nameIn(node.$ref));
  if (node.const !== undefined) return JSON.stringify(node.const);
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(" | ");
  const alternatives = node.oneOf ?? node.anyOf;
  if (node.type === undefined && alternatives !== undefined)
    return alternatives.map((one) => typeOf(one, name)).join(" | ");
  return [node.type ?? "any"]
    .flat()
    .map((type) => typeNamed(type, node, name))
    .join(" | ");
}

function typeNamed(type, node, name) {
  switch (type) {
    case "integer":
      return "number";
    case "array":
      return node.items === undefined ? "readonly unknown[]" : `readonly (${typeOf(node.items, name)})[]`;
    case "object":
      return objectType(node, name);
    case "any":
      return "unknown";
    default:
      return type;
  }
}

/** Whether alternatives of an object are only which one of its members it has. */
const isChoice = (alternatives) =>
  alternatives.every(({ type, required }) => type === undefined && required?.length === 1);

function objectType({ oneOf: alternatives = [], ...node }, name) {
  if (alternatives.length === 0 || !isChoice(alternatives)) return membersType(node, name);
  const names = alternatives.map(({ required: [one] }) => one);
  const types = names.map((chosen) => {
    const properties = Object.entries(node.properties).filter(([key]) => key === chosen || !names.includes(key));
    const none = names.filter((key) => key !== chosen).map((key) => `readonly ${JSON.stringify(key)}?: undefined;`);
    const own = { ...node, properties: Object.fromEntries(properties), required: [...(node.required ?? []), chosen] };
    return `(${membersType(own, name)} & { ${none.join(" ")} })`;
  });
  return types.join(" | ");
}

function membersType({ properties, required = [], additionalProperties: others = true }, name) {
  const more = typeof others === "object" ? typeOf(others, name) : "unknown";
  if (properties === undefined) return `Readonly<Record<string, ${more}>>`;
  const members = Object.entries(properties).map(
    ([key, node]) => `readonly ${JSON.stringify(key)}${required.includes(key) ? "" : "?"}: ${typeOf(node, name)};`,
  );
  return `{ ${members.join(" ")} }`;
}

/**
 * The module of a schema.
 * @param root the name of its type, such as `Waivers`
 */
export function schemaModule(header, root, schema) {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    unicode: false,
    logger: false,
    keywords: ["errorMessage"],
    code: { source: true },
  });
  const { definitions = {}, ...own } = schema;
  const source = standalone.default(ajv, ajv.compile(inlined(own, definitions)));
  const [head, compiled] = /^"use strict";module\.exports = (\w+);module\.exports\.default = \1;/.exec(source) ?? [""];
  const code = source.slice(head.length);
  if (compiled === undefined || /\brequire\(|module\.exports/.test(code))
    throw new Error(`the schema of ${root} compiles to a form that is not supported`);
  const types = Object.entries({ ...definitions, [root]: own }).map(
    ([name, node]) => `export type ${pascalCase(name)} = ${typeOf(node, pascalCase)};`,
  );
  return [
    "// @ts-nocheck",
    header,
    `import type { FileSchema } from "../file-schema.js";`,
    code,
    ...types,
    `export const schema: FileSchema<${pascalCase(root)}> = ${compiled};`,
    "",
  ].join("\n");
}

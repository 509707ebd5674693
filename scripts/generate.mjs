// Generates code from schema/rule.json: the TypeScript types of rules, once with plain values (the model) and once with
// pulumi.Input at every level (what programs write), and the compiled validator, so that no run has to compile it. `--check`
// compares instead of writing.
import { readFileSync, writeFileSync } from "node:fs";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { format, resolveConfig } from "prettier";

const schema = JSON.parse(readFileSync("schema/rule.json", "utf8"));
const phases = JSON.parse(readFileSync("schema/phases.json", "utf8"));
const definitions = schema.$defs;

const quoted = (values) => values.map((value) => JSON.stringify(value)).join(" | ");
const comment = (text) => `/** ${text} */`;

/** The TypeScript type of a schema; `wrap` decorates what may be an Input. */
function typeOf(node, wrap) {
  if (node.$ref !== undefined) return node.$ref.split("/").pop();
  if (node["x-known"] !== undefined) {
    return node.type === "string" ? `${quoted(node["x-known"])} | (string & {})` : "number";
  }
  switch (node.type) {
    case "string":
      return "string";
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `(${wrap(typeOf(node.items, wrap))})[]`;
    case "object": {
      const value = node.additionalProperties;
      return value === true || Object.keys(value).length === 0
        ? "Record<string, unknown>"
        : `Record<string, ${wrap(typeOf(value, wrap))}>`;
    }
    default:
      throw new Error(`no type for ${JSON.stringify(node)}`);
  }
}

function property(name, node, required, wrap) {
  const type = typeOf(node, wrap);
  const note = node.default === undefined ? node.description : `${node.description} @default ${node.default}`;
  return required
    ? `${comment(note)}\nreadonly ${name}: ${wrap(type)};`
    : `${comment(note)}\nreadonly ${name}?: ${wrap(`${type} | undefined`)};`;
}

function members(node, wrap) {
  const properties = Object.entries(node.properties);
  return properties.map(([key, value]) => property(key, value, node.required.includes(key), wrap)).join("\n");
}

function interfaces(wrap) {
  return Object.entries(definitions).map(
    ([name, node]) => `${comment(node.description)}\nexport interface ${name} {\n${members(node, wrap)}\n}`,
  );
}

/** Plain values are aliases: unlike interfaces, they are assignable to JSON. */
function aliases() {
  return Object.entries(definitions).map(
    ([name, node]) =>
      `${comment(node.description)}\nexport type ${name} = {\n${members(node, (type) => type).replaceAll("Record<string, unknown>", "JsonObject")}\n};`,
  );
}

const header = "// Generated from schema/ by `npm run generate`. Edit the schema instead.\n";
const names = [
  comment("Actions known today; others pass with a warning."),
  `export type Action = ${quoted(definitions.RulesetRule.properties.action["x-known"])};`,
  comment("Phases known today; others pass with a warning."),
  `export type Phase = ${quoted(Object.keys(phases))};`,
  comment("Kinds of rulesets that can be created."),
  `export type Kind = "custom" | "root" | "zone";`,
];

/** The validator as a module. It imports nothing from ajv except the function that counts characters. */
function validator() {
  const ajv = new Ajv({ allErrors: true, strict: false, code: { source: true } });
  const source = standalone.default(ajv, ajv.compile(schema));
  const [head, root] = /^"use strict";module\.exports = (\w+);module\.exports\.default = \1;/.exec(source) ?? [""];
  const code = source.slice(head.length).replace('require("ajv/dist/runtime/ucs2length").default', "ucs2length");
  if (root === undefined || /\brequire\(|module\.exports/.test(code))
    throw new Error("this version of ajv generates validators in a form that is not supported");
  return [
    "// @ts-nocheck",
    header,
    `import type { ErrorObject } from "ajv";`,
    `import ucs2length from "ajv/dist/runtime/ucs2length.js";`,
    code,
    comment("Whether a value has the shape of schema/rule.json; `errors` lists every error of the last call."),
    `export const validateRule: { (value: unknown): boolean; errors?: ErrorObject[] | null } = ${root};`,
    "",
  ].join("\n");
}

const files = {
  "provider/model/generated/rule.ts": [
    header,
    `import type { JsonObject } from "../json.js";`,
    ...names,
    ...aliases(),
  ].join("\n"),
  "provider/resources/generated/inputs.ts": [
    header,
    `import type { Input } from "@pulumi/pulumi";`,
    ...interfaces((type) => `Input<${type}>`),
  ].join("\n"),
  "provider/validation/generated/validate-rule.ts": validator(),
};

let stale = false;
for (const [path, source] of Object.entries(files)) {
  const options = await resolveConfig(path);
  const text = path.includes("validate") ? source : await format(source, { ...options, parser: "typescript" });
  if (!process.argv.includes("--check")) {
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${path} does not match schema/: run npm run generate`);
    stale = true;
  }
}
for (const path of ["schema/rule.json", "schema/actions.json", "schema/phases.json"]) {
  const options = await resolveConfig(path);
  if (!process.argv.includes("--check")) {
    writeFileSync(path, await format(readFileSync(path, "utf8"), { ...options, parser: "json" }));
  }
}
process.exitCode = stale ? 1 : 0;

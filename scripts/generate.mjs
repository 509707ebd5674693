// Writes the TypeScript types of rules from schema/rule.json: once with plain values (the model) and once with
// pulumi.Input at every level (what programs write). `--check` compares instead of writing.
import { readFileSync, writeFileSync } from "node:fs";
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

function interfaces(wrap) {
  return Object.entries(definitions).map(([name, node]) => {
    const members = Object.entries(node.properties).map(([key, value]) =>
      property(key, value, node.required.includes(key), wrap),
    );
    return `${comment(node.description)}\nexport interface ${name} {\n${members.join("\n")}\n}`;
  });
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

const files = {
  "provider/model/generated/rule.ts": [header, ...names, ...interfaces((type) => type)].join("\n"),
  "provider/resources/generated/inputs.ts": [
    header,
    `import type { Input } from "@pulumi/pulumi";`,
    ...interfaces((type) => `Input<${type}>`),
  ].join("\n"),
};

let stale = false;
for (const [path, source] of Object.entries(files)) {
  const options = await resolveConfig(path);
  const text = await format(source, { ...options, parser: "typescript" });
  if (!process.argv.includes("--check")) {
    writeFileSync(path, text);
  } else if (readFileSync(path, "utf8") !== text) {
    console.error(`${path} is not what schema/ says: run npm run generate`);
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

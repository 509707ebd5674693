import type { Description, Example, ExampleValue } from "../../engine/description.js";
import { ownValue } from "../../../core/model/json.js";
import { snakeCase } from "../../../core/model/shapes.js";
import { capital } from "../../../core/model/words.js";

/** The name of an enum by the argument that takes nothing else, for languages that then refuse a text. */
type Enums = Readonly<Record<string, string>>;

/** The example of a kind of resource in every language, as the package schema has them; empty for a kind without one. */
export function exampleText({ type, example }: Description, enums: Enums = {}): string {
  if (example === undefined) return "";
  const languages = [
    ["typescript", typescript(type, example)],
    ["python", python(type, example)],
    ["go", go(type, example, enums)],
    ["csharp", csharp(type, example, enums)],
    ["java", java(type, example, enums)],
    ["yaml", yaml(type, example)],
  ] as const;
  const blocks = languages.map(([language, code]) => `\`\`\`${language}\n${code}\n\`\`\``);
  return [
    "{{% examples %}}",
    "## Example Usage",
    "{{% example %}}",
    `### ${example.text}`,
    ...blocks,
    "{{% /example %}}",
    "{{% /examples %}}",
  ].join("\n\n");
}

const quoted = (text: string): string => JSON.stringify(text);
const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);
const isList = (value: ExampleValue): value is readonly ExampleValue[] => Array.isArray(value);

/** The name of an object's type in typed languages, by the property that holds it. */
const TYPES: Readonly<Record<string, string>> = { rules: "Rule", position: "RulePosition" };

function typescript(type: string, { name, args }: Example): string {
  const value = (of: ExampleValue): string => {
    if (isList(of)) return `[${of.map(value).join(", ")}]`;
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(([key, item]) => `    ${key}: ${indented(value(item), "    ")},`);
    return `{\n${lines.join("\n")}\n}`;
  };
  return `import * as rulesets from "@pulumi-rulesets/rulesets";\n\nnew rulesets.${type}(${quoted(name)}, ${value(args)});`;
}

function python(type: string, { name, args }: Example): string {
  const value = (of: ExampleValue): string => {
    if (isList(of)) return `[${of.map(value).join(", ")}]`;
    if (typeof of === "boolean") return of ? "True" : "False";
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(
      ([key, item]) => `    ${quoted(snakeCase(key))}: ${indented(value(item), "    ")},`,
    );
    return `{\n${lines.join("\n")}\n}`;
  };
  const lines = Object.entries(args).map(([key, item]) => `    ${snakeCase(key)}=${indented(value(item), "    ")},`);
  return `import pulumi_rulesets as rulesets\n\nrulesets.${type}(${quoted(name)},\n${lines.join("\n")}\n)`;
}

/** The value of an argument as a member of its enum, if it has one. */
function enumMember(
  enums: Enums,
  key: string,
  value: ExampleValue,
): { readonly type: string; readonly name: string } | undefined {
  const type = ownValue(enums, key);
  return type === undefined || typeof value !== "string" ? undefined : { type, name: capital(value) };
}

function go(type: string, { name, args }: Example, enums: Enums): string {
  const value = (key: string, of: ExampleValue): string => {
    const inner = TYPES[key];
    if (isList(of)) {
      const items = of.map((item) => `\t${indented(value(key, item), "\t")},`);
      return `rulesets.${inner ?? ""}Array{\n${items.join("\n")}\n}`;
    }
    const member = enumMember(enums, key, of);
    if (member !== undefined) return `rulesets.${member.type}${member.name}`;
    if (typeof of === "string") return `pulumi.String(${quoted(of)})`;
    if (typeof of === "number") return `pulumi.Float64(${String(of)})`;
    if (typeof of === "boolean") return `pulumi.Bool(${String(of)})`;
    const lines = Object.entries(of).map(
      ([field, item]) => `\t${capital(field)}: ${indented(value(field, item), "\t")},`,
    );
    return `&rulesets.${inner ?? type}Args{\n${lines.join("\n")}\n}`;
  };
  const call = `_, err := rulesets.New${type}(ctx, ${quoted(name)}, ${value("", args)})`;
  return [
    "package main",
    "",
    "import (",
    '\t"pulumi-rulesets.example/sdk/go/rulesets"',
    '\t"github.com/pulumi/pulumi/sdk/v3/go/pulumi"',
    ")",
    "",
    "func main() {",
    "\tpulumi.Run(func(ctx *pulumi.Context) error {",
    `\t\t${indented(call, "\t\t")}`,
    "\t\treturn err",
    "\t})",
    "}",
  ].join("\n");
}

function csharp(type: string, { name, args }: Example, enums: Enums): string {
  const value = (key: string, of: ExampleValue): string => {
    if (isList(of)) return `new[]\n{\n${of.map((item) => `    ${indented(value(key, item), "    ")},`).join("\n")}\n}`;
    const member = enumMember(enums, key, of);
    if (member !== undefined) return `Rulesets.${member.type}.${member.name}`;
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(
      ([field, item]) => `    ${capital(field)} = ${indented(value(field, item), "    ")},`,
    );
    return `new Rulesets.Inputs.${TYPES[key] ?? type}Args\n{\n${lines.join("\n")}\n}`;
  };
  const lines = Object.entries(args).map(
    ([key, item]) => `        ${capital(key)} = ${indented(value(key, item), "        ")},`,
  );
  return [
    "using Pulumi;",
    "using Rulesets = Pulumi.Rulesets;",
    "",
    "return await Deployment.RunAsync(() =>",
    "{",
    `    new Rulesets.${type}(${quoted(name)}, new()`,
    "    {",
    ...lines,
    "    });",
    "});",
  ].join("\n");
}

function java(type: string, { name, args }: Example, enums: Enums): string {
  const home = "io.github.pulumirulesets.rulesets";
  const imports = new Set(["com.pulumi.Pulumi", `${home}.${type}`, `${home}.${type}Args`]);
  const value = (key: string, of: ExampleValue): string => {
    if (isList(of)) return of.map((item) => value(key, item)).join(", ");
    const member = enumMember(enums, key, of);
    if (member !== undefined) {
      imports.add(`${home}.enums.${member.type}`);
      return `${member.type}.${member.name}`;
    }
    if (typeof of === "number") return Number.isInteger(of) ? `${String(of)}.0` : String(of);
    if (typeof of !== "object") return JSON.stringify(of);
    const inner = `${TYPES[key] ?? type}Args`;
    imports.add(`${home}.inputs.${inner}`);
    return built(inner, of);
  };
  const built = (builder: string, fields: Readonly<Record<string, ExampleValue>>): string => {
    const calls = Object.entries(fields).map(([key, item]) => `    .${key}(${indented(value(key, item), "    ")})`);
    return [`${builder}.builder()`, ...calls, "    .build()"].join("\n");
  };
  const call = `new ${type}(${quoted(name)}, ${built(`${type}Args`, args)});`;
  return [
    ...[...imports].sort().map((imported) => `import ${imported};`),
    "",
    "public class App {",
    "    public static void main(String[] args) {",
    "        Pulumi.run(ctx -> {",
    `            ${indented(call, "            ")}`,
    "        });",
    "    }",
    "}",
  ].join("\n");
}

function yaml(type: string, { name, args }: Example): string {
  const value = (of: ExampleValue, by: string): string => {
    if (isList(of)) return of.map((item) => `\n${by}- ${value(item, `${by}  `).trimStart()}`).join("");
    if (typeof of !== "object") return ` ${JSON.stringify(of)}`;
    return Object.entries(of)
      .map(([key, item]) => `\n${by}${key}:${value(item, `${by}  `)}`)
      .join("");
  };
  return `resources:\n  ${name}:\n    type: rulesets:${type}\n    properties:${value(args, "      ")}`;
}

/** Arguments of an example: plain values, and names of variables where a program would have them. */
type Value = string | number | boolean | readonly Value[] | { readonly [Name in string]: Value };

interface Example {
  /** The resource's name in the program. */
  readonly name: string;
  readonly text: string;
  readonly args: Readonly<Record<string, Value>>;
}

const ZONE = "0123456789abcdef0123456789abcdef";

/** An example of each kind of resource, by type. */
const EXAMPLES: Readonly<Record<string, Example>> = {
  PhaseEntrypoint: {
    name: "firewall",
    text: "The custom rules of a zone",
    args: {
      zoneId: ZONE,
      phase: "http_request_firewall_custom",
      rules: [{ ref: "block-admin", action: "block", expression: 'http.request.uri.path eq "/admin"' }],
    },
  },
  Ruleset: {
    name: "shared",
    text: "A custom ruleset of an account, for zones to execute",
    args: {
      accountId: ZONE,
      kind: "custom",
      name: "Shared rules",
      phase: "http_request_firewall_custom",
      rules: [{ ref: "block-bots", action: "block", expression: "cf.client.bot" }],
    },
  },
  RulesetRule: {
    name: "maintenance",
    text: "One rule beside those of others",
    args: {
      zoneId: ZONE,
      phase: "http_request_firewall_custom",
      action: "managed_challenge",
      expression: 'http.host eq "shop.example.com"',
      position: { index: 1 },
    },
  },
  ZoneWafMigration: {
    name: "migration",
    text: "The migration of a zone from the previous WAF",
    args: { zoneId: ZONE, mode: "validation" },
  },
  CustomHostnameCa: {
    name: "hostname",
    text: "The authority of a custom hostname",
    args: { zoneId: ZONE, hostname: "app.customer.example", certificateAuthority: "google" },
  },
  CustomHostnameCertificate: {
    name: "certificate",
    text: "A wait for the certificate of a custom hostname",
    args: { zoneId: ZONE, customHostnameId: "0d89c70d-ad9f-4843-b99f-6cc0252067e9" },
  },
  TotalTlsCa: {
    name: "total-tls",
    text: "The authority of a zone's Total TLS",
    args: { zoneId: ZONE, certificateAuthority: "google" },
  },
};

/** The example of a kind of resource in every language, as the package schema has them; empty for a kind without one. */
export function exampleText(type: string): string {
  const example = EXAMPLES[type];
  if (example === undefined) return "";
  const languages = [
    ["typescript", typescript(type, example)],
    ["python", python(type, example)],
    ["go", go(type, example)],
    ["csharp", csharp(type, example)],
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
const pascal = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const indented = (text: string, by: string): string => text.replaceAll("\n", `\n${by}`);
const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

/** The name of an object's type in typed languages, by the property that holds it. */
const TYPES: Readonly<Record<string, string>> = { rules: "Rule", position: "RulePosition" };

function typescript(type: string, { name, args }: Example): string {
  const value = (of: Value): string => {
    if (isList(of)) return `[${of.map(value).join(", ")}]`;
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(([key, item]) => `    ${key}: ${indented(value(item), "    ")},`);
    return `{\n${lines.join("\n")}\n}`;
  };
  return `import * as rulesets from "@pulumi-rulesets/rulesets";\n\nnew rulesets.${type}(${quoted(name)}, ${value(args)});`;
}

function python(type: string, { name, args }: Example): string {
  const value = (of: Value): string => {
    if (isList(of)) return `[${of.map(value).join(", ")}]`;
    if (typeof of === "boolean") return of ? "True" : "False";
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(
      ([key, item]) => `    ${quoted(snake(key))}: ${indented(value(item), "    ")},`,
    );
    return `{\n${lines.join("\n")}\n}`;
  };
  const lines = Object.entries(args).map(([key, item]) => `    ${snake(key)}=${indented(value(item), "    ")},`);
  return `import pulumi_rulesets as rulesets\n\nrulesets.${type}(${quoted(name)},\n${lines.join("\n")}\n)`;
}

function go(type: string, { name, args }: Example): string {
  const value = (key: string, of: Value): string => {
    const inner = TYPES[key];
    if (isList(of)) {
      const items = of.map((item) => `\t${indented(value(key, item), "\t")},`);
      return `rulesets.${inner ?? ""}Array{\n${items.join("\n")}\n}`;
    }
    if (typeof of === "string") return `pulumi.String(${quoted(of)})`;
    if (typeof of === "number") return `pulumi.Float64(${String(of)})`;
    if (typeof of === "boolean") return `pulumi.Bool(${String(of)})`;
    const lines = Object.entries(of).map(
      ([field, item]) => `\t${pascal(field)}: ${indented(value(field, item), "\t")},`,
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

function csharp(type: string, { name, args }: Example): string {
  const value = (key: string, of: Value): string => {
    if (isList(of)) return `new[]\n{\n${of.map((item) => `    ${indented(value(key, item), "    ")},`).join("\n")}\n}`;
    if (typeof of !== "object") return JSON.stringify(of);
    const lines = Object.entries(of).map(
      ([field, item]) => `    ${pascal(field)} = ${indented(value(field, item), "    ")},`,
    );
    return `new Rulesets.Inputs.${TYPES[key] ?? type}Args\n{\n${lines.join("\n")}\n}`;
  };
  const lines = Object.entries(args).map(
    ([key, item]) => `        ${pascal(key)} = ${indented(value(key, item), "        ")},`,
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

function yaml(type: string, { name, args }: Example): string {
  const value = (of: Value, by: string): string => {
    if (isList(of)) return of.map((item) => `\n${by}- ${value(item, `${by}  `).trimStart()}`).join("");
    if (typeof of !== "object") return ` ${JSON.stringify(of)}`;
    return Object.entries(of)
      .map(([key, item]) => `\n${by}${key}:${value(item, `${by}  `)}`)
      .join("");
  };
  return `resources:\n  ${name}:\n    type: rulesets:${type}\n    properties:${value(args, "      ")}`;
}

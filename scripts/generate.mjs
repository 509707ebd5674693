// Generates code from schema/rule.json: the TypeScript types of rules, once with plain values (the model) and once with
// pulumi.Input at every level (what programs write), and the compiled validator, so that no run has to compile it. From the
// descriptions of the kinds: the resource classes, and the package schema of the provider plugin. From docs/findings.md: the names of
// findings. In docs/, from schema/refusals.json: the list in errors.md; from the help of the commands: their exit codes in commands.md;
// from the settings: the table in configuration.md. `--check` compares instead of writing.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { format } from "oxfmt";
import { schemaModule } from "./file-schemas.mjs";
import { resourceTypes } from "./resource-types.mjs";
import { loadModule } from "./typescript-modules.mjs";

const { infoOf } = loadModule("provider/border/grpc/package-info.ts");
const { GROUPS } = loadModule("emulator/groups.ts");
const { seedSchema } = loadModule("emulator/seed.ts");
const { createProgram } = loadModule("tools/cli/program.ts");
const { SETTINGS } = loadModule("core/model/settings.ts");
const { readRecordings, recordedOn } = loadModule("tools/cli/verify/recorded.ts");
const { wholeSchema } = loadModule("provider/border/grpc/whole-schema.ts");

const own = JSON.parse(readFileSync("package.json", "utf8"));
const schema = JSON.parse(readFileSync("schema/rule.json", "utf8"));
const phases = JSON.parse(readFileSync("schema/phases.json", "utf8"));
const actions = JSON.parse(readFileSync("schema/actions.json", "utf8"));
const definitions = schema.$defs;
definitions.RulesetRuleActionParameters.properties.phases.items["x-known"] = Object.keys(phases);

/** Phases without rulesets of their own, between which the others run. */
const WITHOUT_RULESETS = JSON.parse(readFileSync("schema/phases-without-rulesets.json", "utf8"));

/** The phases that have a place in an order, in that order. */
const ordered = (order) =>
  Object.entries({ ...phases, ...WITHOUT_RULESETS })
    .filter(([, phase]) => phase[order] !== undefined)
    .sort(([, a], [, b]) => a[order] - b[order])
    .map(([name]) => name);

const quoted = (values) => values.map((value) => JSON.stringify(value)).join(" | ");
const comment = (text) => `/** ${text} */`;
const asInput = (type) => `Input<${type}>`;

/** What programs write, and what the service does: the names of fields, and so of the types that have them. */
const ours = { typeName: (name) => name, fieldName: (name) => name, fields: () => true };
const service = {
  typeName: (name) => (differs(name) ? `Wire${name}` : name),
  fieldName: (name, node) => node["x-wire"] ?? snakeCase(name),
  // Where the service may have fields that are newer than the schema, a program has them in `wire`.
  fields: (name) => name !== "wire",
};
/** The model of a program's rules, in which `check` has dropped what only the service sets. */
const model = { ...ours, fields: (_name, node) => node.readOnly !== true };

const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const referenceIn = (node) => (node.$ref ?? node.items?.$ref ?? node.additionalProperties?.$ref)?.split("/").pop();

/** Whether a definition is spelled differently by the service, itself or in its parts. */
function differs(name) {
  return Object.entries(definitions[name].properties).some(([field, node]) => {
    const inside = referenceIn(node);
    return field === "wire" || service.fieldName(field, node) !== field || (inside !== undefined && differs(inside));
  });
}

/** The TypeScript type of a schema; `wrap` decorates what may be an Input. */
function typeOf(node, spelling, wrap) {
  if (node.$ref !== undefined) return spelling.typeName(node.$ref.split("/").pop());
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
      return `(${wrap(typeOf(node.items, spelling, wrap))})[]`;
    case "object": {
      const value = node.additionalProperties;
      return value === true || Object.keys(value).length === 0
        ? "Record<string, unknown>"
        : `Record<string, ${wrap(typeOf(value, spelling, wrap))}>`;
    }
    default:
      throw new Error(`no type for ${JSON.stringify(node)}`);
  }
}

function property(name, node, required, spelling, wrap) {
  const type = typeOf(node, spelling, wrap);
  const field = spelling.fieldName(name, node);
  const key = /^\w+$/.test(field) ? field : JSON.stringify(field);
  const note = node.default === undefined ? node.description : `${node.description} @default ${node.default}`;
  return required
    ? `${comment(note)}\nreadonly ${key}: ${wrap(type)};`
    : `${comment(note)}\nreadonly ${key}?: ${wrap(`${type} | undefined`)};`;
}

function members(node, spelling, wrap) {
  return Object.entries(node.properties)
    .filter(([key, value]) => spelling.fields(key, value))
    .map(([key, value]) => property(key, value, node.required.includes(key), spelling, wrap))
    .join("\n");
}

/** The definitions with a type of their own in a spelling. */
const typesIn = (spelling) => Object.entries(definitions).filter(([name]) => spelling !== service || differs(name));
const described = (node, spelling) =>
  comment(spelling === service ? `${node.description} As the service spells it.` : node.description);

/** The types of what is in rules, as programs write it: every value may be an Input. */
function partsOfRules(spelling) {
  return typesIn(spelling)
    .filter(([name]) => name !== "RulesetRule")
    .map(
      ([name, node]) =>
        `${described(node, spelling)}\nexport interface ${spelling.typeName(name)} {\n${members(node, spelling, asInput)}\n}`,
    );
}

/** Plain values are aliases: unlike interfaces, they are assignable to JSON. */
function aliases(spelling) {
  return typesIn(spelling).map(
    ([name, node]) =>
      `${described(node, spelling)}\nexport type ${spelling.typeName(name)} = {\n${members(node, spelling, (type) => type).replaceAll("Record<string, unknown>", "JsonObject")}\n};`,
  );
}

/** By action, the types of a rule and of its parameters, and of rules whose action a program does not write. */
function rulesByAction() {
  const { RulesetRule: rule, RulesetRuleActionParameters: parameters } = definitions;
  const some = ({ properties, required }, isIn, spelling = ours) =>
    members(
      { required, properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isIn(name))) },
      spelling,
      asInput,
    );
  const types = Object.entries(actions).map(([action, { parameters: own, required = [], ...limits }]) => {
    const name = action.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase());
    const isOptional = required.length === 0 && limits.atLeastOne !== true && limits.exactlyOne === undefined;
    const given = isOptional ? `?: Input<${name}Parameters | undefined>` : `: Input<${name}Parameters>`;
    return `${comment(`Parameters of \`${action}\`.`)}
export interface ${name}Parameters {
${some({ ...parameters, required }, (field) => own.includes(field) || field === "wire")}
}
${comment(`A rule with the action \`${action}\`.`)}
export interface ${name}Rule extends RuleFields {
  readonly action: ${JSON.stringify(action)};
  readonly actionParameters${given};
}`;
  });
  const names = [...types.join("\n").matchAll(/interface (\w+Rule) /g)].map(([, name]) => name);
  return `${comment("What every rule can have, whatever its action.")}
export interface RuleFields {
${some(rule, (field) => field !== "action" && field !== "actionParameters")}
}
${types.join("\n")}
${comment('A rule whose action is known only when the program runs, or is newer than this version: `pulumi.output("newer_action")`.')}
export interface ComputedRule extends RuleFields {
  readonly action: Output<string> | Promise<string>;
  readonly actionParameters?: Input<RulesetRuleActionParameters | undefined>;
}
${comment(rule.description)}
export type RulesetRule = ${[...names, "ComputedRule"].join(" | ")};
${described(rule, service)}
export interface WireRulesetRule {
  readonly action: RulesetRule["action"];
${some(rule, (field) => field !== "action", service)}
}
type Without<Other, Own> = { readonly [Name in Exclude<keyof Other, keyof Own>]?: undefined };
type OneSpelling<A, B> = (A & Without<B, A>) | (B & Without<A, B>);
${comment("A rule in the list of a ruleset: as this package spells it, or as the service does. One with both is refused.")}
export type AnyRule = OneSpelling<RulesetRule, WireRulesetRule>;
${comment("The rules of a ruleset: a list, or an output of rules that were read.")}
export type Rules =
  | Input<readonly Input<AnyRule>[] | undefined>
  | Output<readonly (ReadRule | ReadWireRule)[] | undefined>;`;
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
  const code = source
    .slice(head.length)
    .replace('require("ajv/dist/runtime/ucs2length").default', "ucs2length")
    .replace(/const (\w+) = require\("ajv\/dist\/runtime\/equal"\)\.default;/, "const $1 = sameJson;");
  if (root === undefined || /\brequire\(|module\.exports/.test(code))
    throw new Error("this version of ajv generates validators in a form that is not supported");
  return [
    "// @ts-nocheck",
    header,
    `import type { ErrorObject } from "ajv";`,
    `import ucs2length from "ajv/dist/runtime/ucs2length.js";`,
    `import { sameJson } from "../../../core/model/json.js";`,
    code,
    comment("Whether a value has the shape of schema/rule.json; `errors` lists every error of the last call."),
    `export const validateRule: { (value: unknown): boolean; errors?: ErrorObject[] | null } = ${root};`,
    "",
  ].join("\n");
}

/** What the emulator checks a seed by, for editors. */
function emulatorSeed() {
  const { properties, ...others } = seedSchema(GROUPS);
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "A seed of the emulator of pulumi-rulesets",
    description: "What exists when it starts: `npx pulumi-rulesets emulator --seed seed.json`.",
    ...others,
    properties,
  };
}

/** The schemas of files that commands read. */
const fileSchemas = Object.fromEntries(
  ["firewall-tests", "fleet", "invariants", "managed-lock", "rulesets", "waivers"].map((name) => [
    name,
    JSON.parse(readFileSync(`schema/${name}.schema.json`, "utf8")),
  ]),
);
/** A request stands alone too: `rules try --request` reads it. */
fileSchemas.request = fileSchemas["firewall-tests"].definitions.request;
{
  // Tests may have rulesets and lists of their own, as a file of rulesets has them.
  const { rules, redirectLists } = fileSchemas["firewall-tests"].properties;
  rules.items = fileSchemas.rulesets.definitions.ruleset;
  redirectLists.additionalProperties = fileSchemas.rulesets.properties.redirectLists.additionalProperties;
}
fileSchemas.waivers.properties.waivers.items.properties.finding.enum = Object.keys(findings()).sort();

/** A page with a part that is generated, between two comments. */
function withPart(path, part, text) {
  const page = readFileSync(path, "utf8");
  const [head, , ...after] = page.split(new RegExp(`(?<=<!-- ${part} -->\\n)([^]*?)(?=<!-- /${part} -->)`));
  if (after.length !== 1) throw new Error(`${path} has no part ${part}`);
  return `${head}\n${text}\n\n${after[0]}`;
}

/** A table of all settings. */
function settingList() {
  const code = (text) => `\`${text}\``;
  const rows = Object.entries(SETTINGS).map(([name, { text, otherwise = "", choices, variables, override, page }]) => {
    const values = choices === undefined ? "" : ` ${choices.map(code).join(", ")}.`;
    const more = page === undefined ? "" : ` [More](${page})`;
    const names = [...(variables ?? []), ...(override === undefined ? [] : [override])].map(code).join(", ");
    return `| ${code(`rulesets:${name}`)} | ${text}${values}${more} | ${names} | ${otherwise.replaceAll('"', "`")} |`;
  });
  return [
    "| stack configuration or provider argument | | environment variable | default |",
    "|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** A table of what the exit codes of each command mean, as its help says. */
function exitCodes() {
  const rows = helps(createProgram({ own })).flatMap(([name, help]) => {
    const [, list = ""] = help.split("Exit codes:\n");
    const meanings = new Map([...list.matchAll(/^ {2}(\d) {2}(.*)$/gm)].map(([, code, meaning]) => [code, meaning]));
    const cells = ["0", "2", "3"].map((code) => meanings.get(code) ?? "");
    return meanings.has("0") ? [`| \`${name}\` | ${cells.join(" | ")} |`] : [];
  });
  return ["| command | 0 | 2 | 3 |", "|---|---|---|---|", ...rows].join("\n");
}

/** The help of a command and of all below it, with the words that call them. */
function helps(command, words = []) {
  let help = "";
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [[words.join(" "), help], ...command.commands.flatMap((one) => helps(one, [...words, one.name()]))];
}

/** What the service refuses, by the folders of the pages that say so, with its class and date. What a page of Cloudflare says is said there. */
function refusalList() {
  const refusals = JSON.parse(readFileSync("schema/refusals.json", "utf8"));
  const recordings = readRecordings("schema/recordings");
  const newest = refusals
    .map(({ class: how, date = "" }) => (how === "documented" ? date : ""))
    .sort()
    .at(-1);
  const places = refusals.map(({ code, class: how, source, date, refuses }) => {
    const seen = recordedOn(code, recordings);
    const page = source.replace(/#.*/, "");
    const on = date === undefined || (how === "documented" && date === newest) ? "" : ` (${date})`;
    if (seen !== undefined) return [`recorded on ${seen.date} with the plan ${seen.plan}`, "", `\`${code}\``];
    if (how === "assumed") return [how, "", `\`${code}\` ${refuses}`];
    const [, repository, thread] =
      /^(https:[/]{2}github[.]com[/][^/]+[/][^/]+)[/]((?:issues|pull)[/]\d+)$/.exec(page) ?? [];
    if (thread !== undefined) return [`[${how}](${repository})`, `${thread}${on}`, `\`${code}\``];
    if (how === "recorded" || !page.startsWith(VENDOR)) return [`[${how}](${page})${on}`, "", `\`${code}\``];
    const [, folder, name] = /^((?:[^/]+[/]){1,2})(.*)$/.exec(page.slice(VENDOR.length));
    return [`${folder}${on}`, name, `\`${code}\``];
  });
  const lines = [...Map.groupBy(places, ([known]) => known)].map(([known, of]) => {
    const pages = [...Map.groupBy(of, ([, name]) => name)];
    const words = pages.map(
      ([name, on]) => `${name === "" ? "" : `${name} `}${on.map(([, , code]) => code).join(", ")}`,
    );
    return `- ${known}: ${words.join("; ")}`;
  });
  return `The pages were read in ${newest}.\n\n${lines.join("\n")}`;
}

const VENDOR = "https://developers.cloudflare.com/";

/** From each section of docs/findings.md, what a finding means, and what to do about it. */
function findings() {
  const plain = (text) => text.replace(/\s+/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
  const sections = readFileSync("docs/findings.md", "utf8").split("\n### ").slice(1);
  const entries = sections.map((section) => {
    const [code, about, remedy] = section.trim().split("\n\n");
    if (!remedy.endsWith(".")) throw new Error(`docs/findings.md: what to do about ${code} is no whole sentence`);
    return [code, { about: plain(/^[^]*?[.](?=\s)/.exec(about)[0]), remedy: plain(remedy) }];
  });
  return Object.fromEntries(entries);
}

const files = {
  "core/language/generated/phases.ts": [
    header,
    comment("Phases of requests, in execution order."),
    `export const REQUEST_PHASES: readonly string[] = ${JSON.stringify(ordered("requestOrder"))};`,
    comment("Phases of responses, in execution order."),
    `export const RESPONSE_PHASES: readonly string[] = ${JSON.stringify(ordered("responseOrder"))};`,
  ].join("\n"),
  "core/language/generated/findings.ts": [
    "// Generated from docs/findings.md by `npm run generate`. Edit the page instead.\n",
    comment("What each finding means, and what to do about it, by its code."),
    `export const FINDINGS = ${JSON.stringify(findings())} as const;`,
  ].join("\n"),
  "schema/rule.json": JSON.stringify(schema, undefined, 2),
  "core/model/generated/rule.ts": [
    header,
    `import type { JsonObject } from "../json.js";`,
    ...names,
    ...aliases(model),
    ...aliases(service),
  ].join("\n"),
  "provider/sdk/resources/generated/inputs.ts": [
    header,
    `import type { Input, Output } from "@pulumi/pulumi";`,
    `import type { RulesetRule as ReadRule, WireRulesetRule as ReadWireRule } from "../../../../core/model/generated/rule.js";`,
    rulesByAction(),
    ...[ours, service].flatMap((spelling) => partsOfRules(spelling)),
  ].join("\n"),
  "provider/validation/generated/validate-rule.ts": validator(),
  ...Object.fromEntries(
    Object.entries(fileSchemas).map(([name, one]) => [
      `core/files/generated/validate-${name}.ts`,
      schemaModule(header, name, one),
    ]),
  ),
  ...Object.fromEntries(
    ["firewall-tests", "waivers"].map((name) => [
      `schema/${name}.schema.json`,
      JSON.stringify(fileSchemas[name], undefined, 2),
    ]),
  ),
  ...resourceTypes(),
  "schema/emulator-seed.schema.json": JSON.stringify(emulatorSeed()),
  "docs/commands.md": withPart("docs/commands.md", "exit codes", exitCodes()),
  "docs/configuration.md": withPart("docs/configuration.md", "settings", settingList()),
  "docs/errors.md": withPart("docs/errors.md", "refusals", refusalList()),
  "schema/pulumi-package.json": JSON.stringify(wholeSchema(infoOf(own))),
};

const options = JSON.parse(readFileSync(".oxfmtrc.json", "utf8"));
const formatted = async (path, text) => (await format(path, text, options)).code;

let stale = false;
for (const [path, source] of Object.entries(files)) {
  const text = path.includes("validate") || path.endsWith(".md") ? source : await formatted(path, source);
  if (!process.argv.includes("--check")) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  } else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(`${path} is not up to date: run npm run generate`);
    stale = true;
  }
}
process.exitCode = stale ? 1 : 0;

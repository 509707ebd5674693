// The reference, from the package schema, which is generated from the descriptions of the resources.
import { createRequire } from "node:module";
import { describedWithTabs } from "./programs.mjs";
import { toMdx } from "./markdown.mjs";
import { read } from "./repository.mjs";

const schema = JSON.parse(read("schema/pulumi-package.json"));

const shortName = (token) => token.split(":").at(-1);

/** The address of a type's section. */
const anchorOf = (name) => `/reference/types/#${name.toLowerCase()}`;

/** The guide of each resource, as its description says. */
const { DESCRIPTIONS } = createRequire(import.meta.url)("../../../dist/provider/kinds/descriptions.js");
const GUIDES = {
  ...Object.fromEntries(DESCRIPTIONS.map(({ type, guide }) => [type, guide])),
  Provider: "configuration",
};

/** A type in words, with links: `list of Rule`. */
function typeOf({ type, items, additionalProperties, $ref, oneOf }) {
  if ($ref !== undefined && $ref.startsWith("#/types/")) {
    const name = shortName($ref);
    return `[${name}](${anchorOf(name)})`;
  }
  if ($ref !== undefined) return "any value";
  if (oneOf !== undefined) return [...new Set(oneOf.map(typeOf))].join(" or ");
  if (type === "array") return `list of ${typeOf(items)}`;
  if (type === "object" && additionalProperties !== undefined) return `map of ${typeOf(additionalProperties)}`;
  return type ?? "any value";
}

const cell = (text = "") => toMdx(text.replace(/\s*\n\s*/g, " ").replaceAll("|", "\\|"));

function table(head, properties, required, marks) {
  if (Object.keys(properties).length === 0) return "None.";
  const order = Object.keys(properties).toSorted((a, b) => Number(required.includes(b)) - Number(required.includes(a)));
  const rows = order.map((name) => {
    const about = [cell(properties[name].description), ...marks(name, properties[name])].filter((text) => text !== "");
    return `| \`${name}\`<br />${typeOf(properties[name])} | ${about.join(" ")} |`;
  });
  return [`| ${head} | what it is |`, "|---|---|", ...rows].join("\n");
}

const inputMarks =
  (required) =>
  (name, { defaultInfo }) => [
    ...(required.includes(name) ? ["**Required.**"] : []),
    ...(defaultInfo?.environment === undefined
      ? []
      : [`From the environment: ${defaultInfo.environment.map((one) => `\`${one}\``).join(", ")}.`]),
  ];

const none = () => [];

/** What the service returns is not required of anybody. */
const outputMarks = (required) => (name) => (required.includes(name) ? [] : ["May be missing."]);

/** The types that a value names, and what those name. */
function typesIn(value, found = new Set()) {
  if (typeof value !== "object" || value === null) return found;
  const name = typeof value.$ref === "string" ? value.$ref.replace("#/types/", "") : undefined;
  if (name !== undefined && !found.has(name)) typesIn(schema.types[name], found.add(name));
  for (const one of Object.values(value)) typesIn(one, found);
  return found;
}

/** The types that programs write. */
const WRITTEN = typesIn([
  ...[...Object.values(schema.resources), schema.provider].map(({ inputProperties }) => inputProperties),
  ...Object.values(schema.functions).map(({ inputs }) => inputs),
]);

/** Outputs that are not among the inputs: the others are the inputs again. */
function outputsOf({ properties = {}, inputProperties = {} }) {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !(name in inputProperties)));
}

/** Every argument is an output, too. */
function outputsText(outputs) {
  return Object.keys(outputs).length === 0
    ? ["All arguments."]
    : ["All arguments, and:", table("output", outputs, [], none)];
}

function resourcePage(name, resource) {
  const { description = "", inputProperties = {}, requiredInputs = [] } = resource;
  const { text, examples } = describedWithTabs(description);
  const body = [
    text,
    `The [guide](/${GUIDES[name]}/) says ${name === "Provider" ? "where each setting can be given" : "what a preview, an update, a delete and a refresh do"}.`,
    ...examples.flatMap(({ title, tabs }) => [`## ${title}`, tabs]),
    "## Arguments",
    table("argument", inputProperties, requiredInputs, inputMarks(requiredInputs)),
    "## Outputs",
    ...outputsText(outputsOf(resource)),
  ];
  return {
    slug: `reference/resources/${name.toLowerCase()}`,
    title: name,
    description: plain(text),
    mdx: true,
    body: body.join("\n\n"),
  };
}

/** The first sentence, as a description of the page. */
const plain = (text) => text.replace(/[`\\]/g, "").split(/(?<=\.)\s/)[0] ?? "";

function functionSection(name, { description = "", inputs, outputs }) {
  const required = inputs?.required ?? [];
  return [
    `## ${name}`,
    toMdx(description),
    table("argument", inputs?.properties ?? {}, required, inputMarks(required)),
    table("result", outputs?.properties ?? {}, [], none),
  ].join("\n\n");
}

function typeSection(token, { description = "", properties, required = [], enum: values }) {
  const name = shortName(token);
  const marks = WRITTEN.has(token) ? inputMarks : outputMarks;
  const body =
    values === undefined
      ? table("property", properties ?? {}, required, marks(required))
      : values
          .map(({ value, description: about }) => `- \`${value}\`${about === undefined ? "" : `: ${cell(about)}`}`)
          .join("\n");
  return [`## ${name}`, toMdx(description), body].filter((text) => text !== "").join("\n\n");
}

const byName = (entries) =>
  Object.entries(entries)
    .map(([token, value]) => [shortName(token), value])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** A page for each resource, one for the functions, and one for the types. */
export function referencePages() {
  const resources = [...byName(schema.resources), ["Provider", schema.provider]];
  return [
    ...resources.map(([name, resource]) => resourcePage(name, resource)),
    {
      slug: "reference/functions",
      title: "Functions",
      description: "What a program can look up: zones, rulesets, their versions, managed rules and certificates.",
      mdx: true,
      body: [
        "[Looking things up in a program](/lookups/) shows how to call them.",
        ...byName(schema.functions).map(([name, one]) => functionSection(name, one)),
      ].join("\n\n"),
    },
    {
      slug: "reference/types",
      title: "Types",
      description: "The types of arguments and results.",
      mdx: true,
      body: Object.entries(schema.types)
        .toSorted(([a], [b]) => (shortName(a) < shortName(b) ? -1 : 1))
        .map(([token, one]) => typeSection(token, one))
        .join("\n\n"),
    },
  ];
}

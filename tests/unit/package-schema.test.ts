import { packageSchema, type PackageSchema } from "../../provider/engine/package-schema.js";
import { DESCRIPTIONS } from "../../provider/kinds/descriptions.js";
import { secretNames, type Description } from "../../provider/engine/description.js";
import { KINDS } from "../../provider/kinds/index.js";

/* The descriptions contain everything that a Pulumi package schema needs. */

const facts = { name: "pulumi-rulesets", version: "1.0.0", description: "Rulesets.", license: "Apache-2.0" };
const schema = packageSchema(DESCRIPTIONS, facts);
const resource = (name: string) => schema.resources[`pulumi-rulesets:index:${name}`];

/** The arguments of a kind whose changes replace the resource. */
function replacing(name: string): string[] {
  const inputs = Object.entries(resource(name)?.inputProperties ?? {});
  return inputs.filter(([, { willReplaceOnChanges }]) => willReplaceOnChanges === true).map(([input]) => input);
}

/** Every object inside a schema, with its path. */
function nodes(value: unknown, path = ""): { path: string; node: Record<string, unknown> }[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([name, item]) => nodes(item, `${path}/${name}`));
  return [{ path, node: value as Record<string, unknown> }, ...below];
}

/** The properties, resources and types without a description. */
function undescribed({ resources, types }: PackageSchema): string[] {
  const objects = Object.entries({ ...resources, ...types });
  return objects.flatMap(([token, spec]) => [
    ...(spec.description === "" ? [token] : []),
    ...Object.entries({
      ...("properties" in spec ? spec.properties : {}),
      ...("inputProperties" in spec ? spec.inputProperties : {}),
    }).flatMap(([name, { description }]) => (description.trim() === "" ? [`${token}.${name}`] : [])),
  ]);
}

test("every kind of resource is in it", () => {
  const names = Object.keys(schema.resources).map((token) => token.split(":")[2]);
  expect(names.sort()).toEqual(Object.keys(KINDS).sort());
});

test("every resource, type and property has a description", () => {
  expect(undescribed(schema)).toEqual([]);
  const lamp: Description = {
    type: "Lamp",
    text: "A lamp.",
    operations: [],
    levels: [],
    guide: "lamps",
    insteadOfImport: ["Leave it out."],
    arguments: { watts: { type: "number", text: "", change: "write" } },
    checked: {},
    outputs: {},
  };
  expect(undescribed(packageSchema([lamp], facts))).toEqual(["pulumi-rulesets:index:Lamp.watts"]);
});

test("every reference leads to a type, every type is referred to, and nothing internal is shown", () => {
  const references = nodes(schema).flatMap(({ node: { $ref } }) => (typeof $ref === "string" ? [$ref] : []));
  const own = new Set(references.filter((reference) => reference !== "pulumi.json#/Any"));
  expect([...own].sort()).toEqual(Object.keys(schema.types).map((token) => `#/types/${token}`));
  expect(nodes(schema).flatMap(({ node }) => Object.keys(node).filter((name) => name.startsWith("__")))).toEqual([]);
});

test("every type is in the module of the resources, under a name that no resource has", () => {
  const names = Object.keys(schema.types);
  expect(names.filter((name) => !name.startsWith("pulumi-rulesets:index:"))).toEqual([]);
  expect(names.filter((name) => schema.resources[name] !== undefined)).toEqual([]);
});

test("every required property exists, and no input has a default that programs would send", () => {
  for (const { properties, required, inputProperties, requiredInputs } of Object.values(schema.resources)) {
    expect(required.filter((name) => properties[name] === undefined)).toEqual([]);
    expect(requiredInputs.filter((name) => inputProperties[name] === undefined)).toEqual([]);
    expect(Object.values(inputProperties).filter((spec) => "default" in spec)).toEqual([]);
  }
});

test("it says what is required, what replaces a resource, which values there are, and the defaults", () => {
  expect(resource("TotalTlsCa")).toMatchObject({
    requiredInputs: ["zoneId", "certificateAuthority"],
    required: ["zoneId", "certificateAuthority", "enabled", "previousCertificateAuthority"],
    inputProperties: {
      zoneId: { type: "string", willReplaceOnChanges: true },
      onDelete: { $ref: "#/types/pulumi-rulesets:index:TotalTlsCaOnDelete" },
    },
    properties: { enabled: { type: "boolean" }, validityPeriod: { type: "number" } },
  });
  expect(resource("TotalTlsCa")?.inputProperties.onDelete?.description).toContain('Default: "keep".');
  expect(replacing("CustomHostnameCa")).toEqual(["zoneId", "customHostnameId", "hostname"]);
  expect(replacing("RulesetRule")).toEqual(["accountId", "zoneId", "phase", "rulesetId", "ref"]);
  expect(replacing("ZoneWafMigration")).toEqual([]);
  expect(schema.types["pulumi-rulesets:index:TotalTlsCaOnDelete"]).toMatchObject({
    type: "string",
    enum: [{ value: "keep" }, { value: "restore" }],
  });
  expect(resource("CustomHostnameCertificate")?.inputProperties.timeoutSeconds?.description).toContain(
    "Default: 1800.",
  );
  expect(resource("CustomHostnameCa")?.description).toContain(
    "Exactly one of `customHostnameId` and `hostname` is required.",
  );
});

test("it says in words which arguments may be secrets, and makes none one that the program did not", () => {
  for (const description of DESCRIPTIONS) {
    const inputs = resource(description.type)?.inputProperties ?? {};
    const open = Object.keys(inputs).filter((name) =>
      / (May be a secret|Only comments may be secrets)[.]$/.test(inputs[name]?.description ?? ""),
    );
    const closed = Object.keys(inputs).filter(
      (name) => inputs[name]?.description.endsWith(" Cannot be a secret.") === true,
    );
    expect(open).toEqual(secretNames(description));
    expect([...open, ...closed].sort()).toEqual(Object.keys(description.arguments).sort());
  }
  expect(nodes(schema).filter(({ node }) => node.secret !== undefined)).toEqual([]);
});

test("a ruleset takes and shows a list of rules, with the text and defaults of their fields", () => {
  const rules = { type: "array", items: { $ref: "#/types/pulumi-rulesets:index:Rule" } };
  for (const name of ["Ruleset", "PhaseEntrypoint"]) {
    expect(resource(name)?.inputProperties.rules).toMatchObject(rules);
    expect(resource(name)?.properties.rules).toMatchObject(rules);
    expect(resource(name)?.properties.order).toBeUndefined();
  }
  expect(resource("PhaseEntrypoint")?.requiredInputs).toEqual(["phase", "rules"]);
  const { enabled, actionParameters } = resource("RulesetRule")?.inputProperties ?? {};
  expect(enabled).toEqual({
    type: "boolean",
    description: "Whether the rule runs. Default: true. May be a secret.",
  });
  expect(actionParameters?.$ref).toBe("#/types/pulumi-rulesets:index:RulesetRuleActionParameters");
});

import { definitions, referenceName, type SchemaNode } from "../model/shapes.js";
import {
  argumentEffect,
  inputProperties,
  type Argument,
  type Description,
  type Effect,
  type Input,
  type Property,
} from "./description.js";
import type { Definition, Member, NamedType, ValueType } from "./named-type.js";

/** What a package schema says about the package as a whole. */
export interface PackageFacts {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
}

/** A type, as https://www.pulumi.com/docs/iac/extending-pulumi/schema/ describes it. */
export interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

export interface PropertySpec extends TypeSpec {
  readonly description: string;
  readonly default?: string | number | boolean;
  readonly willReplaceOnChanges?: boolean;
}

export interface ObjectSpec {
  readonly description: string;
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

export interface EnumSpec {
  readonly description: string;
  readonly type: string;
  readonly enum: readonly { readonly value: string | number; readonly description?: string }[];
}

export interface ResourceSpec extends Omit<ObjectSpec, "type"> {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
}

export interface PackageSchema extends PackageFacts {
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
}

const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** The Pulumi package schema of kinds of resources, with nothing but what their descriptions and schema/rule.json say. */
export function packageSchema(descriptions: readonly Description[], facts: PackageFacts): PackageSchema {
  const types = new Types(facts.name);
  const resources = Object.fromEntries(
    descriptions.map((description) => [`${facts.name}:index:${description.type}`, resourceSpec(description, types)]),
  );
  return { ...facts, resources, types: types.all };
}

function resourceSpec(description: Description, types: Types): ResourceSpec {
  const { type, text, arguments: args, outputs } = description;
  const shown = Object.entries({ ...inputProperties(description), ...outputs }).filter(([name]) =>
    isOutput(description, name),
  );
  return {
    description: [text, ...groupTexts(description)].join(" "),
    properties: mapValues(shown, (name, property) => outputSpec(`${type}${capitalised(name)}`, property, types)),
    required: namesOf(shown, ({ required }) => required === true || required === "by programs"),
    inputProperties: mapValues(Object.entries(args), (name, argument) =>
      inputSpec(`${type}${capitalised(name)}`, argument, types, argumentEffect(description, name)),
    ),
    requiredInputs: namesOf(Object.entries(args), ({ required }) => (required ?? false) !== false),
  };
}

function isOutput({ arguments: args, checked, outputs }: Description, name: string): boolean {
  if (outputs[name] !== undefined) return !name.startsWith("__");
  return (checked[name] ?? args[name])?.output === true;
}

/** Which arguments exclude one another, in words: package schemas have no rule for it. */
function groupTexts({ exactlyOneOf = [], atMostOneOf = [] }: Description): string[] {
  return [
    ...exactlyOneOf.map((names) => `Exactly one of ${names.map(quoted).join(" and ")} is required.`),
    ...atMostOneOf.map((names) => `At most one of ${names.map(quoted).join(" and ")} may be given.`),
  ];
}

function inputSpec(name: string, argument: Argument, types: Types, effect: Effect): PropertySpec {
  const { type, choices, among, default: value } = argument;
  const spec = propertySpec(name, argument, choices ?? among ?? [], types.of(type), types);
  return {
    ...spec,
    // A missing text stays missing, so that it is noticed.
    description: spec.description === "" ? "" : `${spec.description} ${secrecyText(argument)}`,
    ...(value === undefined ? {} : { default: value }),
    ...(effect === "replace" ? { willReplaceOnChanges: true } : {}),
  };
}

/**
 * Whether a value may be a secret, in words. The schema's `secret` would make every value one, and so hide all rules of all
 * rulesets: here a value is a secret if the program says so, and the engine keeps that for each value.
 */
function secrecyText({ mayBeSecret = false }: Argument): string {
  return mayBeSecret ? "May be a secret." : "Cannot be a secret.";
}

function outputSpec(name: string, { outputType, outputText, ...property }: Input, types: Types): PropertySpec {
  const { type, text, choices = [] } = property;
  const output = { type: outputType ?? type, text: outputText ?? text };
  return propertySpec(name, output, choices, types.of(output.type), types);
}

/** A property with its text, and an enum where its values are known. */
function propertySpec(
  name: string,
  property: Pick<Property, "type" | "text" | "otherwise">,
  values: readonly string[],
  type: TypeSpec,
  types: Types,
): PropertySpec {
  const field = fieldOf(property.type);
  if (field !== undefined) return types.ruleField(field.definition, field.field, field.node);
  const spec = values.length === 0 ? type : types.addEnum(name, property.text, values);
  return { ...spec, description: withDefault(property) };
}

function withDefault({ text, otherwise }: Pick<Property, "text" | "otherwise">): string {
  return otherwise === undefined ? text : `${text} Default: ${otherwise}.`;
}

/** The field of schema/rule.json that a type stands for. */
function fieldOf(type: ValueType): { definition: string; field: string; node: SchemaNode } | undefined {
  if (typeof type === "string" || !("definition" in type) || type.definition.kind !== "rule") return undefined;
  const { definition, field } = type.definition;
  const node = field === undefined ? undefined : definitions[definition]?.properties?.[field];
  return field === undefined || node === undefined ? undefined : { definition, field, node };
}

/** Collects the types that properties refer to. */
class Types {
  private readonly specs = new Map<string, ObjectSpec | EnumSpec>();

  constructor(private readonly packageName: string) {}

  get all(): PackageSchema["types"] {
    return Object.fromEntries([...this.specs].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  of(type: ValueType): TypeSpec {
    if (typeof type === "string") return { type };
    if ("list" in type) return { type: "array", items: this.of(type.list) };
    if ("map" in type) return { type: "object", additionalProperties: this.of(type.map) };
    return this.named(type);
  }

  private named({ name, definition }: NamedType<unknown>): TypeSpec {
    switch (definition.kind) {
      case "object":
        return this.add(name, () => this.objectSpec(definition));
      case "choice":
        return this.addEnum(name, definition.text, Object.keys(definition.values), definition.values);
      case "either":
        return { oneOf: definition.types.map((type) => ({ type })) };
      case "rule":
        return this.rule(definition.definition);
      case "any object":
        return { type: "object", additionalProperties: ANY };
      case "internal":
        throw new Error(`${name} is part of the state only`);
    }
  }

  private objectSpec(definition: Extract<Definition, { readonly kind: "object" }>): ObjectSpec {
    const { text, properties, exactlyOneOf } = definition;
    const base = definition.extends === undefined ? undefined : this.ruleSpec(definition.extends);
    const members = Object.entries<Member>(properties);
    const group =
      exactlyOneOf === undefined ? [] : [`Exactly one of ${exactlyOneOf.map(quoted).join(", ")} is required.`];
    return {
      type: "object",
      description: [text, ...group].join(" "),
      properties: {
        ...base?.properties,
        ...mapValues(members, (_name, member) => ({ ...this.of(member.type), description: withDefault(member) })),
      },
      required: [...(base?.required ?? []), ...namesOf(members, ({ required }) => required === true)],
    };
  }

  /** A definition of schema/rule.json. */
  private rule(name: string): TypeSpec {
    return this.add(name, () => this.ruleSpec(name));
  }

  private ruleSpec(name: string): ObjectSpec {
    const { description = "", properties = {}, required = [] } = definitions[name] ?? {};
    return {
      type: "object",
      description,
      properties: mapValues(Object.entries(properties), (field, node) => this.ruleField(name, field, node)),
      required,
    };
  }

  ruleField(definition: string, field: string, node: SchemaNode): PropertySpec {
    const { description = "", default: value } = node;
    const type = this.ofNode(`${definition}${capitalised(field)}`, node, description);
    return { ...type, description, ...(value === undefined ? {} : { default: value }) };
  }

  private ofNode(name: string, node: SchemaNode, text: string): TypeSpec {
    const { $ref, type, items, additionalProperties: values, "x-known": known } = node;
    if ($ref !== undefined) return this.rule(referenceName($ref));
    if (type === undefined) return ANY;
    if (type === "array") return { type, items: this.ofNode(name, items ?? {}, text) };
    if (type === "object")
      return { type, additionalProperties: typeof values === "object" ? this.ofNode(name, values, text) : ANY };
    if (known === undefined || type !== "string") return { type };
    // Others pass with a warning.
    return { oneOf: [{ type }, this.addEnum(name, text, known)] };
  }

  addEnum(
    name: string,
    text: string,
    values: readonly (string | number)[],
    meanings: Readonly<Record<string, string>> = {},
  ): TypeSpec {
    return this.add(name, () => ({
      type: "string",
      description: text,
      enum: values.map((value) => {
        const meaning = meanings[String(value)];
        return { value, ...(meaning === undefined ? {} : { description: meaning }) };
      }),
    }));
  }

  private add(name: string, spec: () => ObjectSpec | EnumSpec): TypeSpec {
    const token = `${this.packageName}:types:${name}`;
    if (!this.specs.has(token)) this.specs.set(token, spec());
    return { $ref: `#/types/${token}` };
  }
}

function mapValues<A, B>(
  entries: readonly (readonly [string, A])[],
  map: (name: string, value: A) => B,
): Record<string, B> {
  return Object.fromEntries(entries.map(([name, value]) => [name, map(name, value)]));
}

function namesOf<T>(entries: readonly (readonly [string, T])[], is: (value: T) => boolean): string[] {
  return entries.filter(([, value]) => is(value)).map(([name]) => name);
}

function quoted(name: string): string {
  return `\`${name}\``;
}

function capitalised(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

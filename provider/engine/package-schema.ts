import type { Setting } from "../../core/model/settings.js";
import { definitions, referenceName, type SchemaNode } from "../../core/model/shapes.js";
import { capital } from "../../core/model/words.js";
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
  readonly displayName?: string;
  readonly publisher?: string;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly repository?: string;
  readonly logoUrl?: string;
  /** Where the engine downloads the plugin. */
  readonly pluginDownloadURL?: string;
  /** Settings of each language's generator. */
  readonly language?: Readonly<Record<string, object>>;
}

/** A function, with its arguments and the properties of its result. */
export interface FunctionDescription {
  readonly name: string;
  readonly text: string;
  /** Groups of arguments of which a program must give exactly one. */
  readonly exactlyOneOf?: readonly (readonly string[])[];
  readonly arguments: Readonly<Record<string, Member>>;
  readonly result: Readonly<Record<string, Member>>;
}

/** What a package has besides kinds of resources. */
interface PackageParts {
  readonly settings?: Readonly<Record<string, Setting>>;
  readonly functions?: readonly FunctionDescription[];
  /** The type that a resource of a kind had in stacks before; undefined if it had none. */
  readonly alias?: (type: string) => string | undefined;
  /** Examples of a resource in every language, as Markdown. The names of enums are those of arguments that take nothing else. */
  readonly examples?: (description: Description, enums: Readonly<Record<string, string>>) => string;
}

/** A type, as https://www.pulumi.com/docs/iac/extending-pulumi/schema/ describes it. */
interface TypeSpec {
  readonly type?: string;
  readonly $ref?: string;
  readonly items?: TypeSpec;
  readonly additionalProperties?: TypeSpec;
  readonly oneOf?: readonly TypeSpec[];
}

interface PropertySpec extends TypeSpec {
  readonly description: string;
  readonly willReplaceOnChanges?: boolean;
  readonly secret?: boolean;
  readonly defaultInfo?: { readonly environment: readonly string[] };
}

interface ObjectSpec {
  readonly description: string;
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySpec>>;
  readonly required: readonly string[];
}

interface EnumSpec {
  readonly description: string;
  readonly type: string;
  readonly enum: readonly { readonly value: string | number; readonly description?: string }[];
}

interface ResourceSpec extends Omit<ObjectSpec, "type"> {
  readonly inputProperties: Readonly<Record<string, PropertySpec>>;
  readonly requiredInputs: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

interface FunctionSpec {
  readonly description: string;
  readonly inputs: Omit<ObjectSpec, "description">;
  readonly outputs: Omit<ObjectSpec, "description">;
}

export interface PackageSchema extends PackageFacts {
  readonly config?: { readonly variables: Readonly<Record<string, PropertySpec>> };
  readonly provider?: ResourceSpec;
  readonly functions?: Readonly<Record<string, FunctionSpec>>;
  readonly resources: Readonly<Record<string, ResourceSpec>>;
  readonly types: Readonly<Record<string, ObjectSpec | EnumSpec>>;
}

const ANY: TypeSpec = { $ref: "pulumi.json#/Any" };

/** The Pulumi package schema, with nothing but what the descriptions and schema/rule.json say. */
export function packageSchema(
  descriptions: readonly Description[],
  facts: PackageFacts,
  { settings, functions, alias = () => undefined, examples = () => "" }: PackageParts = {},
): PackageSchema {
  const types = new Types(facts.name);
  const resources = Object.fromEntries(
    descriptions.map((description) => {
      const previous = alias(description.type);
      const spec = resourceSpec(description, types);
      const whole = {
        ...spec,
        description: [spec.description, examples(description, enumsOf(spec, types))]
          .filter((text) => text !== "")
          .join("\n\n"),
        ...(previous === undefined ? {} : { aliases: [{ type: previous }] }),
      };
      return [`${facts.name}:index:${description.type}`, whole];
    }),
  );
  const specs = functions?.map(
    (description) => [`${facts.name}:index:${description.name}`, functionSpec(description, types)] as const,
  );
  return {
    ...facts,
    ...(settings === undefined ? {} : settingsSpec(facts, settings)),
    resources,
    ...(specs === undefined ? {} : { functions: Object.fromEntries(specs) }),
    types: types.all,
  };
}

/** The enums by the arguments that take nothing else. */
function enumsOf({ inputProperties }: ResourceSpec, types: Types): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(inputProperties).flatMap(([argument, { $ref = "" }]) => {
      const name = $ref.replace("#/types/", "");
      const spec = types.all[name];
      return spec !== undefined && "enum" in spec ? [[argument, name.slice(name.lastIndexOf(":") + 1)]] : [];
    }),
  );
}

/** The settings as configuration of a stack, and as arguments of the provider. */
function settingsSpec(
  { name }: PackageFacts,
  settings: Readonly<Record<string, Setting>>,
): Pick<PackageSchema, "config" | "provider"> {
  const specs = mapValues(Object.entries(settings), (_name, { type, text, otherwise, secret, variables }) => ({
    type,
    description: otherwise === undefined ? text : `${text} Default: ${otherwise}.`,
    ...(secret === true ? { secret } : {}),
    ...(variables === undefined ? {} : { defaultInfo: { environment: variables } }),
  }));
  return {
    config: { variables: mapValues(Object.entries(specs), (_name, { defaultInfo: _, ...spec }) => spec) },
    provider: {
      description: `Credentials and settings for some of a program's resources and functions. Without one, those of the stack's configuration \`${name}:…\` are used.`,
      properties: {},
      required: [],
      inputProperties: specs,
      requiredInputs: [],
    },
  };
}

function functionSpec(description: FunctionDescription, types: Types): FunctionSpec {
  const { text, arguments: args, result } = description;
  return {
    description: [text, ...groupTexts(description)].join(" "),
    inputs: types.members(args),
    outputs: types.members(result),
  };
}

function resourceSpec(description: Description, types: Types): ResourceSpec {
  const { type, text, arguments: args, outputs } = description;
  const shown = Object.entries({ ...inputProperties(description), ...outputs }).filter(([name]) =>
    isOutput(description, name),
  );
  return {
    description: [text, ...groupTexts(description)].join(" "),
    properties: mapValues(shown, (name, property) => outputSpec(`${type}${capital(name)}`, property, types)),
    required: namesOf(shown, ({ required }) => required === true || required === "by programs"),
    inputProperties: mapValues(Object.entries(args), (name, argument) =>
      inputSpec(`${type}${capital(name)}`, argument, types, argumentEffect(description, name)),
    ),
    requiredInputs: namesOf(Object.entries(args), ({ required }) => (required ?? false) !== false),
  };
}

function isOutput({ arguments: args, checked, outputs }: Description, name: string): boolean {
  if (outputs[name] !== undefined) return !name.startsWith("__");
  return (checked[name] ?? args[name])?.output === true;
}

/** Which arguments exclude one another, in words: package schemas have no rule for it. */
function groupTexts({
  exactlyOneOf = [],
  atMostOneOf = [],
}: Pick<Description, "exactlyOneOf" | "atMostOneOf">): string[] {
  return [
    ...exactlyOneOf.map((names) => `Exactly one of ${names.map(quoted).join(" and ")} is required.`),
    ...atMostOneOf.map((names) => `At most one of ${names.map(quoted).join(" and ")} may be given.`),
  ];
}

function inputSpec(name: string, argument: Argument, types: Types, effect: Effect): PropertySpec {
  const { type, choices, among } = argument;
  const spec = propertySpec(name, argument, choices ?? among ?? [], types.of(type), types);
  return {
    ...spec,
    // A missing text stays missing, so that it is noticed.
    description: spec.description === "" ? "" : `${spec.description} ${secrecyText(argument)}`,
    ...(effect === "replace" ? { willReplaceOnChanges: true } : {}),
  };
}

/**
 * Whether a value may be a secret, in words. The schema's `secret` would make every value one, and so hide all rules of all
 * rulesets: here a value is a secret if the program says so, and the engine keeps that for each value.
 */
function secrecyText({ mayBeSecret = false }: Argument): string {
  if (mayBeSecret === "comments") return "Only comments may be secrets.";
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
  property: Pick<Property, "type" | "text" | "otherwise" | "default">,
  values: readonly string[],
  type: TypeSpec,
  types: Types,
): PropertySpec {
  const field = fieldOf(property.type);
  if (field !== undefined) return types.ruleField(field.definition, field.field, field.node);
  const spec = values.length === 0 ? type : types.addEnum(name, property.text, values);
  return { ...spec, description: withDefault(property) };
}

/**
 * A text with the value that applies where there is none. The schema's `default` would make programs send it: then nobody could
 * tell it from a value that the program chose, which configuration does not override.
 */
function withDefault({ text, otherwise, default: value }: Pick<Property, "text" | "otherwise" | "default">): string {
  const applies = otherwise ?? (value === undefined || value === "" ? undefined : JSON.stringify(value));
  return applies === undefined ? text : `${text} Default: ${applies}.`;
}

/** The field of schema/rule.json that a type stands for. */
function fieldOf(type: ValueType): { definition: string; field: string; node: SchemaNode } | undefined {
  if (typeof type === "string" || !("definition" in type) || type.definition.kind !== "rule") return undefined;
  const { definition, field } = type.definition;
  const node = field === undefined ? undefined : definitions[definition]?.properties?.[field];
  return field === undefined || node === undefined ? undefined : { definition, field, node };
}

/**
 * Types that have another name than their definition, as in the package for TypeScript: SDKs name the arguments of the resource
 * `RulesetRule` and a type of this name alike. Types are in the module of the resources, because of a module `types` the SDK
 * for Node does not compile.
 */
const TYPE_NAMES: Readonly<Record<string, string>> = { RulesetRule: "Rule" };

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
        return { oneOf: definition.types.map((type) => this.of(type)) };
      case "rule":
        return this.rule(definition.definition);
      case "any object":
        return { type: "object", additionalProperties: ANY };
      case "internal":
        throw new Error(`${name} is part of the state only`);
    }
  }

  members(members: Readonly<Record<string, Member>>): Omit<ObjectSpec, "description"> {
    const entries = Object.entries(members);
    return {
      type: "object",
      properties: mapValues(entries, (_name, member) => ({
        ...this.of(member.type),
        description: withDefault(member),
      })),
      required: namesOf(entries, ({ required }) => required === true),
    };
  }

  private objectSpec(definition: Extract<Definition, { readonly kind: "object" }>): ObjectSpec {
    const { text, properties, exactlyOneOf } = definition;
    const base = definition.extends === undefined ? undefined : this.ruleSpec(definition.extends);
    const own = this.members(properties);
    const group =
      exactlyOneOf === undefined ? [] : [`Exactly one of ${exactlyOneOf.map(quoted).join(", ")} is required.`];
    return {
      type: "object",
      description: [text, ...group].join(" "),
      properties: {
        ...base?.properties,
        ...own.properties,
      },
      required: [...(base?.required ?? []), ...own.required],
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
    const type = this.ofNode(`${definition}${capital(field)}`, node, description);
    return {
      ...type,
      description: withDefault({ text: description, ...(value === undefined ? {} : { default: value }) }),
    };
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
    const token = `${this.packageName}:index:${TYPE_NAMES[name] ?? name}`;
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

// The arguments and outputs of the resource classes, with their comments, from the descriptions of the kinds. A description
// with a `class` gets its whole class; the others, whose classes do more, are written by hand over a generated base.
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { loadModule } from "./typescript-modules.mjs";

const { SETTINGS } = loadModule("core/model/settings.ts");

const FOLDER = "provider/sdk/resources/generated";
/** Types of arguments that are written by hand, because resources may stand for values in them. */
const BY_HAND = ["RulePosition"];
/** Types of outputs whose name in TypeScript is another one. */
const TYPE_NAMES = { DeployedRule: "DeployedRuleInfo" };

/** By name, the module that exports a type. */
const modules = new Map(
  globSync("core/{model,certificates,lists,previous-waf}/**/*.ts").flatMap((path) =>
    [...readFileSync(path, "utf8").matchAll(/^export (?:type|interface) (\w+)/gm)].map(([, name]) => [name, path]),
  ),
);

/** Every kind's description, with the module and the constant that it is. */
const kinds = globSync("provider/kinds/**/description.ts")
  .sort()
  .flatMap((path) =>
    Object.entries(loadModule(path))
      .filter(([, value]) => typeof value === "object" && typeof value.type === "string" && "arguments" in value)
      .map(([constant, description]) => ({ path, constant, description })),
  );

/** A generated module: its text, and the types that the text uses of other modules. */
class Module {
  imports = new Map();
  values = new Set();
  objects = new Map();
  parts = [];

  /** The name of a type, which is imported from the module that exports it. */
  named(name) {
    const path = modules.get(name);
    if (path === undefined)
      throw new Error(`no module of core/{model,certificates,lists,previous-waf} exports ${name}`);
    return this.imported(name, path);
  }

  imported(name, path) {
    if (!this.imports.has(path)) this.imports.set(path, new Set());
    this.imports.get(path).add(name);
    return name;
  }

  /** A type as text, for example `Exclude<CertificateAuthority, "digicert">`. */
  known(text) {
    for (const [name] of text.replace(/"[^"]*"/g, "").matchAll(/\b[A-Z]\w*/g)) if (name !== "Exclude") this.named(name);
    return text;
  }

  /** What a program writes for a property, without the promises and outputs around it. */
  inputType({ type, choices, among, spellings = [], known }) {
    if (choices !== undefined || among !== undefined) return union([...(choices ?? among), ...spellings]);
    if (known !== undefined) return `${this.known(known)} | (string & {})`;
    if (typeof type === "string") return type;
    if ("list" in type) return `readonly pulumi.Input<${this.inputType({ type: type.list })}>[]`;
    if ("map" in type) return `Readonly<Record<string, pulumi.Input<${this.inputType({ type: type.map })}>>>`;
    const { name, definition } = type;
    switch (definition.kind) {
      case "choice":
        return union([...Object.keys(definition.values), ...spellings]);
      case "either":
        return definition.types.map((type) => this.inputType({ type })).join(" | ");
      case "rule":
        return this.imported("AnyRule", `${FOLDER}/inputs.ts`);
      case "object":
        this.objects.set(name, definition);
        return name;
      case "any object":
        return "Readonly<Record<string, unknown>>";
      default:
        throw new Error(`no type for an argument of the kind ${definition.kind}`);
    }
  }

  outputType(type) {
    if (typeof type === "string") return type;
    if ("list" in type) return `readonly ${this.outputType(type.list)}[]`;
    if ("map" in type) return `Readonly<Record<string, ${this.outputType(type.map)}>>`;
    const { name, definition } = type;
    if (definition.kind === "choice") return union(Object.keys(definition.values));
    if (definition.kind !== "rule") return this.named(TYPE_NAMES[name] ?? name);
    const rule = this.imported("RulesetRule as PlainRule", "core/model/generated/rule.ts") && "PlainRule";
    return definition.field === undefined ? rule : `${rule}["${definition.field}"]`;
  }

  argument([name, input]) {
    // A list that may be undefined is refused at preview. If it did not compile, it would be replaced with an empty one.
    const isList = typeof input.type === "object" && "list" in input.type;
    const required = input.required === true || input.required === "by programs";
    const note = comment(input.text, input.otherwise ?? quoted(input.default));
    if (isList && input.type.list.definition?.kind === "rule")
      return `${note}\nreadonly ${name}${required ? "" : "?"}: ${this.imported("Rules", `${FOLDER}/inputs.ts`)};`;
    const type = this.inputType(input);
    return required
      ? `${note}\nreadonly ${name}: pulumi.Input<${type}${isList ? " | undefined" : ""}>${input.orOutput ? ` | pulumi.Output<${input.type}>` : ""};`
      : `${note}\nreadonly ${name}?: pulumi.Input<${type} | undefined>;`;
  }

  output([name, output]) {
    const { type, outputType = type, text, outputText = text, required = false, alwaysDeclared = false } = output;
    const shown = this.outputType(outputType);
    const isField = type.definition?.kind === "rule" && type.definition.field !== undefined;
    const optional = required === false && !alwaysDeclared && !isField ? " | undefined" : "";
    const note = outputText === "" ? "" : `${comment(outputText)}\n`;
    return `${note}declare readonly ${name}: pulumi.Output<${shown}${optional}>;`;
  }

  /**
   * The arguments of a kind. Where the type of some depends on another one, a type with an alternative for each of its values, so that
   * the compiler finds what does not fit.
   */
  arguments(name, text, all) {
    const dependent = all.filter(([, { typeBy }]) => typeBy !== undefined);
    if (dependent.length === 0)
      return this.interface(
        name,
        text,
        all.map((one) => this.argument(one)),
      );
    const [by] = dependent.map(([, { typeBy }]) => typeBy.argument);
    const deciding = all.find(([one]) => one === by);
    const common = all.filter((one) => one !== deciding && !dependent.includes(one));
    this.interface(
      `${name}OfAllKinds`,
      `${text.slice(0, -1)}, without those that depend on \`${by}\`.`,
      common.map((one) => this.argument(one)),
    );
    const alternative = (input, typeOf) => {
      const own = dependent.map(([one, other]) => [one, { ...other, type: typeOf(other.typeBy) }]);
      return `{\n${[[by, input], ...own].map((one) => this.argument(one)).join("\n")}\n}`;
    };
    const values = Object.keys(dependent[0][1].typeBy.types);
    const alternatives = values.map((value) =>
      alternative({ ...deciding[1], choices: [value] }, ({ types }) => types[value]),
    );
    // A literal that is none of them may be misspelled.
    alternatives.push(alternative({ ...deciding[1], choices: values, orOutput: true }, ({ otherwise }) => otherwise));
    this.parts.push(`${comment(text)}\nexport type ${name} = ${name}OfAllKinds & (${alternatives.join(" | ")});`);
  }

  interface(name, text, members, parent) {
    const extended = parent === undefined ? "" : ` extends ${this.imported(parent, `${FOLDER}/inputs.ts`)}`;
    this.parts.push(`${comment(text)}\nexport interface ${name}${extended} {\n${members.join("\n")}\n}`);
  }

  /** The types of the objects in the arguments so far. */
  addObjects() {
    for (const [name, { text, properties, extends: parent }] of this.objects) {
      const members = Object.entries(properties).map((member) => this.argument(member));
      this.interface(name, text, members, parent);
    }
  }

  text(source = "the descriptions in provider/kinds/") {
    const from = (path) => `"${relativeTo(path)}"`;
    const types = [...this.imports].map(
      ([path, names]) => `import type { ${[...names].sort().join(", ")} } from ${from(path)};`,
    );
    return [
      `// Generated from ${source} by \`npm run generate\`. Edit ${source.startsWith("the") ? "these" : "it"} instead.\n`,
      `import type * as pulumi from "@pulumi/pulumi";`,
      ...[...this.values].sort(),
      ...types.sort(),
      "",
      this.parts.join("\n\n"),
      "",
    ].join("\n");
  }
}

function relativeTo(path) {
  const found = relative(FOLDER, path).replace(/[.]ts$/, ".js");
  return found.startsWith(".") ? found : `./${found}`;
}

function union(values) {
  return values.map((value) => JSON.stringify(value)).join(" | ");
}

function quoted(value) {
  return value === undefined ? undefined : JSON.stringify(value);
}

const WIDTH = 118;

/** A comment, on as many lines as it needs. */
function comment(text, fallback, ...more) {
  const tag = fallback === undefined ? [] : [`@default ${fallback}`];
  const whole = `/** ${[text, ...tag].join(" ")} */`;
  if (more.length === 0 && whole.length <= WIDTH) return whole;
  const lines = [...wrapped(text), ...tag.flatMap(wrapped), ...more];
  return ["/**", ...lines.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}

function wrapped(text) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + word.length + 4 > WIDTH) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** The arguments of a kind, without those that are fields of a rule, or written by hand. */
function ownArguments({ arguments: args }) {
  return Object.entries(args).filter(([, { type }]) => {
    const { definition = {}, name } = typeof type === "object" ? type : {};
    return definition.field === undefined && !BY_HAND.includes(name);
  });
}

/** The outputs of a kind: where a checked input or an output replaces an argument, that one. */
function outputsOf({ arguments: args, checked, outputs }) {
  const shown = Object.entries({ ...args, ...checked }).filter(([, { output }]) => output === true);
  const results = Object.entries(outputs).filter(([name]) => !name.startsWith("__"));
  return Object.entries(Object.fromEntries([...shown, ...results]));
}

function members(module, description) {
  return outputsOf(description).map((output) => module.output(output));
}

/** A complete class. */
function addClass(module, { path, constant, description }) {
  const { type, text, class: shown } = description;
  module.arguments(`${type}Args`, `Arguments of {@link ${type}}.`, ownArguments(description));
  module.values.add(`import { ${constant} } from "${relativeTo(path)}";`);
  module.values.add(`import { isOfType, RulesetsResource } from "../rulesets-resource.js";`);
  module.values.add(`import { prepareKind, readOptions, typeToken } from "../prepare.js";`);
  const example = ["", "@example", "```ts", ...shown.example.split("\n"), "```"];
  const reads = comment(
    `Reads ${shown.reads} that this program does not manage.`,
    undefined,
    `@param id \`${shown.id}\``,
  );
  module.parts.push(`${comment(text, undefined, ...example)}
export class ${type} extends RulesetsResource {
  static readonly __pulumiType = typeToken(${constant}.type);

${members(module, description).join("\n")}

  constructor(name: string, args: ${type}Args, opts: pulumi.CustomResourceOptions = {}) {
    super(${type}.__pulumiType, name, prepareKind(${constant}, name, args, opts));
  }

${reads}
  static get(name: string, id: pulumi.Input<pulumi.ID>, opts: pulumi.CustomResourceOptions = {}): ${type} {
    return new ${type}(name, {} as ${type}Args, readOptions(${constant}.type, name, id, opts));
  }

  /** Whether a value is a \`${type}\`, whichever copy of this package created it. */
  static override isInstance(value: unknown): value is ${type} {
    return isOfType(value, ${type}.__pulumiType);
  }
}`);
}

/** What a class that is written by hand builds on: its arguments, and a class with its outputs. */
function addBase(module, { description }) {
  const { type } = description;
  module.interface(
    `${type}Settings`,
    `The arguments of a \`${type}\`, one by one.`,
    ownArguments(description).map((argument) => module.argument(argument)),
  );
  module.values.add(`import { RulesetsResource } from "../rulesets-resource.js";`);
  module.parts.push(
    `/** The outputs of a \`${type}\`. */\nexport abstract class ${type}Outputs extends RulesetsResource {\n${members(module, description).join("\n")}\n}`,
  );
}

/** The sources of the generated modules, by path. */
export function resourceTypes() {
  const [classes, bases] = [new Module(), new Module()];
  for (const kind of kinds) {
    if (kind.description.class === undefined) addBase(bases, kind);
    else addClass(classes, kind);
  }
  for (const module of [classes, bases]) module.addObjects();
  const provider = new Module();
  provider.interface(
    "ProviderArgs",
    "Arguments of `Provider`: credentials and settings of one account.",
    Object.entries(SETTINGS).map((setting) => provider.argument(setting)),
  );
  return {
    [`${FOLDER}/classes.ts`]: classes.text(),
    [`${FOLDER}/bases.ts`]: bases.text(),
    [`${FOLDER}/provider-args.ts`]: provider.text("core/model/settings.ts"),
  };
}

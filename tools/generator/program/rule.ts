import { parametersOf } from "../../../core/model/actions.js";
import { isList, isObject, textOf, type Json, type JsonObject } from "../../../core/model/json.js";
import { managedRulesets } from "../../../core/managed/rulesets.js";
import type { Path } from "../../../core/model/path.js";
import { uncheckedFields } from "../../../core/model/unchecked.js";
import { isUnknown } from "../../../core/model/unknown.js";
import { contentOf } from "../../../core/rules/content.js";
import { deriveRef } from "../../../core/rules/derive-ref.js";
import { literal, name, type Code, type Member, type Name } from "../code/code.js";
import { hasHiddenCharacters } from "../code/text.js";
import type { FoundRule } from "../inventory.js";
import { owaspCall } from "./owasp-call.js";
import { secretsOf, type SecretPart, type SecretText } from "./secrets.js";

/** The package that generated programs import. */
export const PACKAGE = "pulumi-rulesets";

/** What the code of a rule needs from the program around it. */
export interface RuleContext {
  /** The variable of a ruleset that the program declares. */
  readonly rulesetVariable: (rulesetId: string) => Name | undefined;
  /** The name of a ruleset that the program does not declare. */
  readonly rulesetName: (rulesetId: string) => string | undefined;
  /** The name of a rule of a managed ruleset, if it is known. */
  readonly managedRuleName: (ruleId: string) => string | undefined;
  /** The variable for a value that is a secret in another tool's state. */
  readonly unknownVariable: (path: Path) => Name;
  /** The variable for a secret. */
  readonly secretVariable: (part: SecretPart) => Name;
}

/** A rule as a program writes it: its content, and its ref if it was chosen by a user. */
export function ruleToWrite(rule: FoundRule): JsonObject {
  const content = contentOf(rule);
  return isOwnRef(rule, content) ? { ref: rule.ref, ...content } : content;
}

/** A rule created without a ref has its ID as ref, and this package derives refs from the content of rules. */
function isOwnRef({ id, ref }: FoundRule, content: JsonObject): boolean {
  if (ref === undefined || ref === "" || ref === id) return false;
  return deriveRef({ rule: content, secretFields: [] }, () => false) !== ref;
}

/** The code of a rule: an object, or a call of `owasp` if that expresses it completely. */
export function ruleCode(rule: JsonObject, context: RuleContext): Code {
  const secrets = new Map(secretsOf(rule).map((secret) => [pathKey(secret.path), secret]));
  const isKnown = parametersOf(textOf(rule.action)) !== undefined && uncheckedFields(rule).length === 0;
  const writer = new RuleWriter(context, secrets, !isKnown);
  return owaspCall(rule, (value, path) => writer.value(value, path)) ?? writer.value(rule, []);
}

function pathKey(path: Path): string {
  return path.join("\0");
}

/** The usual first keys of a rule and of objects in it; all other keys follow in alphabetical order. */
const FIRST = [
  "ref",
  "description",
  "id",
  "category",
  "name",
  "mode",
  "operation",
  "action",
  "expression",
  "enabled",
  "actionParameters",
  "statusCode",
  "contentType",
  "content",
  "characteristics",
  "period",
  "requestsPerPeriod",
  "scorePerPeriod",
  "from",
  "to",
  "value",
];

/** The keys of an object in output order, regardless of their original order. */
function orderedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return [...FIRST.filter((key) => keys.includes(key)), ...keys.filter((key) => !FIRST.includes(key)).sort()];
}

const MANAGED_NAMES = new Map(Object.entries(managedRulesets).map(([key, id]) => [id as string, key]));

/** The member of `managedRulesets` for a managed ruleset. */
export function managedName(rulesetId: string): Name | undefined {
  const key = MANAGED_NAMES.get(rulesetId);
  return key === undefined ? undefined : name(`managedRulesets.${key}`, PACKAGE);
}

class RuleWriter {
  constructor(
    private readonly context: RuleContext,
    private readonly secrets: ReadonlyMap<string, SecretText>,
    /** Whether the compiler cannot know the parameters of its action. */
    private readonly isComputed: boolean,
  ) {}

  value(value: Json, path: Path): Code {
    const secret = this.secrets.get(pathKey(path));
    if (secret !== undefined) return this.secret(secret);
    if (this.isComputed && pathKey(path) === "action" && typeof value === "string")
      return { kind: "call", callee: name("pulumi.output", "@pulumi/pulumi"), args: [literal(value)] };
    if (isUnknown(value)) return this.context.unknownVariable(path);
    if (isList(value)) return { kind: "list", items: value.map((item, index) => this.value(item, [...path, index])) };
    if (isObject(value)) return { kind: "object", members: this.members(value, path) };
    if (typeof value !== "string") return literal(value);
    if (isRulesetPlace(path)) return this.ruleset(value);
    const comment = isManagedRulePlace(path) ? this.context.managedRuleName(value) : undefined;
    return { kind: "literal", value, ...(comment === undefined ? {} : { comment }) };
  }

  private members(object: JsonObject, path: Path): Member[] {
    return orderedKeys(object).flatMap((key): Member[] => {
      const item = object[key];
      if (item === undefined) return [];
      const { comment, ...value } = this.value(item, [...path, key]);
      const managed = pathKey(path) === pathKey(["actionParameters", "rules"]) ? managedName(key) : undefined;
      return [{ key: managed ?? key, value: value, ...(comment === undefined ? {} : { comment }) }];
    });
  }

  private ruleset(id: string): Code {
    const comment = this.context.rulesetName(id);
    return (
      managedName(id) ??
      this.context.rulesetVariable(id) ?? { kind: "literal", value: id, ...(comment === undefined ? {} : { comment }) }
    );
  }

  private secret({ parts: quoted, unquoted }: SecretText): Code {
    const tagged = unquoted !== undefined && unquoted.every(canBeTagged) ? unquoted : undefined;
    const parts = tagged ?? quoted;
    // Between quotes, the value has to be given as it is written there.
    const isEscaped = tagged === undefined && quoted.length > 1;
    const names = parts.map((part) => {
      if (typeof part === "string") return part;
      const hint = [
        ...(part.hint === undefined ? [] : [part.hint]),
        ...(isEscaped && /["\\]/.test(part.value) ? ["with its backslashes"] : []),
      ];
      return this.context.secretVariable({ ...part, ...(hint.length === 0 ? {} : { hint: hint.join(", ") }) });
    });
    const [only] = names;
    if (names.length === 1 && only !== undefined && typeof only !== "string") return only;
    return tagged === undefined
      ? { kind: "template", tag: name("pulumi.interpolate", "@pulumi/pulumi"), parts: names }
      : { kind: "template", tag: name("expression", PACKAGE), isRaw: true, parts: names };
  }
}

/** Whether the tag `expression` reads a text as it is written: it passes on every backslash but those before a backtick or $. */
function canBeTagged(part: string | SecretPart): boolean {
  return typeof part !== "string" || (!hasHiddenCharacters(part) && !/\\(?:[`$]|$)/.test(part));
}

/** Whether a path contains the ID of a ruleset: one that a rule executes or skips. */
function isRulesetPlace([first, second, ...rest]: Path): boolean {
  if (first !== "actionParameters") return false;
  return (second === "id" && rest.length === 0) || (second === "rulesets" && rest.length === 1);
}

/** Whether a path contains the ID of a rule of a managed ruleset: one that is overridden or skipped. */
function isManagedRulePlace([first, second, third, ...rest]: Path): boolean {
  if (first !== "actionParameters") return false;
  return second === "overrides" ? third === "rules" && rest.at(-1) === "id" : second === "rules" && rest.length === 1;
}

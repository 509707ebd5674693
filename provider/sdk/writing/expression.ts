import * as pulumi from "@pulumi/pulumi";
import { RulesetsError } from "../../../core/model/errors.js";
import { RulesList } from "../resources/generated/classes.js";
import { bracketed, joined, negated, neighboursOf } from "../../../core/language/print/combine.js";
import { literalOf, type ExpressionValue, type Scalar } from "./literal.js";
import { Places, type ValuePosition } from "./place.js";

/** Outputs that contain an expression, so that another expression inserts them as one, and not as a quoted string. */
const expressions = new WeakSet<object>();

/** What can be used in `${…}`: a value, a list of values, outputs of either, or a list that the program declares. */
export type Placeholder = pulumi.Input<ExpressionValue> | readonly pulumi.Input<Scalar>[] | RulesList;

/**
 * An expression of the rules language, with values inserted in its syntax: strings are quoted, lists become sets, and
 * a value that is compared with an IP address or follows `matches` or `$` is written as an address, a pattern or the name of
 * a list. Values may be outputs; a secret value makes the expression secret. An expression inside another one is inserted
 * unchanged, in brackets if it needs them. Backslashes are passed on to the language, so do not double them. Throws
 * ARGUMENTS_INVALID for a value that is not valid in its position.
 * The language: https://developers.cloudflare.com/ruleset-engine/rules-language/.
 *
 * @example
 * ```ts
 * const office = expression`ip.src in ${["192.0.2.0/24", "2001:db8::/32"]}`;
 * const admin = expression`http.host eq ${host} and starts_with(http.request.uri.path, ${"/admin"})`;
 * const rule: Rule = { action: "block", expression: expression`${admin} and not ${office}` };
 * ```
 */
export function expression(texts: TemplateStringsArray, ...values: readonly Placeholder[]): pulumi.Output<string> {
  if (!Array.isArray((texts as { raw?: unknown } | undefined)?.raw))
    throw refusal(
      "expression",
      "is a template tag: write expression`…`. For a string that is already an expression, write expression.raw(text)",
    );
  const pieces = texts.raw.map((text) => text.replace(/\\(`|\$)/g, "$1"));
  const places = new Places();
  const parts = values.map((value, index): pulumi.Input<string> => {
    const before = pieces[index] ?? "";
    const refuse: Refuse = (reason) => refusal(placeWords(index, before), reason);
    const place = places.after(before);
    if (place === "quoted") throw refuse("is inside quotes; leave them out, they are added with the value");
    if (RulesList.isInstance(value)) return listName(value, place, refuse);
    if (isExpression(value)) return nested(value, neighboursOf(before, pieces[index + 1] ?? ""), place, refuse);
    return written(value, (known) => literalOf(known, place), refuse);
  });
  const all = pieces.flatMap((text, index) => [text, ...parts.slice(index, index + 1)]);
  return asExpression(pulumi.all(all).apply((known) => known.join("").trim()));
}

/** Uses a string that is already an expression, for example from a configuration. The preview checks it, not this call. */
expression.raw = (text: pulumi.Input<string>): pulumi.Output<string> =>
  asExpression(pulumi.output(condition("expression.raw", text)));

/** True if all conditions are true. Each is a string or an output, and gets brackets if it needs them. */
export function and(...conditions: readonly pulumi.Input<string>[]): pulumi.Output<string> {
  return combined("and", conditions);
}

/** True if at least one condition is true. Each is a string or an output, and gets brackets if it needs them. */
export function or(...conditions: readonly pulumi.Input<string>[]): pulumi.Output<string> {
  return combined("or", conditions);
}

/** True if a condition, given as a string or an output, is not true. */
export function not(opposite: pulumi.Input<string>): pulumi.Output<string> {
  return asExpression(pulumi.output(condition("not", opposite)).apply(negated));
}

function combined(operator: "and" | "or", conditions: readonly pulumi.Input<string>[]): pulumi.Output<string> {
  if (conditions.length === 0) throw refusal(`${operator}()`, "needs at least one condition");
  const texts = conditions.map((text, index) => condition(`${operator}, condition ${String(index + 1)}`, text));
  return asExpression(pulumi.all(texts).apply((known) => joined(operator, known)));
}

type Refuse = (reason: string) => RulesetsError;

function refusal(where: string, reason: string): RulesetsError {
  return new RulesetsError(`${where} ${reason}.`, { code: "ARGUMENTS_INVALID" });
}

const SHOWN = 40;

/** Identifies a value of a template by its number and the program's text before it. */
function placeWords(index: number, before: string): string {
  const words = before.trimStart();
  const shown = words.length > SHOWN ? `…${words.slice(-SHOWN)}` : words;
  return `expression: value ${String(index + 1)}${shown.trim() === "" ? "" : `, after \`${shown.trimEnd()}\`,`}`;
}

function asExpression(output: pulumi.Output<string>): pulumi.Output<string> {
  expressions.add(output);
  return output;
}

function isExpression(value: unknown): value is pulumi.Output<string> {
  return typeof value === "object" && value !== null && expressions.has(value);
}

function nested(
  inner: pulumi.Output<string>,
  neighbours: Parameters<typeof bracketed>[1],
  place: ValuePosition,
  refuse: Refuse,
): pulumi.Output<string> {
  if (place === "list" || place === "pattern") throw refuse("is an expression, but a string is needed here");
  return inner.apply((text) => bracketed(text, neighbours));
}

/** The name of a list of the program, which the list then exists before. */
function listName({ name }: RulesList, place: ValuePosition, refuse: Refuse): pulumi.Output<string> {
  if (place === "pattern") throw refuse("is a RulesList, but a string is needed here");
  return name.apply((known) => `${place === "list" ? "" : "$"}${literalOf(known, "list")}`);
}

/** A value as text: immediately if it is known, so that the stack trace of an error points to the line of the program. */
function written(value: unknown, write: (known: unknown) => string, refuse: Refuse): pulumi.Input<string> {
  const attempt = (known: unknown): string => {
    try {
      return write(known);
    } catch (error) {
      throw error instanceof TypeError ? refuse(error.message) : error;
    }
  };
  if (Array.isArray(value) && value.some(isExpression))
    throw refuse("contains an expression, but a set contains strings or whole numbers");
  const isLater = isLifted(value) || (Array.isArray(value) && value.some(isLifted));
  if (!isLater) return attempt(value);
  return (pulumi.output(value as pulumi.Input<object>) as pulumi.Output<unknown>).apply(attempt);
}

function isLifted(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** Checks that a value is a condition, or an output of one. */
function condition(where: string, text: unknown): pulumi.Input<string> {
  const known = (value: unknown): string => {
    if (typeof value !== "string") throw refusal(where, "must be a string in the rules language, or an output of one");
    if (value.trim() === "") throw refusal(where, "is blank; `true` matches every request");
    return value.trim();
  };
  return isLifted(text)
    ? (pulumi.output(text as pulumi.Input<object>) as pulumi.Output<unknown>).apply(known)
    : known(text);
}

import * as pulumi from "@pulumi/pulumi";
import { RulesetsError } from "../model/errors.js";
import { between, joined, negated, neighboursOf } from "./combine.js";
import { literalOf, type ExpressionValue, type Scalar } from "./literal.js";
import { Places, type Place } from "./place.js";

/** Outputs that hold an expression, so that another expression takes them as one and not as a text to quote. */
const expressions = new WeakSet<object>();

/** What stands in `${…}`: a value, a list of them, or outputs of either. */
export type Placeholder = pulumi.Input<ExpressionValue> | readonly pulumi.Input<Scalar>[];

/**
 * An expression of the rules language, with values put in as the language writes them: texts get quotes, lists become sets,
 * what is compared with an IP address or follows `matches` or `$` is written as that. Values may be outputs: what comes of
 * a secret is secret. An expression inside of another stays one, in brackets where it needs them. Backslashes are the
 * language's, as they stand. Throws ARGUMENTS_INVALID for a value that cannot stand where it stands.
 * The language: https://developers.cloudflare.com/ruleset-engine/rules-language/.
 *
 * @example
 * ```ts
 * const office = expression`ip.src in ${["192.0.2.0/24", "2001:db8::/32"]}`;
 * const admin = expression`http.host eq ${host} and starts_with(http.request.uri.path, ${"/admin"})`;
 * block({ expression: expression`${admin} and not ${office}` });
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
    const say: Refuse = (reason) => refusal(placeWords(index, before), reason);
    const place = places.after(before);
    if (place === "quoted") throw say("is inside quotes; leave them out, they are added with the value");
    if (isExpression(value)) return nested(value, neighboursOf(before, pieces[index + 1] ?? ""), place, say);
    return written(value, (known) => literalOf(known, place), say);
  });
  const all = pieces.flatMap((text, index) => [text, ...parts.slice(index, index + 1)]);
  return asExpression(pulumi.all(all).apply((known) => known.join("").trim()));
}

/** A text that is an expression already, such as one of a configuration. It is not checked before the preview. */
expression.raw = (text: pulumi.Input<string>): pulumi.Output<string> =>
  asExpression(pulumi.output(condition("expression.raw", text)));

/** Whether all of several conditions hold. Each is a text or an output, and gets brackets where it needs them. */
export function and(...conditions: readonly pulumi.Input<string>[]): pulumi.Output<string> {
  return combined("and", conditions);
}

/** Whether one of several conditions holds. Each is a text or an output, and gets brackets where it needs them. */
export function or(...conditions: readonly pulumi.Input<string>[]): pulumi.Output<string> {
  return combined("or", conditions);
}

/** Whether a condition, a text or an output, does not hold. */
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

/** Which value of a template it is, by its number and by the text before it, which the program wrote. */
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
  neighbours: Parameters<typeof between>[1],
  place: Place,
  say: Refuse,
): pulumi.Output<string> {
  if (place === "list" || place === "pattern") throw say("is an expression, but a string is needed here");
  return inner.apply((text) => between(text, neighbours));
}

/** A value as text: at once where it is known, so that what is wrong is told where it stands in the program. */
function written(value: unknown, write: (known: unknown) => string, say: Refuse): pulumi.Input<string> {
  const attempt = (known: unknown): string => {
    try {
      return write(known);
    } catch (error) {
      throw error instanceof TypeError ? say(error.message) : error;
    }
  };
  if (Array.isArray(value) && value.some(isExpression))
    throw say("contains an expression, but a set contains strings or whole numbers");
  const isLater = isLifted(value) || (Array.isArray(value) && value.some(isLifted));
  if (!isLater) return attempt(value);
  return (pulumi.output(value as pulumi.Input<object>) as pulumi.Output<unknown>).apply(attempt);
}

function isLifted(value: unknown): boolean {
  return pulumi.Output.isInstance(value) || value instanceof Promise;
}

/** A text that must be a condition, or an output of one. */
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

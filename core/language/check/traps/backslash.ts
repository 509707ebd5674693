import { childrenOf, type Node } from "../../tree.js";
import { characterOf, regexTokens, type RegexToken } from "../../regex/tokens.js";
import { printWith, textTestsOf, type TextTest } from "./text-tests.js";
import type { Trap } from "./trap.js";

/** Fields whose values have no backslash: hosts, and URLs, in which the service makes it a slash. */
const WITHOUT = /^http\.(?:host|request\.(?:full_uri|uri|uri\.path))$/;

/** A backslash that is doubled, as JSON and many languages need it in their strings: the pattern then matches the backslash itself. */
export const backslash: Trap = ({ parts }) =>
  parts
    .filter(({ of }) => !isDecoded(of))
    .flatMap(textTestsOf)
    .flatMap((test) => {
      const doubled = doubledIn(test);
      if (doubled.length === 0) return [];
      const instead = printWith(
        test,
        doubled.reduceRight((text, at) => text.slice(0, at) + text.slice(at + 1), test.value),
      );
      const { start, end } = test.literal.span;
      const message = `in a regular expression, \`\\\\\` matches a backslash, and \`${test.field.name}\` has none. Write \`${instead}\``;
      return { code: "backslash", severity: "warning", offset: start, end, message, instead };
    });

function doubledIn({ how, field, value }: TextTest): readonly number[] {
  if (how !== "regex" || field.path.length > 0 || !WITHOUT.test(field.name)) return [];
  const tokens = regexTokens(value);
  return tokens.flatMap(({ text, start }, at) => (text === "\\\\" && isEscaped(tokens.slice(at + 1)) ? [start] : []));
}

/** Whether a sign is one that is escaped in patterns, or a letter that is a class with a backslash, such as `d`. */
function isEscaped([sign, next]: readonly RegexToken[]): boolean {
  if (sign === undefined) return false;
  if (sign.kind !== "literal") return sign.text === "." || sign.text === "?";
  return /^[/-]$/.test(sign.text) || (/^[dDsSwWb]$/.test(sign.text) && !/^\w$/.test(characterOf(next) ?? ""));
}

/** An encoded backslash stays encoded in these fields. */
function isDecoded(node: Node): boolean {
  if (node.kind !== "call" && node.kind !== "comparison") return false;
  return (node.kind === "call" && node.name === "url_decode") || childrenOf(node).some(isDecoded);
}

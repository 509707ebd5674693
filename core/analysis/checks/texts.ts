import type { Argument, Comparison, Condition, Literal, Operand, Test } from "../../language/ast.js";
import { isCondition, isOperand } from "../../language/ast.js";
import { showBytes } from "../../language/bytes.js";
import { compileExpression, makeRequest, type RequestInput } from "../../language/index.js";
import { printCondition, printOperand } from "../../language/print/index.js";
import type { RulePlace } from "../../simulator/place.js";
import { describeRequest } from "../witness/describe-request.js";
import type { AnalysisFinding } from "./finding.js";

/** A string that looks right but matches something else than intended, with a request that shows it. */
interface Suspicion {
  readonly code: "encoded-text" | "header-name-case";
  readonly part: Condition;
  readonly message: string;
  readonly request: RequestInput;
}

/** Comparisons that do not match what they appear to match, each shown by a request. */
export function checkTexts(condition: Condition, rule: RulePlace): readonly AnalysisFinding[] {
  return comparisonsOf(condition)
    .flatMap(suspicionsOf)
    .filter(isConfirmed)
    .map(({ code, part, message, request: input }) => {
      const shown = `${message}. For example, ${exampleWords(condition, part, input)}`;
      return {
        code,
        severity: "warning",
        verdict: "witness",
        rule,
        part: printCondition(part),
        message: shown,
        request: makeRequest(input),
        input,
      };
    });
}

/** Reports only what the evaluator confirms: the comparison does not match the request. */
function isConfirmed({ part, request }: Suspicion): boolean {
  return verdictOf(part, request) === false;
}

/** A rule may match the request all the same, for another reason or because the comparison is negated. */
function exampleWords(condition: Condition, part: Condition, request: RequestInput): string {
  const shown = describeRequest(request);
  return verdictOf(condition, request) === false
    ? `it does not match ${shown}`
    : `\`${printCondition(part)}\` is false for ${shown}`;
}

function verdictOf(condition: Condition, request: RequestInput): unknown {
  try {
    return compileExpression(printCondition(condition)).evaluate(makeRequest(request)).value;
  } catch {
    return undefined;
  }
}

/** Comparisons and calls in a condition; quantifiers are taken as a whole. */
function comparisonsOf(condition: Condition): readonly Condition[] {
  switch (condition.kind) {
    case "group":
    case "not":
      return comparisonsOf(condition.of);
    case "combination":
      return condition.items.flatMap(comparisonsOf);
    default:
      return [condition];
  }
}

function suspicionsOf(part: Condition): readonly Suspicion[] {
  const found = textsOf(part);
  const check = found === undefined ? undefined : checkFor(found.operand);
  if (found === undefined || check === undefined) return [];
  return found.texts().flatMap((text) => check(part, found.operand, text) ?? []);
}

type TextCheck = (part: Condition, operand: Operand, text: string) => Suspicion | undefined;

/** What can be wrong with a string depends on what it is compared with; mostly nothing can. */
function checkFor(operand: Operand): TextCheck | undefined {
  if (operand.kind === "call" && operand.name === "url_decode") return encodedIn;
  if (URL_PART.test(insideLower(operand).name)) return plainIn;
  return HEADER_NAMES.test(operand.name) ? headerName : undefined;
}

function insideLower(operand: Operand): Operand {
  const [of] = operand.kind === "call" && operand.name === "lower" ? operand.args : [];
  return of !== undefined && isOperand(of) ? of : operand;
}

interface Texts {
  readonly operand: Operand;
  readonly texts: () => readonly string[];
}

/** The operand of a string comparison, and the strings. */
function textsOf(part: Condition): Texts | undefined {
  if (part.kind === "comparison") return { operand: part.left, texts: () => literalsOf(part) };
  if (part.kind === "quantifier") return ofArgument(part.of);
  return part.kind === "truth" ? ofCall(part.operand) : undefined;
}

function ofArgument(argument: Argument): Texts | undefined {
  if (isCondition(argument)) return argument.kind === "group" ? textsOf(argument.of) : textsOf(argument);
  return isOperand(argument) ? ofCall(argument) : undefined;
}

function ofCall(operand: Operand): Texts | undefined {
  if (operand.kind !== "call" || !/^(starts|ends)_with$/.test(operand.name)) return undefined;
  const [of, text] = operand.args;
  return of !== undefined && isOperand(of) && text?.kind === "string"
    ? { operand: of, texts: () => [text.value] }
    : undefined;
}

function literalsOf({ test }: Comparison): readonly string[] {
  const right: Test["right"] = test.right;
  if (test.kind === "in") {
    return right.kind === "set" ? right.items.flatMap((item) => (item.kind === "string" ? [item.value] : [])) : [];
  }
  if (test.kind === "order" && test.op !== "eq") return [];
  return isText(right) ? [right.value] : [];
}

function isText(right: Test["right"]): right is Extract<Literal, { kind: "string" }> {
  return right.kind === "string";
}

const ENCODED = /%[0-9A-Fa-f]{2}/;

/** `%20` compared with a value that `url_decode` has decoded. */
function encodedIn(part: Condition, operand: Operand, text: string): Suspicion | undefined {
  if (!ENCODED.test(text)) return undefined;
  const path = (text.startsWith("/") ? text : `/${text}`).replaceAll("*", "");
  return {
    ...{ code: "encoded-text", part, request: { url: `https://www.example.com${path}` } },
    message: `\`${printOperand(operand)}\` is decoded, and \`${showBytes(text)}\` is percent-encoded; write the decoded text`,
  };
}

const URL_PART = /^(?:raw\.)?http\.request\.(?:full_uri|uri|uri\.path|uri\.query|uri\.path\.basename)$/;
const NEVER_PLAIN = /[^!#-;=?-_a-~]/;

/** A space or a non-ASCII letter compared with a part of the URL, which clients send percent-encoded. */
function plainIn(part: Condition, operand: Operand, text: string): Suspicion | undefined {
  if (!NEVER_PLAIN.test(text)) return undefined;
  const shown = showBytes(text).replaceAll("*", "");
  const path = shown.startsWith("http") ? "/" : shown.startsWith("/") ? shown : `/${shown}`;
  const { name } = insideLower(operand);
  const url = name.endsWith("query") ? `https://www.example.com/?${shown}` : `https://www.example.com${path}`;
  const encoded = name === operand.name ? encodeURI(shown) : encodeURI(shown).toLowerCase();
  return {
    ...{ code: "encoded-text", part, request: { url } },
    message: `\`${name}\` is percent-encoded as clients send it; write \`${encoded}\`, or compare \`url_decode(${name})\``,
  };
}

const HEADER_NAMES = /^(?:raw\.)?http\.request\.headers\.names$/;

/** Header names as sent: in lower case since HTTP/2. */
function headerName(part: Condition, operand: Operand, text: string): Suspicion | undefined {
  if (!/[A-Z]/.test(text) || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text)) return undefined;
  return {
    ...{
      code: "header-name-case",
      part,
      request: { url: "https://www.example.com/", headers: { [text]: "1" }, httpVersion: "2" },
    },
    message: `\`${operand.name}\` contains names as the client sent them, which are in lower case since HTTP/2; compare \`lower(${operand.name}[*])[*]\` with \`${text.toLowerCase()}\``,
  };
}

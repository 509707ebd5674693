import type { Argument, CallOperand, Operand } from "../../language/ast.js";
import { isOperand } from "../../language/ast.js";
import { decodeUrl } from "../../language/compile/functions/encoding.js";
import type { Bytes } from "../../language/value.js";
import { ofConcat, ofLower, ofSubstring, ofUpper, ofUrlDecode, type Preimage } from "../text/preimages.js";
import type { TextBase } from "../text/automaton.js";
import { canonicalName, hasLowerKeys } from "./facts.js";
import type { TextTerm } from "./term.js";
import type { Fields } from "./fields.js";
import type { Terms } from "./terms.js";

/** A string that an operand computes from one term. */
export interface TextView {
  readonly term: TextTerm;
  /** Maps a set of results to the set of term values that produce them. */
  readonly preimage: Preimage;
  /** The result for a missing term; undefined means it is missing too. */
  readonly ofNil: Bytes | undefined;
  /** Whether the term is the result of a function, not what it is computed from. */
  readonly isOpaque: boolean;
  /** The field that earlier rules rewrite, whose value before that is the term. */
  readonly rewritten?: string;
}

const same: Preimage = (base) => base;

/** Whether an operand is always missing: a field that its phase does not have, or a header whose name has capitals. */
export function isAlwaysMissing(operand: Operand, fields: Fields): boolean {
  if (operand.kind === "call") return false;
  if (fields.isAbsent(operand.name)) return true;
  const [key] = operand.path;
  return key?.kind === "key" && hasLowerKeys(operand.name) && /[A-Z]/.test(key.value);
}

/** How an operand of type String depends on one term; undefined if it depends on anything else. */
export function textView(operand: Operand, terms: Terms, fields: Fields): TextView | undefined {
  const inner = operand.kind === "call" && operand.path.length === 0 ? callView(operand, terms, fields) : undefined;
  if (inner !== undefined) return inner;
  const name = operand.kind === "field" && operand.path.length === 0 ? canonicalName(operand.name) : undefined;
  const rewrites = name !== undefined && fields.rewrites?.has(name) === true ? fields.rewrites : undefined;
  const term = terms.scalar(operand, rewrites?.before ?? fields);
  const isOpaque = operand.kind === "call";
  const rewritten = rewrites === undefined ? undefined : name;
  return term?.kind === "text" ? { term, preimage: same, ofNil: undefined, isOpaque, rewritten } : undefined;
}

function callView(call: CallOperand, terms: Terms, fields: Fields): TextView | undefined {
  const [first] = call.args;
  if (call.name === "concat") return concatView(call.args, terms, fields);
  if (first === undefined || !isOperand(first) || first.mapped || first.type.kind !== "string") return undefined;
  const of = preimageOf(call);
  if (of === undefined) return call.name === "coalesce" ? coalesceView(first, call.args, terms, fields) : undefined;
  const view = textView(first, terms, fields);
  if (view === undefined) return undefined;
  return {
    ...view,
    preimage: (base) => view.preimage(of.preimage(base)),
    ofNil: view.ofNil === undefined ? undefined : of.apply(view.ofNil),
  };
}

/** The preimage of a function on one string; undefined if it is not a set of strings. */
export function preimageOf(
  call: CallOperand,
): { readonly preimage: Preimage; readonly apply: (bytes: Bytes) => Bytes } | undefined {
  switch (call.name) {
    case "lower":
      return { preimage: ofLower, apply: (bytes) => bytes.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) };
    case "upper":
      return { preimage: ofUpper, apply: (bytes) => bytes.replace(/[a-z]/g, (letter) => letter.toUpperCase()) };
    case "url_decode": {
      const options = call.args[1];
      if (options !== undefined && (options.kind !== "string" || /[ur]/.test(options.value))) return undefined;
      return { preimage: ofUrlDecode, apply: (bytes) => decodeUrl(bytes, false, false) };
    }
    case "substring": {
      const from = smallInteger(call.args[1]);
      const to = call.args[2] === undefined ? undefined : smallInteger(call.args[2]);
      if (from === undefined || (call.args[2] !== undefined && to === undefined)) return undefined;
      return { preimage: ofSubstring(from, to), apply: (bytes) => bytes.slice(from, to) };
    }
    default:
      return undefined;
  }
}

const MAX_POSITION = 512;

/** Undefined for a position from the end, too. */
function smallInteger(argument: Argument | undefined): number | undefined {
  if (argument?.kind !== "integer") return undefined;
  const value = Number(argument.value);
  return value >= 0 && value <= MAX_POSITION ? value : undefined;
}

/** One operand between literals. */
function concatView(args: readonly Argument[], terms: Terms, fields: Fields): TextView | undefined {
  const at = args.findIndex(isOperand);
  const operand = args[at];
  if (operand === undefined || !isOperand(operand) || operand.mapped || operand.type.kind !== "string")
    return undefined;
  const texts = args.map((argument) => (argument.kind === "string" ? argument.value : undefined));
  if (texts.some((text, index) => text === undefined && index !== at)) return undefined;
  const view = textView(operand, terms, fields);
  if (view === undefined) return undefined;
  const before = texts.slice(0, at).join("");
  const after = texts.slice(at + 1).join("");
  const preimage = ofConcat(before, after);
  // A missing value counts as empty.
  return { ...view, preimage: (base) => view.preimage(preimage(base)), ofNil: before + (view.ofNil ?? "") + after };
}

/** A field, or a literal if the field is missing. */
function coalesceView(first: Operand, args: readonly Argument[], terms: Terms, fields: Fields): TextView | undefined {
  const other = args[1];
  if (other?.kind !== "string") return undefined;
  const view = textView(first, terms, fields);
  return view === undefined ? undefined : { ...view, ofNil: view.ofNil ?? other.value };
}

/** Whether a missing value is in a set. */
export function nilFits(view: TextView, base: TextBase, positive: boolean): boolean {
  return view.ofNil !== undefined && base.has(view.ofNil) === positive;
}

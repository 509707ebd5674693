// Why Cloudflare's engine and ours may disagree, which docs/language.md sums up.

const FIELDS = "a field that the scheme of the wheel does not have";
const NEWER = "a well-formed unknown name, which may be newer: a warning";
const FUNCTIONS = "a call: the wheel has signatures of its own, ours are those of Cloudflare's pages";
const UNSURE = "a type that Cloudflare's pages do not state: a warning";
const REGEX = "a regular expression: which version the service has is not public, so a warning";
const BLANK = "a blank text: the wheel takes it, the service does not";
const ADDRESSES = "in a set, a number or leading zeros as an address: nobody means 80.0.0.0 by 80";
const BITS = "`bitwise_and` with a field on its right side, which Cloudflare does not document";
const ARRAY = "a field that is an array for Cloudflare's pages, and a text in the scheme of the wheel";

/**
 * @param theirs the error of Cloudflare's engine; null if it accepts the expression
 * @returns the row that explains a difference; undefined if none does
 */
export function differenceOf(expression, theirs, { findings }) {
  const [first] = findings;
  if (theirs === null) {
    if (first.message.includes("is blank")) return BLANK;
    if (first.message.startsWith("expected an integer, found")) return BITS;
    if (first.code === "argument" || first.code === "function-use") return FUNCTIONS;
    if (/`[\d.:/]+` is not/.test(first.message) || /has type IP address, but `\d+` is not/.test(first.message))
      return ADDRESSES;
    return undefined;
  }
  const warns = (...checks) => findings.some(({ code }) => checks.includes(code));
  if (warns("unknown-field", "unknown-function")) return NEWER;
  if (theirs.includes("unknown identifier")) return FIELDS;
  if (/invalid (?:number|kind|type|value) of argument/.test(theirs)) return FUNCTIONS;
  if (warns("regex")) return REGEX;
  if (warns("type", "argument")) return UNSURE;
  if (expression.includes("cf.appsec.request.failed_detections")) return ARRAY;
  return undefined;
}

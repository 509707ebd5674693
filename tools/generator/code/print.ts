import type { Code, Member } from "./code.js";
import { inComment, propertyName, quoted, rawPart, templatePart, widthOf } from "./text.js";

/** The line width of generated programs, also set for Prettier in their `package.json`. */
export const PRINT_WIDTH = 120;
const TAB_WIDTH = 2;
/** Prettier does not break the line after a key this short. */
const SHORT_KEY = TAB_WIDTH + 3;

/** The position where code begins, and the number of characters that must fit after it on its last line. */
interface Place {
  readonly indent: number;
  readonly column: number;
  readonly after: number;
}

/**
 * Prints an expression exactly as Prettier formats it, so that formatting a generated program changes nothing.
 * @param before the text before it on the line
 */
export function printCode(code: Code, before = ""): string {
  return print(code, { indent: 0, column: widthOf(before), after: ";".length });
}

function print(code: Code, place: Place): string {
  const flat = inLine(code);
  if (flat !== undefined && place.column + widthOf(flat) + place.after <= PRINT_WIDTH) return flat;
  switch (code.kind) {
    case "list":
      return isNumbers(code.items) ? numbers(code.items, place.indent) : list(code.items, place.indent);
    case "object":
      return object(code.members, place.indent);
    case "call":
      return call(code, place);
    case "template":
      return template(code);
    default:
      return flat ?? "";
  }
}

/** The code on one line, regardless of its length; undefined if it always needs several lines. */
function inLine(code: Code): string | undefined {
  switch (code.kind) {
    case "name":
      return code.text;
    case "literal":
      return typeof code.value === "string" ? quoted(code.value) : String(code.value).replace("e+", "e");
    case "template":
      return hasLines(code.parts) ? undefined : template(code);
    case "list":
      return mustBreak(code.items) ? undefined : joined(code.items, (item) => item, "[", "]");
    case "object": {
      if (code.members.length === 0) return "{}";
      if (code.open === true || code.members.some(({ comment, value }) => comment !== undefined || isLong(value)))
        return undefined;
      return joined(code.members, memberInLine, "{ ", " }");
    }
    case "call":
      return joined(code.args, (item) => item, `${head(code)}(`, ")");
  }
}

function memberInLine({ key, value }: Member): Code | undefined {
  const text = inLine(value);
  return text === undefined
    ? undefined
    : { kind: "name", text: isShorthand(key, value) ? text : `${keyText(key)}: ${text}` };
}

function joined<T>(items: readonly T[], codeOf: (item: T) => Code | undefined, open: string, close: string) {
  const texts: string[] = [];
  for (const item of items) {
    const code = codeOf(item);
    const text = code === undefined || code.comment !== undefined ? undefined : inLine(code);
    if (text === undefined) return undefined;
    texts.push(text);
  }
  return `${open}${texts.join(", ")}${close}`;
}

/** Prettier puts each item of a list on its own line if there are several objects or lists with more than one member. */
function mustBreak(items: readonly Code[]): boolean {
  const [first] = items;
  if (items.length < 2 || (first?.kind !== "object" && first?.kind !== "list")) return false;
  return items.every((item) => item.kind === first.kind && sizeOf(item) > 1);
}

function sizeOf(code: Code): number {
  return code.kind === "object" ? code.members.length : code.kind === "list" ? code.items.length : 0;
}

function isNumbers(items: readonly Code[]): boolean {
  return items.length > 1 && items.every((item) => item.kind === "literal" && typeof item.value === "number");
}

/** Lists of numbers fill their lines. */
function numbers(items: readonly Code[], indent: number): string {
  const inner = " ".repeat(indent + TAB_WIDTH);
  const lines: string[] = [];
  for (const item of items) {
    const text = `${inLine(item) ?? ""},`;
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + text.length > PRINT_WIDTH) lines.push(`${inner}${text}`);
    else lines[lines.length - 1] = `${last} ${text}`;
  }
  return `[\n${lines.join("\n")}\n${" ".repeat(indent)}]`;
}

function list(items: readonly Code[], indent: number): string {
  const inner = indent + TAB_WIDTH;
  const lines = items.map(
    (item) =>
      `${comment(item.comment, inner)}${" ".repeat(inner)}${print(item, { indent: inner, column: inner, after: 1 })},`,
  );
  return `[\n${lines.join("\n")}\n${" ".repeat(indent)}]`;
}

function object(members: readonly Member[], indent: number): string {
  const inner = indent + TAB_WIDTH;
  const lines = members.map((one) => `${comment(one.comment, inner)}${" ".repeat(inner)}${member(one, inner)},`);
  return `{\n${lines.join("\n")}\n${" ".repeat(indent)}}`;
}

function member({ key, value }: Member, indent: number): string {
  if (isShorthand(key, value)) return inLine(value) ?? "";
  const start = `${keyText(key)}:`;
  if (value.kind === "literal" && isLong(value))
    return `${start} ${template({ kind: "template", parts: [String(value.value)] })}`;
  const column = indent + widthOf(start) + 1;
  const text = print(value, { indent, column, after: 1 });
  const tooLong = !text.includes("\n") && column + widthOf(text) + 1 > PRINT_WIDTH;
  const breaks = tooLong && isBreakable(value) && !(typeof key === "string" && widthOf(keyText(key)) < SHORT_KEY);
  return breaks ? `${start}\n${" ".repeat(indent + TAB_WIDTH)}${text}` : `${start} ${text}`;
}

/** Strings and member expressions move to the next line if they do not fit after their key. */
function isBreakable(value: Code): boolean {
  return (
    (value.kind === "literal" && typeof value.value === "string") || (value.kind === "name" && value.text.includes("."))
  );
}

/** A string with several lines is written as a template literal. */
function isLong(value: Code): boolean {
  return value.kind === "literal" && typeof value.value === "string" && value.value.includes("\n");
}

function hasLines(parts: readonly (string | Code)[]): boolean {
  return parts.some((part) => typeof part === "string" && part.includes("\n"));
}

function isShorthand(key: Member["key"], value: Code): boolean {
  return typeof key === "string" && value.kind === "name" && value.text === key;
}

function keyText(key: Member["key"]): string {
  return typeof key === "string" ? propertyName(key) : `[${key.text}]`;
}

function head({ isNew, callee }: Extract<Code, { readonly kind: "call" }>): string {
  return isNew === true ? `new ${callee.text}` : callee.text;
}

/** The last argument stays on the line of the call if all arguments before it do. */
function call(code: Extract<Code, { readonly kind: "call" }>, { indent, column }: Place): string {
  const last = code.args.at(-1);
  const others = joined(code.args.slice(0, -1), (item) => item, "", "");
  if (last?.kind === "object" && others !== undefined) {
    const start = `${head(code)}(${others === "" ? "" : `${others}, `}`;
    if (column + widthOf(start) + 1 <= PRINT_WIDTH) return `${start}${object(last.members, indent)})`;
  }
  const inner = indent + TAB_WIDTH;
  const lines = code.args.map(
    (item) => `${" ".repeat(inner)}${print(item, { indent: inner, column: inner, after: 1 })},`,
  );
  return `${head(code)}(\n${lines.join("\n")}\n${" ".repeat(indent)})`;
}

function template({ parts, tag, isRaw }: Extract<Code, { readonly kind: "template" }>): string {
  const written = isRaw === true ? rawPart : templatePart;
  const inside = parts.map((part) => (typeof part === "string" ? written(part) : `\${${part.text}}`));
  return `${tag?.text ?? ""}\`${inside.join("")}\``;
}

function comment(text: string | undefined, indent: number): string {
  return text === undefined ? "" : `${" ".repeat(indent)}// ${inComment(text)}\n`;
}

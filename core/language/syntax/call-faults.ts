import { peekLogical } from "./keywords.js";
import type { Scanner } from "./scanner.js";
import { failAtTrap, OPERATORS } from "./traps.js";

/** Says of `or (…)` at the start of a condition that it is no call. */
export const nothingBefore = (operator: string): string =>
  `\`${operator}\` is an operator; the condition before it is missing`;

/** Fails after an argument that is followed by neither a comma nor a closing parenthesis. */
export function failInCall(scanner: Scanner, name: string, open: number): never {
  scanner.skipSpace();
  if (scanner.done) scanner.fail(`the parentheses of \`${name}\` are never closed`, open, open + 1);
  if (peekLogical(scanner) !== undefined) {
    if (OPERATORS.includes(name)) scanner.fail(nothingBefore(name), open, open + 1);
    const hint = `Wrap the condition in parentheses: \`${name}((a and b))\``;
    scanner.fail(`\`${name}\` takes a single comparison. ${hint}`, scanner.at, scanner.at + 1);
  }
  failAtTrap(scanner);
  if (name !== "any" && name !== "all") return scanner.expected("`,` or `)`");
  if (scanner.peek() === ",") scanner.fail(`\`${name}\` takes one argument`);
  return scanner.expected(`\`)\` of \`${name}\``);
}

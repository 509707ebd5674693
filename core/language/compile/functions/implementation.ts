import type { Argument } from "../../ast.js";
import type { Evaluated, Value } from "../../value.js";

/** Computes a call from its arguments, none of which is unknown. `undefined` is nil. */
export type Implementation = (values: readonly (Value | undefined)[]) => Evaluated;

/** Creates an implementation that prepares something from the arguments as written, such as a pattern. */
export type Prepare = (args: readonly Argument[]) => Implementation;

/** The bytes of a literal string argument. */
export function literalString(argument: Argument | undefined): string | undefined {
  return argument?.kind === "string" ? argument.value : undefined;
}

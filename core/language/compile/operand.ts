import type { Argument, CallOperand, Index, Operand } from "../ast.js";
import { isCondition, isOperand } from "../ast.js";
import { isArray, isMap, mapValues, PartlyUnknown, Unknown, type Evaluated, type Value } from "../value.js";
import type { Context, Evaluate } from "./context.js";
import { shareOf } from "../shares.js";
import { implementationOf } from "./functions/index.js";
import { numberIn } from "./functions/share.js";
import type { Implementation } from "./functions/implementation.js";

/** Compiles a condition used as an argument; an array of conditions becomes an array of Booleans. */
type CompileCondition = (argument: Exclude<Argument, Operand | { kind: "string" | "integer" | "ip" }>) => Evaluate;

/**
 * Compiles an operand to a single value. With `[*]` the value is an array of all elements, or nil if the array itself is nil.
 */
export function compileOperand(operand: Operand, conditions: CompileCondition): Evaluate {
  const { path } = operand;
  const base = operand.kind === "field" ? compileField(operand.name) : compileCall(operand, conditions);
  if (path.length === 0) return base;
  const each = path.findIndex((index) => index.kind === "each");
  if (each < 0) return (context) => walk(base(context), path);
  if (each === path.length - 1) {
    const before = path.slice(0, each);
    return (context) => elements(walk(base(context), before));
  }
  return (context) => {
    const value = base(context);
    return value === undefined || value instanceof Unknown ? value : spread(value, path);
  };
}

function compileField(name: string): Evaluate {
  if (name === "true") return () => true;
  if (name === "false") return () => false;
  return readerOf(name);
}

const readers = new Map<string, Evaluate>();

/** What reads a field: one for all expressions, so that it asks a context once in a row. */
function readerOf(name: string): Evaluate {
  const known = readers.get(name);
  if (known !== undefined) return known;
  const reader = onceInARow((context) => context.field(name));
  readers.set(name, reader);
  return reader;
}

/** Contexts do not change, so a value is computed once as long as the same one is asked about. */
function onceInARow(evaluate: Evaluate): Evaluate {
  let last: Context | undefined;
  let value: Evaluated;
  return (context) => {
    if (context === last) return value;
    value = evaluate(context);
    last = context;
    return value;
  };
}

function walk(value: Evaluated, path: readonly Index[]): Evaluated {
  let found = value;
  for (const index of path) {
    if (found instanceof PartlyUnknown && index.kind === "key") found = found.entry(index.value);
    else if (found === undefined || found instanceof Unknown) return found;
    else found = step(found, index);
  }
  return found;
}

function step(value: Value, index: Index): Value | undefined {
  if (index.kind === "position") return isArray(value) ? value[index.value] : undefined;
  return index.kind === "key" && isMap(value) ? value.get(index.value) : undefined;
}

function elements(value: Evaluated): Evaluated {
  return isMap(value) ? mapValues(value) : value;
}

/** All values that the path leads to, flattened. Elements without a value at an index are omitted. */
function spread(value: Value, path: readonly Index[]): readonly Value[] {
  let found: Value[] = [value];
  for (const index of path) {
    found = found.flatMap((one) => {
      if (index.kind === "each") return isMap(one) ? mapValues(one) : isArray(one) ? one : [];
      const next = step(one, index);
      return next === undefined ? [] : [next];
    });
  }
  return found;
}

function compileCall(call: CallOperand, conditions: CompileCondition): Evaluate {
  const args = call.args.map((argument) => compileArgument(argument, conditions));
  if (call.name === "coalesce") return (context) => firstPresent(args, context);
  const share = shareOf(call);
  if (share !== undefined) return ({ draw }) => numberIn(share, draw);
  const compute = implementationOf(call.name)(call.args);
  const first = call.args[0];
  return first !== undefined && isOperand(first) && first.mapped
    ? (context) => callForEach(args, compute, context)
    : (context) => callOnce(args, compute, context);
}

function compileArgument(argument: Argument, conditions: CompileCondition): Evaluate {
  if (isOperand(argument)) return compileOperand(argument, conditions);
  if (isCondition(argument)) return conditions(argument);
  const { value } = argument;
  return () => value;
}

function callOnce(args: readonly Evaluate[], compute: Implementation, context: Context): Evaluated {
  return withUnknowns(
    args.map((evaluate) => evaluate(context)),
    compute,
  );
}

/** A call is unknown if one of its arguments is. */
function withUnknowns(values: readonly Evaluated[], compute: Implementation): Evaluated {
  let unknown: Unknown | undefined;
  for (const value of values) if (value instanceof Unknown) unknown = Unknown.join(unknown, value);
  return unknown ?? compute(values as readonly (Value | undefined)[]);
}

/** A call over `[*]` is evaluated for each element; nil results are omitted. */
function callForEach(args: readonly Evaluate[], compute: Implementation, context: Context): Evaluated {
  const [first, ...others] = args.map((evaluate) => evaluate(context));
  if (first === undefined || first instanceof Unknown) return first;
  if (!isArray(first)) return undefined;
  const results: Value[] = [];
  for (const element of first) {
    const result = withUnknowns([element, ...others], compute);
    if (result instanceof Unknown) return result;
    if (result !== undefined) results.push(result);
  }
  return results;
}

function firstPresent(args: readonly Evaluate[], context: Context): Evaluated {
  for (const evaluate of args) {
    const value = evaluate(context);
    if (value !== undefined) return value;
  }
  return undefined;
}

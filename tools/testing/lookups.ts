import * as pulumi from "@pulumi/pulumi";
import { isObject } from "../../core/model/json.js";

/** Marks the result of a function that no mock gives. */
const NOT_GIVEN = "pulumi-rulesets:not-given:";

/** Stands for the result of a function. The SDK returns the only value of an object for some functions. */
export function notGiven(token: string): object {
  return { [NOT_GIVEN]: `${NOT_GIVEN}${token}` };
}

/** The function whose result this stands for; undefined for a result. */
function missingIn(result: unknown): string | undefined {
  const text = isObject(result) ? result[NOT_GIVEN] : result;
  return typeof text === "string" && text.startsWith(NOT_GIVEN) ? text.slice(NOT_GIVEN.length) : undefined;
}

type Call = (token: string, ...rest: readonly unknown[]) => unknown;

/** Functions of the SDK that return a promise, and those that return an output. */
const PLAIN = ["invoke", "invokeSingle"];
const AS_OUTPUT = ["invokeOutput", "invokeSingleOutput"];

const changed = new WeakSet<object>();

/**
 * Makes results that no mock gives unknown where they are outputs, and errors where they are promises, of which code could
 * compute anything. The SDK can express neither in a mock.
 */
export function markUnknownResults(): void {
  // The functions are properties of a module, which other packages read whenever they call one.
  const runtime = pulumi.runtime as unknown as Record<string, Call>;
  if (changed.has(runtime)) return;
  changed.add(runtime);
  for (const name of PLAIN) change(runtime, name, (result) => (result as Promise<unknown>).then(required));
  for (const name of AS_OUTPUT) change(runtime, name, (result) => (result as pulumi.Output<unknown>).apply(orUnknown));
}

function change(runtime: Record<string, Call>, name: string, after: (result: unknown) => unknown): void {
  const call = runtime[name];
  if (call !== undefined) runtime[name] = (...args) => after(call(...args));
}

function orUnknown(result: unknown): unknown {
  return missingIn(result) === undefined ? result : pulumi.unknown;
}

function required(result: unknown): unknown {
  const token = missingIn(result);
  if (token === undefined) return result;
  throw new Error(
    `the result of the function "${token}" is not known without the engine.\nTo continue: pass mocks (--mocks in commands) whose call ` +
      `returns it, or use the output form of the function`,
  );
}

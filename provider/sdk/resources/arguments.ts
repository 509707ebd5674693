import * as pulumi from "@pulumi/pulumi";
import { RulesetsError } from "../../../core/model/errors.js";
import { pathText, type Path } from "../../../core/model/path.js";

/** Refuses arguments that would never reach a check or would be damaged before it. Each error says what to write instead. */
export function guardArguments(type: string, name: string, args: unknown): void {
  const what = `${type} ${name}`;
  if (args === undefined || args === null)
    throw invalid(`${what} has no arguments: write new ${type}(${JSON.stringify(name)}, { … }).`);
  if (pulumi.Output.isInstance(args) || args instanceof Promise)
    throw invalid(
      `the arguments of ${what} are an output or a promise, so they are not known yet. ` +
        "Write them as an object, with an output for each value that is not known: { rules: settings.rules }.",
    );
  if (typeof args !== "object" || Array.isArray(args)) throw invalid(`the arguments of ${what} must be an object.`);
  for (const [key, value] of Object.entries(args)) {
    if ((key === "id" || key === "urn") && value !== undefined && value !== null)
      throw invalid(
        `${what} has no argument ${key}. Pulumi sets the ${key} of a resource, and drops such an argument.`,
      );
    // Pulumi stores outputs as properties of the resource, where they would replace inherited ones.
    if (key in Object.prototype && key !== "__proto__") throw invalid(`${what} has no argument ${key}.`);
    if (key.startsWith("__") && key !== "__proto__") throw invalid(`${what} has no argument ${key}.`);
  }
  guardValue(what, args, [], new Set());
}

/** Refuses `__proto__`, which JavaScript loses when it copies an object, circular values, and what Pulumi does not send. */
function guardValue(what: string, value: unknown, path: Path, above: Set<unknown>): void {
  const lost = droppedType(value);
  if (lost !== undefined)
    throw invalid(
      `${what}: ${pathText(path)} is a ${lost}, which Pulumi does not send. ` +
        "Write a string, a number, true, false, a list or an object.",
    );
  if (typeof value !== "object" || value === null || pulumi.Output.isInstance(value)) return;
  if (pulumi.Resource.isInstance(value) || value instanceof Promise) return;
  if (above.has(value)) throw invalid(`${what}: ${pathText(path)} contains itself.`);
  above.add(value);
  for (const [key, item] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    if (key === "__proto__")
      throw invalid(
        `${what}: ${pathText(path)}["__proto__"] cannot be sent: JavaScript loses it when it copies objects.`,
      );
    guardValue(what, item, [...path, key], above);
  }
  above.delete(value);
}

/** The type of a value that Pulumi leaves out or replaces with an empty object; undefined for any other value. */
function droppedType(value: unknown): string | undefined {
  if (typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") return typeof value;
  return DROPPED.find((type) => value instanceof type)?.name;
}

const DROPPED = [Date, RegExp, Map, Set] as const;

export function invalid(text: string): RulesetsError {
  return new RulesetsError(text, { code: "ARGUMENTS_INVALID" });
}

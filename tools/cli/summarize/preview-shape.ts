import { isList, isObject, type JsonObject } from "../../../core/model/json.js";
import { isUrn, ownType } from "../../../core/model/urn.js";

/** The kinds of steps of the engine, and which states they have. */
const STEPS: Readonly<Record<string, readonly ("oldState" | "newState")[]>> = {
  same: ["newState"],
  create: ["newState"],
  update: ["oldState", "newState"],
  delete: ["oldState"],
  replace: ["oldState", "newState"],
  "create-replacement": ["newState"],
  "delete-replaced": ["oldState"],
  read: ["newState"],
  "read-replacement": ["newState"],
  refresh: ["oldState"],
  discard: [],
  "discard-replaced": [],
  "remove-pending-replace": [],
  import: ["newState"],
  "import-replacement": ["newState"],
};
const SEVERITIES: ReadonlySet<unknown> = new Set(["debug", "info", "info#err", "warning", "error"]);

/**
 * Why a value is no output of `pulumi preview --json`, or one that this version does not understand; undefined for one that it does.
 * What is not understood must not look like a change that does nothing.
 */
export function misshapen({ steps = [], diagnostics = [] }: JsonObject): string | undefined {
  if (!isList(steps)) return "its steps are not a list";
  if (!isList(diagnostics)) return "its diagnostics are not a list";
  for (const [index, step] of steps.entries()) {
    const why = misshapenStep(step);
    if (why !== undefined) return `step ${String(index + 1)} ${why}`;
  }
  for (const [index, one] of diagnostics.entries()) {
    const why = misshapenDiagnostic(one);
    if (why !== undefined) return `diagnostic ${String(index + 1)} ${why}`;
  }
  return undefined;
}

function misshapenStep(step: unknown): string | undefined {
  if (!isObject(step)) return "is not an object";
  const { op, urn } = step;
  if (typeof urn !== "string" || !isUrn(urn)) return "has no URN of a resource";
  const states = typeof op === "string" && Object.hasOwn(STEPS, op) ? STEPS[op] : undefined;
  if (states === undefined) return `has an unknown operation: ${wordsOf(op)}`;
  for (const name of ["oldState", "newState"] as const) {
    const state = step[name] ?? undefined;
    if (state === undefined && states.includes(name) && ownType(urn) !== undefined) return `of ${urn} has no ${name}`;
    if (state !== undefined && !isObject(state)) return `of ${urn} has a ${name} that is not an object`;
  }
  return undefined;
}

function misshapenDiagnostic(one: unknown): string | undefined {
  if (!isObject(one)) return "is not an object";
  if (!SEVERITIES.has(one.severity)) return `has an unknown severity: ${wordsOf(one.severity)}`;
  // The engine leaves out an empty message.
  const { message = "" } = one;
  return typeof message === "string" ? undefined : "has a message that is not a string";
}

function wordsOf(value: unknown): string {
  return value === undefined ? "none" : JSON.stringify(value);
}

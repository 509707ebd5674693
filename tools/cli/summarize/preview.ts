import { parsePlan } from "../../../provider/engine/plan-text.js";
import { placesInNewZones } from "../../../core/invariants/new-zones.js";
import { newZonesInPreview } from "../../../core/model/new-zones.js";
import { parseListEffect, type ListEffect } from "../../../provider/validation/published-effect.js";
import type { PreviewPlan } from "../../../provider/engine/preview-plan.js";
import { isObject, type JsonObject, textOf, objectsIn } from "../../../core/model/json.js";
import { plural } from "../../../core/model/words.js";
import { misshapen } from "./preview-shape.js";

/** What the engine would do to one resource. */
export interface Step {
  /** `create`, `update`, `delete`, `replace` … */
  readonly op: string;
  readonly urn: string;
  readonly before?: ResourceState;
  readonly after?: ResourceState;
  /** Paths that differ, in the engine's notation: `rules["admin"].expression`. The only trace of secrets that differ. */
  readonly paths: readonly string[];
}

/** A resource as the preview shows it, with secrets as `[secret]`. */
export interface ResourceState {
  readonly id?: string;
  readonly inputs: JsonObject;
  readonly outputs: JsonObject;
  /** Stands for the ID of the zone that the same run creates for it, where the preview tells which one that is. */
  readonly newZone?: string;
}

export interface Diagnostic {
  readonly urn?: string;
  readonly severity: string;
  readonly message: string;
}

/** The content of `pulumi preview --json`. */
export interface Preview {
  readonly steps: readonly Step[];
  /** Its messages, without the plans. */
  readonly diagnostics: readonly Diagnostic[];
  /** By URN, what `pulumi up` would do to the resource. */
  readonly plans: ReadonlyMap<string, PreviewPlan>;
  /** By URN of a resource with rules, what changed lists do through its rules. */
  readonly listEffects: ReadonlyMap<string, ListEffect>;
  /** The number of resources per kind of step; empty when the preview ended early: each run counts at least the stack itself. */
  readonly counts: Readonly<Record<string, number>>;
}

/**
 * Parses the output of `pulumi preview --json`.
 * @param name of the file, for messages
 * @throws Error when it is something else
 */
export function parsePreview(text: string, name: string): Preview {
  const value = parseJson(text, name);
  if (!isObject(value) || (!Array.isArray(value.steps) && !Array.isArray(value.diagnostics)))
    throw new Error(`${name} is not the output of \`pulumi preview --json\`: it has neither steps nor diagnostics`);
  const why = misshapen(value);
  if (why !== undefined)
    throw new Error(`${name} is not an output of \`pulumi preview --json\` that this version understands: ${why}`);
  const diagnostics = objectsIn(value.diagnostics).map(diagnosticFrom);
  const planned = diagnostics.map((one) => {
    const message = withoutLevel(one.message);
    return { ...one, plan: parsePlan(message), effect: parseListEffect(message) };
  });
  const steps = objectsIn(value.steps);
  const newZones = newZonesIn(value, steps);
  return {
    steps: withoutHalves(steps.map((step) => stepFrom(step, newZones))),
    diagnostics: diagnostics.filter((_, index) => {
      const { plan, effect } = planned[index] ?? {};
      return plan === undefined && effect === undefined;
    }),
    listEffects: new Map(
      planned.flatMap(({ urn, effect }) => (urn === undefined || effect === undefined ? [] : [[urn, effect]])),
    ),
    plans: new Map(planned.flatMap(({ urn, plan }) => (urn === undefined || plan === undefined ? [] : [[urn, plan]]))),
    counts: countsIn(value.changeSummary),
  };
}

function parseJson(text: string, name: string): unknown {
  if (text.trim() === "") {
    throw new Error(
      `${name} is empty. Pipe the JSON of a preview into the command: pulumi preview --json | npx pulumi-rulesets summarize`,
    );
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const events = text.trimStart().startsWith('{"sequence"') || /\n\{"/.test(text);
    throw new Error(
      events
        ? `${name} contains a stream of events, one per line: unset PULUMI_ENABLE_STREAMING_JSON_PREVIEW for this command`
        : `${name} is not JSON: run \`pulumi preview --json\`, and keep its standard error out of the file`,
    );
  }
}

/**
 * A replacement is one step, `replace`. With `--show-replacement-steps`, the engine also shows its halves, of which the one that
 * creates has both states.
 */
function withoutHalves(steps: readonly Step[]): readonly Step[] {
  const halves = new Map(steps.flatMap((step) => (step.op === CREATES ? [[step.urn, step]] : [])));
  return steps.flatMap((step) => {
    if (step.op === "replace" && halves.has(step.urn)) return [];
    return [step.op === CREATES ? { ...step, op: "replace" } : step];
  });
}

const CREATES = "create-replacement";
const CREATING: ReadonlySet<string> = new Set(["create", "replace", CREATES]);

/** By URN of a resource, what stands for the ID of the zone that the run creates for it. */
function newZonesIn(printed: JsonObject, steps: readonly JsonObject[]): ReadonlyMap<string, string> {
  const created = new Set(steps.flatMap(({ op, urn }) => (CREATING.has(textOf(op)) ? [textOf(urn)] : [])));
  const zones = Object.entries(newZonesInPreview(printed, () => true)).filter(([, { urn }]) => created.has(urn));
  return placesInNewZones(new Map(zones));
}

function stepFrom(step: JsonObject, newZones: ReadonlyMap<string, string>): Step {
  const [old, now] = [step.oldState, step.newState].map((state) => (isObject(state) ? state : undefined));
  const after = now === undefined ? undefined : stateFrom(now);
  const before = old === undefined ? undefined : stateFrom(old);
  const newZone = newZones.get(textOf(step.urn));
  return {
    op: textOf(step.op),
    urn: textOf(step.urn),
    paths: Object.keys(isObject(step.detailedDiff) ? step.detailedDiff : {}),
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after: newZone === undefined ? after : { ...after, newZone } }),
  };
}

function stateFrom({ id, inputs, outputs }: JsonObject): ResourceState {
  return {
    ...(typeof id === "string" && id !== "" ? { id } : {}),
    inputs: propsIn(inputs),
    outputs: propsIn(outputs),
  };
}

const propsIn = (props: unknown): JsonObject => (isObject(props) ? props : {});

function diagnosticFrom({ urn, severity, message }: JsonObject): Diagnostic {
  return { ...(typeof urn === "string" ? { urn } : {}), severity: textOf(severity), message: textOf(message).trim() };
}

/** The number of resources that do not change and that a preview leaves out, so that rules may be missing in it. */
export function leftOut({ steps, counts }: Preview): number {
  return (counts.same ?? 0) - steps.filter(({ op }) => op === "same").length;
}

/** Why a preview failed, so that changes may be missing in it; empty if it succeeded. */
export function failuresIn({ steps, diagnostics, counts }: Preview): readonly string[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  if (errors.length > 0) return errors.map(({ message }) => withoutLevel(message));
  if (Object.keys(counts).length === 0) return ["it ended before it counted the changes (`changeSummary`)"];
  // What is read again is counted by what has changed in it.
  if (steps.some(({ op }) => op === "refresh")) return [];
  return COUNTED.flatMap((op) => {
    const [counted = 0, shown] = [counts[op], steps.filter((step) => step.op === op).length];
    return counted > shown ? [`it counts ${plural(counted, `resource`)} to ${op}, and shows ${String(shown)}`] : [];
  });
}

/** Kinds of steps that a preview never hides. */
const COUNTED = ["create", "update", "delete", "replace", "import"];

/** A message without the word for its severity that the engine puts before it. */
export function withoutLevel(message: string): string {
  return message.replace(/^(?:error|warning|info): /, "");
}

function countsIn(summary: unknown): Record<string, number> {
  const entries = Object.entries(isObject(summary) ? summary : {});
  return Object.fromEntries(entries.filter((entry): entry is [string, number] => typeof entry[1] === "number"));
}

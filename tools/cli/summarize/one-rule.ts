import { isObject, pick, sameJson, type Json } from "../../../core/model/json.js";
import { CONTENT_FIELDS } from "../../../core/model/parse-rule.js";
import { UNKNOWN } from "../../../core/model/unknown.js";
import type { ResourceState, Step } from "./preview.js";
import type { RuleRow } from "./summary.js";

/** A step of a `RulesetRule` as a step of a ruleset with this one rule. */
export function asRuleset({ before, after, paths, ...step }: Step): Step {
  const ref = refOf(after ?? before);
  const prefix = `rules[${JSON.stringify(ref)}].`;
  const isOfRule = (path: string): boolean => CONTENT_FIELDS.includes(/^\w*/.exec(path)?.[0] ?? "");
  return {
    ...step,
    paths: paths.map((path) => (isOfRule(path) ? `${prefix}${path}` : path)),
    ...(before === undefined ? {} : { before: withRules(before) }),
    ...(after === undefined ? {} : { after: withRules(after) }),
  };
}

function withRules(state: ResourceState): ResourceState {
  const { inputs } = state;
  const ref = refOf(state);
  const rules = ref === UNKNOWN ? UNKNOWN : { [ref]: pick(inputs, CONTENT_FIELDS) };
  const kind = inputs.__kind;
  return {
    ...state,
    inputs: { ...inputs, rules, order: `${ref}\n`, ...(kind === undefined ? {} : { kind }) },
  };
}

function refOf(state: ResourceState | undefined): string {
  const ref = state?.inputs.ref;
  return typeof ref === "string" ? ref : UNKNOWN;
}

/** Whether the program moves the rule. Without a position, any place will do. */
export function isMoved({ before, after }: Step): boolean {
  const position = after?.inputs.position;
  return before !== undefined && position !== undefined && !sameJson(before.inputs.position, position);
}

/** The rows with the position of a rule that is new or moves. */
export function placedRows(rows: readonly RuleRow[], step: Step): readonly RuleRow[] {
  const place = placeWords(step.after?.inputs.position);
  if (place === undefined) return rows;
  const moved = isMoved(step);
  const from = placeWords(step.before?.inputs.position);
  return rows.map((row): RuleRow => {
    if (row.change === "added") return { ...row, place };
    if (!moved || row.change === "removed") return row;
    const isQuiet = row.change === "unchanged" || row.change === "formatting";
    return {
      ...row,
      change: isQuiet ? "moved" : row.change,
      moved: true,
      ...(from === undefined ? {} : { from }),
      place,
    };
  });
}

/** `before "admin"`, `the top`, `place 3`. */
function placeWords(position: Json | undefined): string | undefined {
  if (position === UNKNOWN) return NOT_YET;
  if (!isObject(position)) return undefined;
  const { before, after, index } = position;
  if (index !== undefined) return typeof index === "number" ? `place ${String(index)}` : NOT_YET;
  if (before === "") return "the top";
  if (after === "") return "the end";
  const [side, name] = before === undefined ? ["after", after] : ["before", before];
  if (name === UNKNOWN) return `${side} a rule that is not known before up`;
  return typeof name === "string" ? `${side} ${JSON.stringify(name)}` : undefined;
}

const NOT_YET = "a place that is not known before up";

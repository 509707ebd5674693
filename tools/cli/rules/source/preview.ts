import { rulesetsOfStates } from "../../../../core/invariants/states.js";
import { isList, isObject, mapValues, type Json, type JsonObject } from "../../../../core/model/json.js";
import { isWhollyHidden, undecided } from "../../../../core/model/judged-rule.js";
import { UNKNOWN } from "../../../../core/model/unknown.js";
import { ownType } from "../../../../core/model/urn.js";
import type { RuleInput } from "../../../../core/simulator/index.js";
import { PREVIEW_COMMAND } from "../../preview-command.js";
import { separateDrift } from "../../summarize/drift-steps.js";
import { failuresIn, leftOut, parsePreview } from "../../summarize/preview.js";
import { statesAfter } from "../../summarize/states.js";
import type { LoadedRules } from "../../../rules-files/loaded.js";

/**
 * The rules that a stack will have, from what `pulumi preview --json` wrote: a program in any language has them.
 * @param file for messages
 * @throws Error for a preview that failed, or without what stays as it is, because it may lack rules
 */
export function rulesOfPreview(text: string, file: string): LoadedRules {
  const preview = parsePreview(text, file);
  const [failure] = failuresIn(preview);
  if (failure !== undefined)
    throw new Error(`${file} is from a preview that failed, so rules may be missing in it: ${failure}`);
  if (leftOut(preview) > 0)
    throw new Error(
      `${file} is from a preview that leaves out resources which do not change. To continue: run \`${PREVIEW_COMMAND}\``,
    );
  const own = separateDrift(preview.steps).planned.filter(({ urn }) => ownType(urn) !== undefined);
  return {
    label: `the preview ${file}`,
    isPreview: true,
    rulesets: rulesetsOfStates(statesAfter(own)).map((input) => ({
      label: input.name ?? input.phase,
      input: { ...input, rules: input.rules.map(undecided) },
      pending: input.rules.map(pending),
      place: () => ({ file }),
    })),
    notes: [],
    secrets: [],
  };
}

/** A rule as checks take it. Where the analysis has marks, it has the engine's marker for what is not known. */
function pending({ opaque, ...rule }: RuleInput): JsonObject {
  const known = blurred(rule as JsonObject) as JsonObject;
  if (opaque === undefined) return known;
  const { action, expression = UNKNOWN } = known;
  return { ...known, expression, action: action === "unknown" ? UNKNOWN : (action ?? UNKNOWN) };
}

function blurred(value: Json | undefined): Json | undefined {
  if (isWhollyHidden(value)) return UNKNOWN;
  if (isList(value)) return value.map((item) => blurred(item) ?? null);
  if (!isObject(value)) return value;
  const isMark = typeof value.opaque === "string" && Object.keys(value).length === 1;
  return isMark ? UNKNOWN : mapValues(value, blurred);
}

export { check, type CheckAnswer } from "./check.js";
export { type RawInputs } from "./check-request.js";
export { create, type Created } from "./create.js";
export { deleteRuleset } from "./delete.js";
export { attend } from "./attend.js";
export { diff, type Change } from "./diff.js";
export { read } from "./read.js";
export { update } from "./update.js";
export { INPUT_NAMES, type CheckedInputs, type ResourceKind, type RulesetState } from "./model.js";

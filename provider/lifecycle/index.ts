export { check, type CheckAnswer, type RawInputs } from "./check.js";
export { create, type Created } from "./create.js";
export { deleteRuleset } from "./delete.js";
export { attend, diff, type Change } from "./diff.js";
export { read } from "./read.js";
export { update } from "./update.js";
export { INPUT_NAMES, type CheckedInputs, type ResourceKind, type RulesetState } from "./model.js";

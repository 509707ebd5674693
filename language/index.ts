// The rules language: what users and the other parts of the package import.
export type * from "./ast.js";
export { isCondition, isOperand } from "./ast.js";
export { locate, type CheckName, type Finding, type LocatedFinding } from "./finding.js";
export { parseExpression, type ExpressionKind, type Parsed } from "./syntax/index.js";
export { Unknown, type Bytes, type Found, type Integer, type Reason, type Value, type Verdict } from "./value.js";
export { analyse, checkExpression, type Checked, type Findings } from "./check/index.js";
export type { CheckOptions, ListKind, Plan, Slot, WantedType } from "./check/options.js";

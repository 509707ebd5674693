// The rules language: what users and the other parts of the package import.
export type * from "./ast.js";
export { isCondition, isOperand } from "./ast.js";
export { locate, type CheckName, type Finding, type LocatedFinding } from "./finding.js";
export { parseExpression, type ExpressionKind, type Parsed } from "./syntax/index.js";
export { Unknown, type Bytes, type Found, type Integer, type Reason, type Value, type Verdict } from "./value.js";

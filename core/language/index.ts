// The rules language: what users and the other parts of the package import.
export type * from "./ast.js";
export { isCondition, isOperand } from "./ast.js";
export {
  bySeverity,
  isAtLeast,
  isError,
  locate,
  SEVERITIES,
  type Finding,
  type FindingCode,
  type LocatedFinding,
  type Severity,
} from "./finding.js";
export { parseExpression, type ExpressionKind, type Parsed } from "./syntax/index.js";
export {
  PartlyUnknown,
  Unknown,
  type Bytes,
  type Evaluated,
  type Integer,
  type Reason,
  type Value,
  type Verdict,
} from "./value.js";
export { analyse, checkExpression, type Checked } from "./check/index.js";
export { expressionLength } from "./length.js";
export { PLANS, type CheckOptions, type ListKind, type Plan, type Slot, type WantedType } from "./check/options.js";
export type { Context, List } from "./compile/context.js";
export {
  compileExpression,
  compileFilter,
  compileValueExpression,
  ExpressionError,
  UndecidedError,
  type CompiledExpression,
  type CompiledValue,
  type Outcome,
} from "./compile/index.js";
export type { TracedPart } from "./compile/trace.js";
export { makeContext, type ContextInput } from "./request/context.js";
export { makeRequest, type RecordedInput, type RecordedPart, type RequestInput } from "./request/index.js";
export { makeList } from "./request/lists.js";
export type { PlainValue } from "./request/plain.js";
export { HttpRequest, type Rewrite } from "./request/request.js";
export { usesOf, type Uses } from "./uses.js";
export { normalForm, normaliseExpression, sameMeaning } from "./normalise/index.js";
export { printCondition, printExpression, printOperand } from "./print/index.js";

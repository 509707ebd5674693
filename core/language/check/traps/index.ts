import type { Expression } from "../../ast.js";
import type { TextFinding } from "../../finding.js";
import type { CheckOptions } from "../options.js";
import { backslash } from "./backslash.js";
import { onlyIpv4, privateAddress } from "./client-addresses.js";
import { hostDot } from "./host-dot.js";
import { missingValue } from "./missing-value.js";
import { notation, precedence } from "./operators.js";
import { partsOf } from "./parts.js";
import { pathStart } from "./path-start.js";
import { star } from "./star.js";
import { threatScore } from "./threat-score.js";
import type { Trap } from "./trap.js";

/** Every trap. To add one, add a line, and a section with examples to docs/findings.md. */
const TRAPS: readonly Trap[] = [
  precedence,
  notation,
  star,
  backslash,
  hostDot,
  pathStart,
  missingValue,
  privateAddress,
  onlyIpv4,
  threatScore,
];

/** What is probably not meant in an expression that the service accepts. */
export function findTraps(text: string, expression: Expression, options: CheckOptions): readonly TextFinding[] {
  const trapped = { text, expression, options, parts: partsOf(expression) };
  return TRAPS.flatMap((trap) => trap(trapped));
}

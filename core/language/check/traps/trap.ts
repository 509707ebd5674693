import type { Expression } from "../../ast.js";
import type { TextFinding } from "../../finding.js";
import type { CheckOptions } from "../options.js";
import type { Part } from "./parts.js";

/** A valid expression, and what is known about its use. */
export interface Trapped {
  readonly text: string;
  readonly expression: Expression;
  /** Its conditions and calls, the outer ones first. */
  readonly parts: readonly Part[];
  readonly options: CheckOptions;
}

/** Finds what the service accepts, and what probably does not mean what its author thinks. */
export type Trap = (trapped: Trapped) => readonly TextFinding[];

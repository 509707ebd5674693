import * as pulumi from "@pulumi/pulumi";
import type { RulesetRule } from "../resources/generated/inputs.js";

/** How far a rule has arrived: it only logs, applies to a share of the matching requests, or to all of them. */
export type RuleStage = "log" | "full" | { /** A whole number from 1 to 99. */ readonly percent: pulumi.Input<number> };

/**
 * A rule at a stage of its arrival: it first only logs, then applies to a share of the matching requests, then to all of them.
 * It keeps its ref, which it needs, and its ID. Sets the field `stage`, which programs in other languages set themselves.
 *
 * @example
 * ```ts
 * staged({ action: "block", ref: "no-xmlrpc", expression: expression`http.request.uri.path eq ${"/xmlrpc.php"}` }, {
 *   stage: { percent: 5 },
 * })
 * ```
 */
export function staged(rule: RulesetRule, { stage }: { readonly stage: pulumi.Input<RuleStage> }): RulesetRule {
  return { ...rule, stage: typeof stage === "string" ? stage : pulumi.output(stage).apply(textOf) };
}

function textOf(stage: pulumi.Unwrap<RuleStage>): string {
  return typeof stage === "string" ? stage : `${String(stage.percent)}%`;
}

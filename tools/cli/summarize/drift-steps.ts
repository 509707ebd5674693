import type { Step } from "./preview.js";

/** The step of the engine that reads a resource again. */
export const REFRESH = "refresh";

/** The steps of a preview: what `up` would do, and what others did to resources that were read again. */
interface SeparatedSteps {
  readonly planned: readonly Step[];
  /** From the last state to what was read. */
  readonly drift: readonly Step[];
}

/**
 * Separates the two. The steps of `pulumi refresh --preview-only` are what others did. In `pulumi preview --refresh`, the
 * steps that read contain only the last state; what was read is the state before the steps that follow.
 */
export function separateDrift(steps: readonly Step[]): SeparatedSteps {
  const reads = steps.filter(({ op }) => op === REFRESH);
  const planned = steps.filter(({ op }) => op !== REFRESH);
  if (reads.length === 0) return { planned, drift: [] };
  if (!planned.some(({ urn }) => urn.includes("::pulumi:pulumi:Stack::")))
    return { planned: [], drift: planned.map((step) => ({ ...step, op: REFRESH })) };
  const following = new Map([...planned].reverse().map((step) => [step.urn, step] as const));
  const drift = reads.flatMap(({ urn, before }): Step[] => {
    const next = following.get(urn);
    if (next === undefined || before === undefined) return [];
    const { before: now, paths } = next;
    return [{ op: REFRESH, urn, paths, before, ...(now === undefined ? {} : { after: now }) }];
  });
  return { planned, drift };
}
